package io.kipimo.core.rating;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Noise of readings, estimated from loads that were measured more than once. */
final class Noise {
    private Noise() {}

    /**
     * Standard deviation of a reading, as a fraction of it, pooled over all loads. Void readings do not count.
     *
     * @return empty if no load was measured twice
     */
    public static OptionalDouble of(List<ExperimentReading> readings) {
        List<ExperimentReading> valid =
                readings.stream().filter(r -> r.verdict() != Verdict.VOID).toList();
        Map<Long, Double> means = valid.stream()
                .collect(Collectors.groupingBy(
                        ExperimentReading::load, Collectors.averagingDouble(ExperimentReading::throughput)));
        int freedom = valid.size() - means.size();
        double squares = 0;
        for (ExperimentReading reading : valid) {
            double mean = means.get(reading.load());
            squares += mean == 0 ? 0 : Math.pow(reading.throughput() / mean - 1, 2);
        }
        return freedom == 0 ? OptionalDouble.empty() : OptionalDouble.of(Math.sqrt(squares / freedom));
    }
}
