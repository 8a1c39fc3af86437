package io.kipimo.schemas.tails;

import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;

/**
 * Distribution of latencies in a window. Times are in microseconds. Percentiles are within 1 %;
 * mean, maximum and coefficient of variation are exact.
 *
 * @param count number of latencies, above 0
 * @param coefficientOfVariation standard deviation / mean
 * @param quartileDispersion QCoD = (Q3 - Q1) / (Q3 + Q1), 0..1
 * @param p95OverMean sPARE's variability measure w (sec. V-B)
 * @param p99OverMean the same for the 99th percentile
 * @param serviceLevels one per objective, ascending
 */
@WithBuilder
public record LatencyStatistics(
        long count,
        double p50Micros,
        double p90Micros,
        double p95Micros,
        double p99Micros,
        double p999Micros,
        double meanMicros,
        long maximumMicros,
        double coefficientOfVariation,
        double quartileDispersion,
        double p95OverMean,
        double p99OverMean,
        @Initializer(source = List.class, value = "of") List<ServiceLevel> serviceLevels) {}
