package io.kipimo.core.invalidation;

/**
 * How much history a cell keeps.
 *
 * @param replayMillis how long writes can be replayed and late versions be recognised; at least 1. Must exceed the
 *     delay between a query's evaluation and its arrival, and the lateness of writes
 * @param replayWrites greatest number of writes that can be replayed; at least 1
 */
public record CellSettings(long replayMillis, int replayWrites) {
    public CellSettings {
        if (replayMillis < 1 || replayWrites < 1) {
            throw new IllegalArgumentException(
                    "replayMillis " + replayMillis + ", replayWrites " + replayWrites + "; allowed: from 1");
        }
    }
}
