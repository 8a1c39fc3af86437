/**
 * The control plane under faults, deterministically: controllers that crash and go on as zombies, a log that drops,
 * repeats, reorders and delays, clocks that jump, corrupt decisions. The invariants are checked after every event. Read
 * {@link io.kipimo.simulator.faults.plane.ControlPlaneFaults} first.
 */
package io.kipimo.simulator.faults.plane;
