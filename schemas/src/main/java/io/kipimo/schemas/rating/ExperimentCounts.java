package io.kipimo.schemas.rating;

/**
 * What an experiment counted; those of several generators add up.
 *
 * @param requests that ended or should have, failed ones included
 * @param within of these, answered within the bound, from the intended start
 * @param errors of these, failed
 * @param reads that were validated
 * @param unpredictable of these, stale, inconsistent or wrong
 * @param scored answers whose quality was measured
 * @param qualitySum of their qualities
 * @param answered in the measured time, whenever they were asked
 * @param withinFromSending of the requests, answered within the bound from when they left the
 *     generator, which is no earlier than the intended start
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

    /** Both together. */
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
