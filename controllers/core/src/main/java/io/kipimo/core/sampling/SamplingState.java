package io.kipimo.core.sampling;

import io.kipimo.core.guard.DecisionReason;

/**
 * State of the sampling controller of one service.
 *
 * @param rate sampling rate that was decided last, 0..1; 0: none yet
 * @param averageRate moving average of the rates in force over about the averaging window; 0: none
 * @param lastWindowMillis end of the newest window, event time; 0: none yet
 * @param samples number of samples in that window
 * @param halfWidth half-width of the interval of that window's estimate, 0..1; 1 without one
 * @param reason reason of the last decision
 */
record SamplingState(
        long epoch,
        long sequence,
        double rate,
        double averageRate,
        long lastWindowMillis,
        int samples,
        double halfWidth,
        DecisionReason reason) {

    /** The state before any input. */
    public static SamplingState initial() {
        return new SamplingState(0, 0, 0, 0, 0, 0, 1, DecisionReason.HELD_NO_INPUT);
    }
}
