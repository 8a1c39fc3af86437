package io.kipimo.operators.quality;

import io.kipimo.schemas.quality.QueryKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which queries the join looks at when, by whole seconds of event time: a list a second, where a
 * timer a query would cost as much as the join. Not stored: each open query knows its time.
 */
final class DueQueries {
    private static final long GRAIN_MILLIS = 1000;

    private final TreeMap<Long, List<QueryKey>> queriesBySecond = new TreeMap<>();

    /** The time at or after {@code millis} at which something can be due. */
    static long onGrid(long millis) {
        return Math.floorDiv(millis + GRAIN_MILLIS - 1, GRAIN_MILLIS) * GRAIN_MILLIS;
    }

    /**
     * @param dueMillis {@link #onGrid}
     */
    void add(QueryKey query, long dueMillis) {
        List<QueryKey> queries = queriesBySecond.get(dueMillis);
        if (queries == null) {
            queries = new ArrayList<>();
            queriesBySecond.put(dueMillis, queries);
        }
        queries.add(query);
    }

    /** Takes the next queries that are due; null if none are by then. */
    Map.Entry<Long, List<QueryKey>> poll(long watermarkMillis) {
        return queriesBySecond.isEmpty() || queriesBySecond.firstKey() > watermarkMillis
                ? null
                : queriesBySecond.pollFirstEntry();
    }

    boolean isEmpty() {
        return queriesBySecond.isEmpty();
    }
}
