package io.kipimo.core.rating;

/**
 * What an experiment has counted so far; tallies of several generators add up.
 *
 * @param requests that have ended, failed ones included
 * @param within of these, answered within the bound, measured from the intended start
 * @param errors of these, failed
 * @param reads that were validated
 * @param unpredictable of these, stale, inconsistent or wrong
 * @param scored answers whose quality was measured
 * @param qualitySum of their qualities, each 0..1
 */
public record ExperimentTally(
        long requests,
        long within,
        long errors,
        long reads,
        long unpredictable,
        long scored,
        double qualitySum) {
    /** Nothing counted yet. */
    public static final ExperimentTally NONE = new ExperimentTally(0, 0, 0, 0, 0, 0, 0);

    public ExperimentTally {
        part("within", within, requests);
        part("errors", errors, requests);
        part("unpredictable", unpredictable, reads);
        if (scored < 0 || !(qualitySum >= 0 && qualitySum <= scored + 1e-6)) {
            throw new IllegalArgumentException(
                    "qualitySum is " + qualitySum + "; allowed: 0..scored, which is " + scored);
        }
    }

    /** Both together. */
    public ExperimentTally plus(ExperimentTally other) {
        return new ExperimentTally(
                requests + other.requests,
                within + other.within,
                errors + other.errors,
                reads + other.reads,
                unpredictable + other.unpredictable,
                scored + other.scored,
                qualitySum + other.qualitySum);
    }

    private static void part(String field, long value, long whole) {
        if (value < 0 || value > whole) {
            throw new IllegalArgumentException(field + " is " + value + "; allowed: 0.." + whole);
        }
    }
}
