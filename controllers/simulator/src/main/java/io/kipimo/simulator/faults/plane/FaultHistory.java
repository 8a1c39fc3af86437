package io.kipimo.simulator.faults.plane;

import java.util.Optional;

/**
 * What happened in one run under faults.
 *
 * @param violation the first one; the run ends with it
 * @param applied decisions that actuators took
 * @param refused decisions that they did not take
 * @param digest of all that was offered to whom and when, in order: a replay has the same
 */
public record FaultHistory(
        Optional<InvariantViolation> violation, long applied, long refused, long digest) {}
