package io.kipimo.schemas.policy;

/**
 * How other factors are tried on live traffic; defaults in {@link #DEFAULT}.
 *
 * @param settlingMillis after a change, in which nothing is measured
 * @param minimumMillis least measuring time before a judgement
 * @param maximumMillis after so much measuring the trial ends, decided or not
 * @param batchMillis least length of a batch, of whose spread the interval comes
 * @param batchRequests least requests of a batch
 * @param minimumRequests least requests before a judgement
 * @param minimumBatches least batches before a judgement
 * @param confidence of each bound of a judgement before the end
 * @param lastConfidence the same at the end
 * @param baselineError standard error of the baseline's target, as a share of it, from which on
 *     trials are compared with it
 * @param minimumGain smallest share of the target that is worth another copy, 0..1
 */
public record TrialPolicy(
        long settlingMillis,
        long minimumMillis,
        long maximumMillis,
        long batchMillis,
        int batchRequests,
        int minimumRequests,
        int minimumBatches,
        double confidence,
        double lastConfidence,
        double baselineError,
        double minimumGain) {
    public static final TrialPolicy DEFAULT =
            new TrialPolicy(10_000, 60_000, 600_000, 20_000, 50, 200, 5, 0.95, 0.8, 0.05, 0.02);
}
