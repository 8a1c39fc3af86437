package io.kipimo.loadgen.generator;

import io.kipimo.loadgen.workload.Share;

/**
 * One experiment as one generator runs it.
 *
 * @param load of all generators
 * @param share this generator's
 * @param warmUpMillis before what is measured
 * @param millis that are measured
 * @param boundMicros within which answers are to come
 * @param seed of arrivals and think times; each share has its own from it
 */
public record RunSettings(
        Load load, Share share, long warmUpMillis, long millis, long boundMicros, long seed) {
    public RunSettings {
        if (warmUpMillis < 0) {
            throw new IllegalArgumentException(
                    "warmUpMillis is " + warmUpMillis + "; allowed: 0 or more");
        }
        if (millis < 1 || boundMicros < 1) {
            throw new IllegalArgumentException(
                    "millis is "
                            + millis
                            + ", boundMicros "
                            + boundMicros
                            + "; allowed: 1 or more");
        }
    }
}
