package io.kipimo.loadgen.generator;

import io.kipimo.loadgen.workload.Share;

/**
 * Settings of one experiment for one generator.
 *
 * @param load of all generators
 * @param share of this generator
 * @param warmUpMillis before the measured time
 * @param millis measured time
 * @param boundMicros latency bound of answers
 * @param seed of arrivals and think times; each share derives its own
 */
public record RunSettings(Load load, Share share, long warmUpMillis, long millis, long boundMicros, long seed) {
    public RunSettings {
        if (warmUpMillis < 0) {
            throw new IllegalArgumentException("warmUpMillis is " + warmUpMillis + "; allowed: 0 or more");
        }
        if (millis < 1 || boundMicros < 1) {
            throw new IllegalArgumentException(
                    "millis is " + millis + ", boundMicros " + boundMicros + "; allowed: 1 or more");
        }
    }
}
