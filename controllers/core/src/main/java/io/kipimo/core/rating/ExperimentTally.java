package io.kipimo.core.rating;

import io.kipimo.schemas.rating.AgreementTerms;

/**
 * Counts of an experiment so far. Tallies of several generators add up.
 *
 * @param requests requests that have ended, failed ones included
 * @param within requests answered within the bound, measured from the intended start
 * @param errors requests that failed
 * @param reads validated reads
 * @param unpredictable validated reads that were stale, inconsistent or wrong
 * @param scored answers whose quality was measured
 * @param qualitySum sum of their qualities, each 0..1
 */
public record ExperimentTally(
        long requests, long within, long errors, long reads, long unpredictable, long scored, double qualitySum) {
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

    /** Verdict on a finished experiment. One without requests fails. */
    public Verdict verdict(AgreementTerms agreement) {
        boolean kept = requests > 0
                && within >= agreement.leastWithin() * requests
                && errors <= agreement.mostErrors() * requests
                && unpredictable <= agreement.mostUnpredictable() * reads
                && (agreement.leastQuality() == 0 || (scored > 0 && qualitySum >= agreement.leastQuality() * scored));
        return kept ? Verdict.PASSED : Verdict.FAILED;
    }

    /** The sum of both tallies. */
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
