package io.kipimo.core.rating;

/**
 * The agreement that a target must keep while it is rated (sec. 1.1), extended by answer quality
 * and errors.
 *
 * @param leastWithin alpha: least share of the requests that are answered within the bound, 0..1
 * @param boundMicros beta: the bound, microseconds, more than 0
 * @param mostUnpredictable tau: most share of the reads that are stale, inconsistent or wrong, 0..1
 * @param leastQuality least mean answer quality, 0..1; 0: the agreement does not cover quality
 * @param mostErrors most share of the requests that fail, 0..1
 * @param durationMillis Delta: how long the target must keep it, milliseconds, more than 0
 */
public record ServiceLevelAgreement(
        double leastWithin,
        long boundMicros,
        double mostUnpredictable,
        double leastQuality,
        double mostErrors,
        long durationMillis) {

    public ServiceLevelAgreement {
        share("leastWithin", leastWithin);
        share("mostUnpredictable", mostUnpredictable);
        share("leastQuality", leastQuality);
        share("mostErrors", mostErrors);
        positive("boundMicros", boundMicros);
        positive("durationMillis", durationMillis);
    }

    /** Verdict on a finished experiment. An experiment without requests fails. */
    public Verdict verdict(ExperimentTally tally) {
        boolean kept =
                tally.requests() > 0
                        && tally.within() >= leastWithin * tally.requests()
                        && tally.errors() <= mostErrors * tally.requests()
                        && tally.unpredictable() <= mostUnpredictable * tally.reads()
                        && (leastQuality == 0
                                || (tally.scored() > 0
                                        && tally.qualitySum() >= leastQuality * tally.scored()));
        return kept ? Verdict.PASSED : Verdict.FAILED;
    }

    private static void share(String field, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(field + " is " + value + "; allowed: 0..1");
        }
    }

    private static void positive(String field, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(field + " is " + value + "; allowed: more than 0");
        }
    }
}
