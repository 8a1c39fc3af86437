package io.kipimo.core.quality.completeness;

/**
 * A mean that follows: of all values while they are few, then an exponentially forgetting one.
 *
 * @param mean quality lost, signed
 * @param queries that it was learned from
 */
public record LearnedLoss(double mean, long queries) {
    static final LearnedLoss NONE = new LearnedLoss(0, 0);

    /** About the last so many count. */
    static final int MEMORY = 200;

    LearnedLoss with(double lost) {
        long more = queries + 1;
        return new LearnedLoss(mean + (lost - mean) / Math.min(more, MEMORY), more);
    }

    /** As a loss to expect, 0..1: lateness that improved answers is not counted on. */
    double expected() {
        return Math.max(0, Math.min(1, mean));
    }
}
