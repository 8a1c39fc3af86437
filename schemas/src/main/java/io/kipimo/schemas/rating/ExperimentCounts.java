package io.kipimo.schemas.rating;

import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.field.WithBuilder;

/**
 * Counts of an experiment. The sum over its generators is the total.
 *
 * @param requests requests that ended or should have ended, including failed ones
 * @param within requests that were answered within the bound, counted from their intended start
 * @param errors those of {@code requests} that failed
 * @param reads reads that were validated
 * @param unpredictable reads that were stale, inconsistent or wrong
 * @param scored answers with a measured quality
 * @param qualitySum sum of their qualities
 * @param answered answers within the measured time, whenever their requests started
 * @param withinFromSending requests that were answered within the bound, counted from the time when they left the
 *     generator, which is never before the intended start
 */
@WithBuilder
public record ExperimentCounts(
        long requests,
        @Range(mostOf = "requests") long within,
        @Range(mostOf = "requests") long errors,
        long reads,
        @Range(mostOf = "reads") long unpredictable,
        long scored,
        @Range(most = Double.MAX_VALUE) double qualitySum,
        long answered,
        @Range(leastOf = "within", mostOf = "requests") long withinFromSending) {
    public static final ExperimentCounts NONE =
            ExperimentCountsBuilder.builder().build();

    /**
     * Creates counts of requests, reads and qualities alone.
     *
     * @throws IllegalArgumentException if a part is more than its whole
     */
    public static ExperimentCounts of(
            long requests, long within, long errors, long reads, long unpredictable, long scored, double qualitySum) {
        ExperimentCounts counts =
                new ExperimentCounts(requests, within, errors, reads, unpredictable, scored, qualitySum, 0, within);
        RecordFields.check(counts);
        return counts;
    }

    /** Adds both counts. */
    public ExperimentCounts plus(ExperimentCounts other) {
        return ExperimentCountsBuilder.builder()
                .requests(requests + other.requests)
                .within(within + other.within)
                .errors(errors + other.errors)
                .reads(reads + other.reads)
                .unpredictable(unpredictable + other.unpredictable)
                .scored(scored + other.scored)
                .qualitySum(qualitySum + other.qualitySum)
                .answered(answered + other.answered)
                .withinFromSending(withinFromSending + other.withinFromSending)
                .build();
    }
}
