package io.kipimo.schemas.tails;

import io.kipimo.schemas.field.Ascending;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;

/**
 * Distribution of latencies in a window. Times are in microseconds. Percentiles are within 1 %; mean, maximum and
 * coefficient of variation are exact.
 *
 * @param count number of latencies, above 0
 * @param coefficientOfVariation standard deviation / mean
 * @param quartileDispersion QCoD = (Q3 - Q1) / (Q3 + Q1), 0..1
 * @param p95OverMean 95th percentile / mean, sPARE's variability measure w (sec. V-B)
 * @param p99OverMean 99th percentile / mean
 * @param serviceLevels one per objective, ascending
 */
@WithBuilder
public record LatencyStatistics(
        @Range(least = 1, most = TrafficCounts.MOST) long count,
        @Range(mostOf = "maximumMicros", most = 1e18) double p50Micros,

        @Range(leastOf = "p50Micros", mostOf = "maximumMicros", most = 1e18)
        double p90Micros,

        @Range(leastOf = "p90Micros", mostOf = "maximumMicros", most = 1e18)
        double p95Micros,

        @Range(leastOf = "p95Micros", mostOf = "maximumMicros", most = 1e18)
        double p99Micros,

        @Range(leastOf = "p99Micros", mostOf = "maximumMicros", most = 1e18)
        double p999Micros,

        @Range(mostOf = "maximumMicros", most = 1e18) double meanMicros,
        @Range(most = 1e18) long maximumMicros,
        @Range(most = 1e18) double coefficientOfVariation,
        @Range(most = 1) double quartileDispersion,
        @Range(most = 1e18) double p95OverMean,
        @Range(most = 1e18) double p99OverMean,

        @Initializer(source = List.class, value = "of") @Ascending
        List<ServiceLevel> serviceLevels) {}
