package io.kipimo.core.rating;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Memory of results: the pooled reading of each load, and all readings in their order. Void experiments are left out.
 */
final class ResultMemory {
    /** Pooled readings by load, with the mean throughput and the verdict of the majority. */
    private final TreeMap<Long, ExperimentReading> byLoad = new TreeMap<>();

    private final List<ExperimentReading> inOrder = new ArrayList<>();

    ResultMemory(List<ExperimentReading> log) {
        Map<Long, List<ExperimentReading>> all = new TreeMap<>();
        for (ExperimentReading reading : log) {
            if (reading.verdict() != Verdict.VOID) {
                inOrder.add(reading);
                all.computeIfAbsent(reading.load(), load -> new ArrayList<>()).add(reading);
            }
        }
        all.forEach((load, readings) -> byLoad.put(load, pooled(load, readings)));
    }

    private static ExperimentReading pooled(long load, List<ExperimentReading> readings) {
        double sum = 0;
        int passed = 0;
        for (ExperimentReading reading : readings) {
            sum += reading.throughput();
            passed += reading.passed() ? 1 : 0;
        }
        // A tie is a failure, since the agreement must hold reliably.
        return new ExperimentReading(
                load, sum / readings.size(), 2 * passed > readings.size() ? Verdict.PASSED : Verdict.FAILED);
    }

    /** Number of readings of {@code load}. */
    int count(long load) {
        return (int) inOrder.stream().filter(r -> r.load() == load).count();
    }

    /** Noise of the readings; NaN if no load was measured twice. */
    double noise() {
        return Noise.of(inOrder).orElse(Double.NaN);
    }

    /** The pooled reading of {@code load}; null if that load was not tried. */
    ExperimentReading at(long load) {
        return byLoad.get(load);
    }

    /** Pooled readings of the loads below the lowest failing one, lowest load first. */
    List<ExperimentReading> passing() {
        return List.copyOf(byLoad.headMap(lowestFailing()).values());
    }

    /** The reading of {@link #passing} with the highest throughput; null if there is none. */
    ExperimentReading best() {
        ExperimentReading best = null;
        for (ExperimentReading reading : passing()) {
            if (best == null || reading.throughput() > best.throughput()) {
                best = reading;
            }
        }
        return best;
    }

    /** The lowest failing load; {@link Long#MAX_VALUE} if none failed. */
    long lowestFailing() {
        for (ExperimentReading reading : byLoad.values()) {
            if (!reading.passed()) {
                return reading.load();
            }
        }
        return Long.MAX_VALUE;
    }
}
