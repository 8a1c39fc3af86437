package io.kipimo.core.quality.window;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Keeps a bounded number of the worst queries of one class within a span of time. The span has {@value #SLOTS} slots,
 * and moves on by one slot at a time. Each slot keeps the worst queries of its part of the span. Mutable; for one
 * thread.
 */
public final class WorstQueries {
    private static final int SLOTS = 6;

    private final int most;
    private final long slotMillis;
    private final TreeMap<Long, List<WorstQuery>> slots = new TreeMap<>();

    /**
     * @param most greatest number of queries in a slot, and in the result; at least 1
     * @param spanMillis greatest age relative to the newest query
     */
    public WorstQueries(int most, long spanMillis) {
        if (most < 1 || spanMillis < SLOTS) {
            throw new IllegalArgumentException(
                    "worst queries are " + most + " of " + spanMillis + " ms; allowed: at least 1 of " + SLOTS + " ms");
        }
        this.most = most;
        this.slotMillis = spanMillis / SLOTS;
    }

    /** Adds a query. It replaces an entry with the same query id, because measurements may be repeated. */
    public void add(WorstQuery query) {
        long slot = Math.floorDiv(query.measuredAtMillis(), slotMillis);
        if (!slots.isEmpty() && slot <= slots.lastKey() - SLOTS) {
            return;
        }
        List<WorstQuery> worst = slots.computeIfAbsent(slot, s -> new ArrayList<>());
        if (worst.size() == most && WorstQuery.WORST_FIRST.compare(query, worst.get(most - 1)) >= 0) {
            return;
        }
        worst.removeIf(other -> other.queryId().equals(query.queryId()));
        worst.add(query);
        worst.sort(WorstQuery.WORST_FIRST);
        if (worst.size() > most) {
            worst.remove(most);
        }
        slots.headMap(slots.lastKey() - SLOTS, true).clear();
    }

    /** The worst queries that were measured since a time, the worst first. */
    public List<WorstQuery> since(long millis) {
        return slots.values().stream()
                .flatMap(List::stream)
                .filter(query -> query.measuredAtMillis() >= millis)
                .sorted(WorstQuery.WORST_FIRST)
                .limit(most)
                .toList();
    }
}
