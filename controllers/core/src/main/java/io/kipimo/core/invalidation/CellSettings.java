package io.kipimo.core.invalidation;

/**
 * How much of the past a cell knows.
 *
 * @param replayMillis writes are replayed, and late versions told from new ones, for so long; at
 *     least 1. Longer than a query's way from its evaluation to the cell, and than writes are late
 * @param replayWrites but of no more than so many writes; at least 1
 */
public record CellSettings(long replayMillis, int replayWrites) {
    public CellSettings {
        if (replayMillis < 1 || replayWrites < 1) {
            throw new IllegalArgumentException(
                    "replayMillis "
                            + replayMillis
                            + ", replayWrites "
                            + replayWrites
                            + "; allowed: from 1");
        }
    }
}
