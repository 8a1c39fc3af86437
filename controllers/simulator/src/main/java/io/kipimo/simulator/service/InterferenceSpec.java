package io.kipimo.simulator.service;

import io.kipimo.simulator.workload.ModelChecks;

/**
 * Neighbours that take capacity from each server of a tier, independently: Poisson arrivals, exponential lengths
 * (sPARE, sec. VI-A: every 40 s, 10 s long).
 *
 * @param meanIntervalSeconds between the starts of episodes
 * @param meanLengthSeconds of an episode; episodes may overlap
 * @param speed of the server during an episode, in (0, 1]
 */
public record InterferenceSpec(double meanIntervalSeconds, double meanLengthSeconds, double speed) {
    public InterferenceSpec {
        ModelChecks.above("interval of interference", meanIntervalSeconds, 0);
        ModelChecks.above("length of interference", meanLengthSeconds, 0);
        ModelChecks.above("speed under interference", speed, 0);
        ModelChecks.fraction("speed under interference", speed);
    }
}
