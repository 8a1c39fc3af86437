package io.kipimo.simulator.faults.plane;

import java.util.Optional;

/**
 * Result of one run under faults.
 *
 * @param violation the first one, which ends the run
 * @param applied decisions that actuators applied
 * @param refused decisions that they refused
 * @param digest of all decisions offered, with actuator and time, in order: a replay has the same
 */
record FaultHistory(Optional<InvariantViolation> violation, long applied, long refused, long digest) {}
