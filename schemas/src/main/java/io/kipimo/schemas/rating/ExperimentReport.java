package io.kipimo.schemas.rating;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Size;
import io.kipimo.schemas.field.Text;
import io.kipimo.schemas.field.WithBuilder;

/**
 * A generator's report on an experiment. Rating, number, generator and stage identify it.
 *
 * @param atMillis epoch milliseconds
 * @param measuredMillis measured time so far, without the warm-up
 * @param prepareMillis time to bring the target into its initial state
 * @param latencies sketch of latencies in microseconds, as in topic tails; empty until the experiment is done
 * @param lagMicros delay of requests after their intended start, 99th percentile
 * @param ownCpu share of the machine's processors that the generator used, 0..1
 * @param remark reason why the generator was the bottleneck or refuses the experiment; may be empty
 * @param seed seed of the experiment; it distinguishes experiments of the same number, as a restored coordinator may
 *     assign a number again
 */
@WithBuilder
public record ExperimentReport(
        @Name String ratingId,
        @Range(least = 1, most = RatingTrial.MOST) int number,
        @Text String generator,
        ReportStage stage,
        @Range(least = 1, most = Range.LATEST_MILLIS) long atMillis,
        ExperimentCounts counts,
        @Range(most = Range.LONGEST_MICROS / 1000) long measuredMillis,
        @Range(most = Range.LONGEST_MICROS / 1000) long prepareMillis,
        @Size(most = 1 << 20) byte[] latencies,
        @Range(most = Range.LONGEST_MICROS) long lagMicros,
        @Range(most = 1) double ownCpu,
        String remark,

        @Range(least = Long.MIN_VALUE, most = Long.MAX_VALUE)
        long seed) {}
