package io.kipimo.labs.demos.admission;

import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.schemas.policy.MergeKind;

/**
 * Settings that are the same in all runs of a demo; fixed before the first run.
 *
 * @param objective set point for the mean answer quality of the high class
 * @param timeOutObjective set point of the timeout-guided controller: share of queries with a time-out
 * @param samplingRate share of the queries that are sampled (Ubora, sec. 8: 0.2)
 * @param deadlineMillis from the intended start of a query to its answer
 * @param windowMillis averaging window; the paper's 10 minutes of 3 hours, scaled to the length of a run
 * @param periodMillis control period, unless a hundred queries of the high class arrive earlier; smaller batches are
 *     too noisy
 * @param kp gain on the change of the error
 * @param ki gain on the error, a second
 * @param topK items of an answer
 * @param merge where mature answers come from
 */
@WithBuilder
record DemoSettings(
        double objective,
        double timeOutObjective,
        double samplingRate,
        int deadlineMillis,
        long expirationWindowMillis,
        long windowMillis,
        long periodMillis,
        double kp,
        double ki,
        int topK,
        MergeKind merge) {
    static final DemoSettings DEFAULT = DemoSettingsBuilder.builder()
            .objective(0.9)
            .timeOutObjective(0.12)
            .samplingRate(0.2)
            .deadlineMillis(30)
            .expirationWindowMillis(2_000)
            .windowMillis(5_000)
            .periodMillis(1_000)
            .kp(0.6)
            .ki(0.3)
            .topK(20)
            .merge(MergeKind.TOP_K_BY_SCORE)
            .build();

    /**
     * Settings for an engine that cuts its own answers and gets fewer queries. The deadline is the time that a query
     * allows the engine.
     */
    static final DemoSettings ENGINE = DemoSettingsBuilder.builder(DEFAULT)
            .samplingRate(0.3)
            .deadlineMillis(100)
            .expirationWindowMillis(8_000)
            .windowMillis(10_000)
            .periodMillis(2_000)
            .topK(10)
            .merge(MergeKind.REPLAYED_ANSWERS)
            .build();
}
