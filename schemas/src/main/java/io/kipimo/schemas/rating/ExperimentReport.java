package io.kipimo.schemas.rating;

import io.kipimo.schemas.field.WithBuilder;

/**
 * A generator's report on an experiment. Rating, number, generator and stage identify it.
 *
 * @param atMillis epoch milliseconds
 * @param measuredMillis measured time so far, without the warm-up
 * @param prepareMillis time to bring the target into its initial state
 * @param latencies sketch of latencies in microseconds, as in topic tails; empty until the
 *     experiment is done
 * @param lagMicros delay of requests after their intended start, 99th percentile
 * @param ownCpu share of the machine's processors that the generator used, 0..1
 * @param remark why the generator was the bottleneck, or refuses; may be empty
 * @param seed seed of the experiment; it distinguishes experiments of the same number, as a
 *     restored coordinator may assign a number again
 */
@WithBuilder
public record ExperimentReport(
        String ratingId,
        int number,
        String generator,
        ReportStage stage,
        long atMillis,
        ExperimentCounts counts,
        long measuredMillis,
        long prepareMillis,
        byte[] latencies,
        long lagMicros,
        double ownCpu,
        String remark,
        long seed) {}
