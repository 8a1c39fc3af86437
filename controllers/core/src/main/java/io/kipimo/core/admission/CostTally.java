package io.kipimo.core.admission;

/**
 * Queries of one range of predicted cost.
 *
 * @param workMicros time that components spent on the answers
 */
public record CostTally(long offered, long answered, long workMicros) {

    public CostTally plus(CostTally other) {
        return new CostTally(offered + other.offered, answered + other.answered, workMicros + other.workMicros);
    }

    /** What the tally counts for in a mean over bins. Answers of earlier arrivals may be counted. */
    long weight() {
        return Math.max(offered, answered);
    }
}
