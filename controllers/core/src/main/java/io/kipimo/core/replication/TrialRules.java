package io.kipimo.core.replication;

/**
 * How a live trial is run and judged.
 *
 * @param settlingMillis after a change, in which nothing is measured
 * @param minimumMillis least measuring time before a judgement
 * @param maximumMillis after so much measuring the trial ends, decided or not
 * @param batchMillis least length of a batch. Latencies in a row are alike, because of queues and
 *     of what interferes; a batch should be longer than that lasts
 * @param batchRequests least requests of a batch
 * @param minimumRequests least requests before a judgement (guard rail: 200)
 * @param minimumBatches least batches before a judgement, at least 3
 * @param confidence of each bound of a judgement before the end, above 0.5, below 1
 * @param lastConfidence the same at the end
 * @param baselineError standard error of the baseline's target, as a share of it, from which on
 *     trials are compared with it; or after {@code maximumMillis}, whatever it is. One that was
 *     kept for its lucky first minutes would else make the next one look bad
 * @param minimumGain smallest share of the target that is worth another copy, 0..1
 */
public record TrialRules(
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
    public static final TrialRules DEFAULT =
            new TrialRules(10_000, 60_000, 600_000, 20_000, 50, 200, 5, 0.95, 0.8, 0.05, 0.02);

    public TrialRules {
        within("settlingMillis", settlingMillis, 0, 3_600_000);
        within("maximumMillis", maximumMillis, 1, 86_400_000);
        within("minimumMillis", minimumMillis, 0, maximumMillis);
        within("batchMillis", batchMillis, 1, maximumMillis);
        within("batchRequests", batchRequests, 1, 1_000_000);
        within("minimumRequests", minimumRequests, 1, 100_000_000);
        within("minimumBatches", minimumBatches, 3, 1_000);
        within("confidence", confidence, 0.5, 0.9999);
        within("lastConfidence", lastConfidence, 0.5, 0.9999);
        within("baselineError", baselineError, 0, 1);
        within("minimumGain", minimumGain, 0, 1);
    }

    static void within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " is " + value + "; allowed: " + least + ".." + most);
        }
    }

    static void within(String name, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(
                    name + " is " + value + "; allowed: " + least + ".." + most);
        }
    }
}
