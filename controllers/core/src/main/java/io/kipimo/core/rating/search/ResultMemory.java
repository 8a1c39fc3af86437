package io.kipimo.core.rating.search;

import io.kipimo.core.rating.ExperimentReading;
import io.kipimo.core.rating.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Memory of results: the pooled reading of each load, and all readings in their order. Void
 * experiments are left out.
 */
final class ResultMemory {
    /** Pooled readings by load: mean throughput, verdict of the majority. */
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
                load,
                sum / readings.size(),
                2 * passed > readings.size() ? Verdict.PASSED : Verdict.FAILED);
    }

    /** The pooled reading of {@code load}; null if that load was not tried. */
    ExperimentReading at(long load) {
        return byLoad.get(load);
    }

    /** Pooled readings, lowest load first. */
    List<ExperimentReading> byLoad() {
        return List.copyOf(byLoad.values());
    }

    List<ExperimentReading> inOrder() {
        return inOrder;
    }

    /** The passing load with the highest throughput; null if none passed. */
    ExperimentReading best() {
        ExperimentReading best = null;
        for (ExperimentReading reading : byLoad.values()) {
            if (reading.passed() && (best == null || reading.throughput() > best.throughput())) {
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

    /** The highest passing load below all failing loads; 0 if there is none. */
    long highestPassing() {
        long failing = lowestFailing();
        Long load = byLoad.lowerKey(failing);
        return load == null ? 0 : load;
    }
}
