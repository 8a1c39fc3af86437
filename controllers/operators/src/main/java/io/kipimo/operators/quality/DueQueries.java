package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.OpenQuery;
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

    private final TreeMap<Long, List<Due>> queriesBySecond = new TreeMap<>();

    /**
     * A query that is due.
     *
     * @param seen its state as it was found once, which may be a copy that time has passed over:
     *     what never changes again once it is so can be told from it without asking the state
     *     backend; null if nothing is known
     */
    record Due(QueryKey key, OpenQuery seen) {}

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
    Map.Entry<Long, List<Due>> poll(long watermarkMillis) {
        return queriesBySecond.isEmpty() || queriesBySecond.firstKey() > watermarkMillis
                ? null
                : queriesBySecond.pollFirstEntry();
    }

    /** When the last of them are due; there must be some. */
    long latestMillis() {
        return queriesBySecond.lastKey();
    }

    boolean isEmpty() {
        return queriesBySecond.isEmpty();
    }
}
