package io.kipimo.core.quality.merge;

/**
 * A moving mean: the plain mean of the first {@value #MEMORY} values, then an exponential one.
 *
 * @param mean quality lost, signed
 * @param queries number of queries that it was learned from
 */
record LearnedLoss(double mean, long queries) {
    static final LearnedLoss NONE = new LearnedLoss(0, 0);

    /** Approximate number of values that count. */
    static final int MEMORY = 200;

    LearnedLoss with(double lost) {
        long more = queries + 1;
        return new LearnedLoss(mean + (lost - mean) / Math.min(more, MEMORY), more);
    }

    /** Expected loss, 0..1; a negative mean counts as 0. */
    double expected() {
        return Math.max(0, Math.min(1, mean));
    }
}
