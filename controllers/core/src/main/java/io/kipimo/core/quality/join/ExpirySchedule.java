package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.QueryKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which queries the join looks at when, by whole seconds of event time: a list a second, where a
 * timer a query would cost as much as the join. Not stored: each open query knows its time.
 */
final class ExpirySchedule {
    private static final long GRAIN_MILLIS = 1000;

    private final TreeMap<Long, List<Due>> queriesBySecond = new TreeMap<>();

    /**
     * A query that is due.
     *
     * @param lastSeen its state as it was found once, which may be a copy that is out of date: only
     *     what never changes again may be read from it; null if nothing is known
     */
    record Due(QueryKey key, OpenQuery lastSeen) {}

    /** The time at or after {@code millis} at which something can be due. */
    static long onGrid(long millis) {
        return Math.floorDiv(millis + GRAIN_MILLIS - 1, GRAIN_MILLIS) * GRAIN_MILLIS;
    }

    /**
     * @param dueMillis {@link #onGrid}
     */
    void add(Due query, long dueMillis) {
        List<Due> queries = queriesBySecond.get(dueMillis);
        if (queries == null) {
            queries = new ArrayList<>();
            queriesBySecond.put(dueMillis, queries);
        }
        queries.add(query);
    }

    /** Takes the next queries that are due; null if none are by then. */
    Map.Entry<Long, List<Due>> poll(long eventTimeMillis) {
        return nextMillis() > eventTimeMillis || queriesBySecond.isEmpty()
                ? null
                : queriesBySecond.pollFirstEntry();
    }

    /** When the first of them are due; {@link Long#MAX_VALUE} if there are none. */
    long nextMillis() {
        return queriesBySecond.isEmpty() ? Long.MAX_VALUE : queriesBySecond.firstKey();
    }
}
