package io.kipimo.core.replication;

import io.kipimo.schemas.field.WithBuilder;

/**
 * Rules of a live trial and its evaluation.
 *
 * @param settlingMillis time after a change in which nothing is measured
 * @param minimumMillis least measuring time before an evaluation
 * @param maximumMillis measuring time after which the trial ends, decided or not
 * @param batchMillis least length of a batch. Consecutive latencies are correlated through queues
 *     and interference; a batch should be longer than that correlation
 * @param batchRequests least requests of a batch
 * @param minimumRequests least requests before an evaluation (guard rail: 200)
 * @param minimumBatches least batches before an evaluation, at least 3
 * @param confidence confidence of each bound before the end of the trial, above 0.5, below 1
 * @param lastConfidence confidence of each bound at the end
 * @param baselineError greatest standard error of the baseline's target, as a share of it, with
 *     which a trial may start; after {@code maximumMillis} any error will do. A trial that was kept
 *     because of lucky first minutes would otherwise be a baseline that makes the next trial look
 *     bad
 * @param minimumGain smallest share of the target that is worth another copy, 0..1
 */
@WithBuilder
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
            TrialRulesBuilder.builder()
                    .settlingMillis(10_000)
                    .minimumMillis(60_000)
                    .maximumMillis(600_000)
                    .batchMillis(20_000)
                    .batchRequests(50)
                    .minimumRequests(200)
                    .minimumBatches(5)
                    .confidence(0.95)
                    .lastConfidence(0.8)
                    .baselineError(0.05)
                    .minimumGain(0.02)
                    .build();

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
