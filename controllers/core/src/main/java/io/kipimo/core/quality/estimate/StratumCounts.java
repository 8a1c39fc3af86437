package io.kipimo.core.quality.estimate;

import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Unmeasurable;

/**
 * Counts of the measurable queries of a window: counts of all of them, and qualities of the sampled degraded ones. A
 * sampled query without a time-out has quality 1 by construction. Unmeasurable answers are excluded, so they do not
 * count as clean.
 *
 * @param answered number of all measurable answers, sampled or not
 * @param timedOut number of all answers without some component, sampled or not
 * @param cleanSamples sampled answers that had every component
 * @param degradedLow low ends of the sampled degraded qualities, as if every component had been asked
 * @param degradedHigh high ends of the same qualities; they differ from the low ends for EXPIRED measurements
 * @param deliberateLoss sum of what the measurable answers lost because components were not asked
 */
@WithBuilder
public record StratumCounts(
        long answered,
        long timedOut,
        int cleanSamples,
        StratumSums degradedLow,
        StratumSums degradedHigh,
        double deliberateLoss)
        implements StratumCountsBuilder.With {
    /** An empty window. */
    public static final StratumCounts NONE = new StratumCounts(0, 0, 0, StratumSums.NONE, StratumSums.NONE);

    /**
     * Checks the counts. {@code timedOut > answered}, or fewer of either than samples, is allowed: counts and samples
     * arrive separately and may differ for a moment.
     *
     * @throws IllegalArgumentException if a count is negative or the numbers of low and of high ends differ
     */
    public StratumCounts {
        if (!(deliberateLoss >= 0)) {
            throw new IllegalArgumentException("deliberate loss is " + deliberateLoss + "; allowed: at least 0");
        }
        if (answered < 0 || timedOut < 0 || cleanSamples < 0) {
            throw new IllegalArgumentException(
                    "counts are %s answered, %s timed out, %s clean samples; allowed: none negative"
                            .formatted(answered, timedOut, cleanSamples));
        }
        if (degradedLow.count() != degradedHigh.count()) {
            throw new IllegalArgumentException("degraded samples are %s low ends and %s high ends; allowed: as many"
                    .formatted(degradedLow.count(), degradedHigh.count()));
        }
    }

    /** Counts of queries that asked every component. */
    public StratumCounts(
            long answered, long timedOut, int cleanSamples, StratumSums degradedLow, StratumSums degradedHigh) {
        this(answered, timedOut, cleanSamples, degradedLow, degradedHigh, 0);
    }

    /** Mean deliberate loss of a measurable answer, 0..1; 0 without any. */
    public double meanDeliberateLoss() {
        return answered == 0 ? 0 : Math.min(1, deliberateLoss / answered);
    }

    /**
     * Subtracts the mean deliberate loss from an estimate.
     *
     * @param ofLateness the estimate as if every component had been asked
     */
    Estimate lessDeliberate(Estimate ofLateness) {
        double lost = meanDeliberateLoss();
        return lost == 0
                ? ofLateness
                : new Estimate(
                        Math.max(0, ofLateness.low() - lost),
                        Math.max(0, ofLateness.mean() - lost),
                        Math.max(0, ofLateness.high() - lost));
    }

    /**
     * Counts of the measurable queries, from counts of all queries.
     *
     * @param answers number of all answers, sampled or not, measurable or not
     * @param unmeasurable unmeasurable answers, as the front ends counted
     * @param unmeasurableSamples sampled queries that are not measurable
     * @param differingSamples unmeasurable samples that are degraded and whose answer is not the policy's merge, so
     *     their quality is unknown; each counts as 0..1, but they are left out if no degraded sample was measured
     * @throws IllegalArgumentException if the constructor throws it
     */
    public static StratumCounts ofMeasurable(
            long answers,
            long timedOut,
            long unmeasurable,
            int unmeasurableSamples,
            int differingSamples,
            int cleanSamples,
            StratumSums degradedLow,
            StratumSums degradedHigh) {
        int unknown = degradedLow.count() == 0 ? 0 : differingSamples;
        return new StratumCounts(
                answers
                        - Unmeasurable.estimate(
                                unmeasurable, answers, timedOut, cleanSamples, unmeasurableSamples - differingSamples),
                timedOut,
                cleanSamples,
                degradedLow.plus(new StratumSums(unknown, 0, 0)),
                degradedHigh.plus(new StratumSums(unknown, unknown, unknown)));
    }

    public StratumCounts plus(StratumCounts other) {
        return new StratumCounts(
                answered + other.answered,
                timedOut + other.timedOut,
                cleanSamples + other.cleanSamples,
                degradedLow.plus(other.degradedLow),
                degradedHigh.plus(other.degradedHigh),
                deliberateLoss + other.deliberateLoss);
    }

    /** This window with more counted queries. */
    public StratumCounts plusCounted(long answeredMore, long timedOutMore) {
        return new StratumCounts(
                answered + answeredMore,
                timedOut + timedOutMore,
                cleanSamples,
                degradedLow,
                degradedHigh,
                deliberateLoss);
    }

    /** This window with one more sampled query that had every component. */
    public StratumCounts plusClean() {
        return new StratumCounts(answered, timedOut, cleanSamples + 1, degradedLow, degradedHigh, deliberateLoss);
    }

    /** This window with one more sampled degraded query. Its low and high end are equal unless it is EXPIRED. */
    public StratumCounts plusDegraded(double low, double high) {
        return plusDegraded(low, high, 1);
    }

    /** This window with one more sampled degraded query that stands for {@code queries} queries. */
    public StratumCounts plusDegraded(double low, double high, int queries) {
        return new StratumCounts(
                answered,
                timedOut,
                cleanSamples,
                degradedLow.add(low, queries),
                degradedHigh.add(high, queries),
                deliberateLoss);
    }

    /** This window with the degraded samples reduced as {@link StratumSums#effective} does. */
    StratumCounts effective() {
        return new StratumCounts(
                answered, timedOut, cleanSamples, degradedLow.effective(), degradedHigh.effective(), deliberateLoss);
    }

    public int degradedSamples() {
        return degradedLow.count();
    }

    public int samples() {
        return cleanSamples + degradedSamples();
    }
}
