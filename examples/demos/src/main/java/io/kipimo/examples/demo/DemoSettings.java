package io.kipimo.examples.demo;

/**
 * What is the same in all runs of a demo; fixed before the first.
 *
 * @param objective mean answer quality that the high class is to keep
 * @param timeOutObjective time-out share that the timeout-guided controller keeps
 * @param samplingRate share of the queries that are sampled (Ubora, sec. 8: 0.2)
 * @param deadlineMillis from the intended start of a query to its answer
 * @param windowMillis averaging window; the paper's 10 minutes of 3 hours, to the scale of a run
 * @param periodMillis of control, if a hundred queries of the high class do not come sooner; with
 *     fewer the batches are noise
 * @param kp gain on the change of the error
 * @param ki gain on the error, a second
 */
record DemoSettings(
        double objective,
        double timeOutObjective,
        double samplingRate,
        int deadlineMillis,
        long expirationWindowMillis,
        long windowMillis,
        long periodMillis,
        double kp,
        double ki) {
    static final DemoSettings DEFAULT =
            new DemoSettings(0.9, 0.12, 0.2, 30, 2_000, 5_000, 1_000, 0.6, 0.3);
}
