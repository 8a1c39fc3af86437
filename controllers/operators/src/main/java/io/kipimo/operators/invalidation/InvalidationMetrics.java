package io.kipimo.operators.invalidation;

import java.util.EnumMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Metrics of the invalidation job's operators, in group {@code kipimo} of the operator: the counters of {@link Count},
 * and for each subtask with cells the gauges {@code queries}, {@code records} and {@code tests} (tests of queries
 * against writes).
 */
final class InvalidationMetrics {
    /** Root of all names. */
    static final String GROUP = "kipimo";

    /** Counters; they restart at 0 after a failover. */
    enum Count {
        /** Matched writes, counted once for each column. */
        APPLIED_WRITES("appliedWrites"),
        /** Writes of versions that were not new. */
        STALE_WRITES("staleWrites"),
        /** Results that a write made stale. */
        INVALIDATED_RESULTS("invalidatedResults"),
        /** Changes that do not affect the cached form of the result. */
        TOLERATED_CHANGES("toleratedChanges"),
        /** Results that must be evaluated again. */
        UNKNOWN_RESULTS("unknownResults"),
        /** Queries refused for lack of budget. */
        REFUSED_QUERIES("refusedQueries"),
        /** Queries that queries of higher worth displaced. */
        EVICTED_QUERIES("evictedQueries"),
        /** Notifications that the log already had from before a failover. */
        REPEATED_NOTIFICATIONS("repeatedNotifications"),
        /** Notifications that were numbered. */
        NOTIFICATIONS("notifications");

        private final String metricName;

        Count(String metricName) {
            this.metricName = metricName;
        }
    }

    private final Map<Count, Counter> counters = new EnumMap<>(Count.class);

    InvalidationMetrics(MetricGroup operatorGroup) {
        MetricGroup group = operatorGroup.addGroup(GROUP);
        for (Count count : Count.values()) {
            counters.put(count, group.counter(count.metricName));
        }
    }

    void count(Count count) {
        counters.get(count).inc();
    }
}
