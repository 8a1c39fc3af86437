package io.kipimo.core.admission;

/**
 * Counts of the queries in one range of predicted cost.
 *
 * @param workMicros time that components spent on the answers
 */
public record CostTally(long offered, long answered, long workMicros) {

    public CostTally plus(CostTally other) {
        return new CostTally(offered + other.offered, answered + other.answered, workMicros + other.workMicros);
    }

    /**
     * Returns the weight of the tally in a mean over bins. There may be more answers than offered queries, because
     * answers to earlier arrivals count too.
     */
    long weight() {
        return Math.max(offered, answered);
    }
}
