package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.QueryKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Schedules when the join checks each query. There is one list of queries for each whole second of event time, because
 * a timer for each query would cost as much as the join. The schedule is not stored: each open query contains its time.
 */
final class ExpirySchedule {
    private static final long GRAIN_MILLIS = 1000;

    private final TreeMap<Long, List<DueQuery>> queriesBySecond = new TreeMap<>();

    // The second that was used last; most queries are due in the same one as the query before.
    private long lastMillis = Long.MIN_VALUE;
    private List<DueQuery> lastQueries;

    /**
     * A query that is due.
     *
     * @param lastSeen an earlier state of the query, possibly an outdated copy, so only fields that never change again
     *     may be read; null if unknown
     */
    record DueQuery(QueryKey key, OpenQuery lastSeen) {}

    /** The next whole second at or after {@code millis}. */
    static long onGrid(long millis) {
        return Math.floorDiv(millis + GRAIN_MILLIS - 1, GRAIN_MILLIS) * GRAIN_MILLIS;
    }

    /** Whether {@link #onGrid} of {@code millis} is before {@code gridMillis}, a whole second. */
    static boolean isBefore(long millis, long gridMillis) {
        return millis <= gridMillis - GRAIN_MILLIS;
    }

    /** @param dueMillis whole second at which the query is due, from {@link #onGrid} */
    void add(DueQuery query, long dueMillis) {
        if (dueMillis != lastMillis) {
            lastMillis = dueMillis;
            lastQueries = queriesBySecond.computeIfAbsent(dueMillis, d -> new ArrayList<>());
        }
        lastQueries.add(query);
    }

    /** Removes and returns the next due queries; null if none are due. */
    Map.Entry<Long, List<DueQuery>> poll(long eventTimeMillis) {
        if (nextMillis() > eventTimeMillis || queriesBySecond.isEmpty()) {
            return null;
        }
        lastMillis = Long.MIN_VALUE;
        return queriesBySecond.pollFirstEntry();
    }

    /** When the first queries are due; {@link Long#MAX_VALUE} if there are none. */
    long nextMillis() {
        return queriesBySecond.isEmpty() ? Long.MAX_VALUE : queriesBySecond.firstKey();
    }
}
