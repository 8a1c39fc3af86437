/**
 * Faults: servers that are slow, dead or flapping, and messages that are late, lost or duplicated. Read
 * {@link io.kipimo.simulator.faults.FaultPlan} first.
 */
package io.kipimo.simulator.faults;
