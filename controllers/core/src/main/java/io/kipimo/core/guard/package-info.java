/**
 * The contract of all controllers, {@link io.kipimo.core.guard.Controller}, and the limits of what a controller can do.
 * These limits are the guards around a control law and the checks of the actuator. They exist because a wrong or stale
 * decision could take a site down.
 *
 * <p>Read {@link io.kipimo.core.guard.Guards} first, which lists all guards in their order.
 * {@link io.kipimo.core.guard.ActuatorChecks} runs at the actuator.
 */
package io.kipimo.core.guard;
