package io.kipimo.schemas.rating;

/**
 * A generator's word on an experiment; rating, number, generator and stage identify it.
 *
 * @param atMillis epoch milliseconds
 * @param measuredMillis so far, without the warm-up
 * @param prepareMillis to bring the target into its first state
 * @param latencies microseconds: a sketch as in topic tails; empty until it is done
 * @param lagMicros how late requests left, 99th percentile
 * @param ownCpu share of the machine's processors that the generator used, 0..1
 * @param remark why the generator was the bottleneck, or refuses; may be empty
 * @param seed the experiment's: a conductor that was set back may give its number to another one
 */
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
