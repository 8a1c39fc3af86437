/**
 * What a controller may not do, whatever it computes: guard rails around a control law, and the
 * actuator's last word (reliability: a wrong or stale decision can take a site down).
 *
 * <p>Read {@link io.kipimo.core.guard.Guards} first: all of them, in their order. {@link
 * io.kipimo.core.guard.ActuatorChecks} is the other end of the wire.
 */
package io.kipimo.core.guard;
