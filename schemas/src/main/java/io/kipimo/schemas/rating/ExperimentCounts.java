package io.kipimo.schemas.rating;

/**
 * Counts of an experiment. The sum over its generators is the total.
 *
 * @param requests requests that ended or should have ended, including failed ones
 * @param within those of the requests answered within the bound, from the intended start
 * @param errors those of the requests that failed
 * @param reads that were validated
 * @param unpredictable those of the reads that were stale, inconsistent or wrong
 * @param scored answers with a measured quality
 * @param qualitySum sum of their qualities
 * @param answered answers within the measured time, whenever their requests started
 * @param withinFromSending those of the requests answered within the bound, from when they left the
 *     generator, which is never before the intended start
 */
public record ExperimentCounts(
        long requests,
        long within,
        long errors,
        long reads,
        long unpredictable,
        long scored,
        double qualitySum,
        long answered,
        long withinFromSending) {
    public static final ExperimentCounts NONE = new ExperimentCounts(0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Sum of both. */
    public ExperimentCounts plus(ExperimentCounts other) {
        return new ExperimentCounts(
                requests + other.requests,
                within + other.within,
                errors + other.errors,
                reads + other.reads,
                unpredictable + other.unpredictable,
                scored + other.scored,
                qualitySum + other.qualitySum,
                answered + other.answered,
                withinFromSending + other.withinFromSending);
    }
}
