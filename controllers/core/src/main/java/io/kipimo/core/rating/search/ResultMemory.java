package io.kipimo.core.rating.search;

import io.kipimo.core.rating.ExperimentReading;
import io.kipimo.core.rating.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Memory of results: what is known of each load, by load, and the readings in the order they came.
 * Void experiments tell nothing and are left out.
 */
final class ResultMemory {
    /** Several readings of a load, as one: mean throughput, verdict of the majority. */
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
        // A tie is a failure: what is promised must be kept, not kept every other time.
        return new ExperimentReading(
                load,
                sum / readings.size(),
                2 * passed > readings.size() ? Verdict.PASSED : Verdict.FAILED);
    }

    /** Null if that load was not tried. */
    ExperimentReading at(long load) {
        return byLoad.get(load);
    }

    /** One for each load tried, lowest load first. */
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

    /** The lowest load that failed; {@link Long#MAX_VALUE} if none did. */
    long lowestFailing() {
        for (ExperimentReading reading : byLoad.values()) {
            if (!reading.passed()) {
                return reading.load();
            }
        }
        return Long.MAX_VALUE;
    }

    /** The highest load that passed, below all that failed; 0 if none is. */
    long highestPassing() {
        long failing = lowestFailing();
        Long load = byLoad.lowerKey(failing);
        return load == null ? 0 : load;
    }
}
