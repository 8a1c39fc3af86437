package io.kipimo.simulator.service;

import io.kipimo.simulator.workload.Checks;

/**
 * Neighbours that take capacity from each server of a tier, independently: Poisson arrivals,
 * exponential lengths (sPARE, sec. VI-A: every 40 s, 10 s long).
 *
 * @param meanIntervalSeconds between the starts of episodes
 * @param meanLengthSeconds of an episode; episodes may overlap
 * @param speed of the server while there is any, in (0, 1]
 */
public record Interference(double meanIntervalSeconds, double meanLengthSeconds, double speed) {
    public Interference {
        Checks.above("interval of interference", meanIntervalSeconds, 0);
        Checks.above("length of interference", meanLengthSeconds, 0);
        Checks.above("speed under interference", speed, 0);
        Checks.fraction("speed under interference", speed);
    }
}
