package io.kipimo.examples.search.load;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Counts queries per second and class. Not thread-safe. */
final class LoadCounts {
    /** Greatest latency of a histogram, microseconds; longer latencies count as this value. */
    private static final long HIGHEST_MICROS = 60_000_000;

    private final List<Map<QueryClass, ClassCounts>> seconds = new ArrayList<>();
    private final Map<QueryClass, ClassCounts> totals = cells();
    private final Histogram lag = new Histogram(HIGHEST_MICROS, 2);

    LoadCounts(int seconds) {
        for (int i = 0; i < seconds; i++) {
            this.seconds.add(cells());
        }
    }

    void sent(Arrival arrival, long lagMicros) {
        lag.recordValue(clamp(lagMicros));
        for (ClassCounts cell : cells(arrival)) {
            cell.offered++;
        }
    }

    void answered(Arrival arrival, long latencyMicros, boolean degraded) {
        for (ClassCounts cell : cells(arrival)) {
            cell.answered++;
            cell.degraded += degraded ? 1 : 0;
            cell.latency.recordValue(clamp(latencyMicros));
        }
    }

    void rejected(Arrival arrival) {
        for (ClassCounts cell : cells(arrival)) {
            cell.rejected++;
        }
    }

    /**
     * All figures so far. A query that is neither answered nor rejected counts as failed.
     *
     * @param unfinished queries without any response
     */
    LoadResult toResult(int unfinished) {
        List<LoadResult.LoadSecond> all = new ArrayList<>();
        for (int i = 0; i < seconds.size(); i++) {
            Map<QueryClass, ClassCounts> second = seconds.get(i);
            all.add(new LoadResult.LoadSecond(
                    i,
                    second.get(QueryClass.HIGH).toTally(),
                    second.get(QueryClass.LOW).toTally()));
        }
        return new LoadResult(
                List.copyOf(all),
                totals.get(QueryClass.HIGH).toTally(),
                totals.get(QueryClass.LOW).toTally(),
                new LoadResult.SendLag(
                        lag.getValueAtPercentile(50) / 1e3,
                        lag.getValueAtPercentile(99) / 1e3,
                        lag.getMaxValue() / 1e3,
                        unfinished));
    }

    private List<ClassCounts> cells(Arrival arrival) {
        int second = (int) (arrival.offsetMicros() / 1_000_000);
        return List.of(seconds.get(second).get(arrival.queryClass()), totals.get(arrival.queryClass()));
    }

    private static Map<QueryClass, ClassCounts> cells() {
        Map<QueryClass, ClassCounts> cells = new EnumMap<>(QueryClass.class);
        for (QueryClass queryClass : QueryClass.values()) {
            cells.put(queryClass, new ClassCounts());
        }
        return cells;
    }

    private static long clamp(long micros) {
        return Math.max(0, Math.min(micros, HIGHEST_MICROS));
    }

    private static final class ClassCounts {
        final Histogram latency = new Histogram(HIGHEST_MICROS, 2);
        long offered;
        long answered;
        long degraded;
        long rejected;

        LoadResult.Tally toTally() {
            return new LoadResult.Tally(
                    offered,
                    answered,
                    degraded,
                    rejected,
                    offered - answered - rejected,
                    answered == 0 ? 0 : latency.getValueAtPercentile(50) / 1e3,
                    answered == 0 ? 0 : latency.getValueAtPercentile(99) / 1e3);
        }
    }
}
