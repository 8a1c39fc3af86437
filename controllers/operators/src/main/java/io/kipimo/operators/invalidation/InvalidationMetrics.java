package io.kipimo.operators.invalidation;

import io.kipimo.operators.metrics.ConservedCounters;
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
    /** Metric group that contains all metrics of the job's operators. */
    static final String GROUP = "kipimo";

    /** Counters; they restart at 0 after a failover. */
    enum Count {
        /** Matched writes, counted once for each column. */
        APPLIED_WRITES,
        /** Writes that were ignored because the same or a newer version of the record was known. */
        STALE_WRITES,
        /** Results that a write made stale. */
        INVALIDATED_RESULTS,
        /** Changes that do not affect the cached form of the result. */
        TOLERATED_CHANGES,
        /** Results that must be evaluated again. */
        UNKNOWN_RESULTS,
        /** Queries refused for lack of budget. */
        REFUSED_QUERIES,
        /** Queries that queries of higher worth displaced. */
        EVICTED_QUERIES,
        /** Notifications that the log already had from before a failover. */
        REPEATED_NOTIFICATIONS,
        /** Notifications that were numbered. */
        NOTIFICATIONS
    }

    private final Map<Count, Counter> counters = new EnumMap<>(Count.class);

    InvalidationMetrics(MetricGroup operatorGroup) {
        MetricGroup group = operatorGroup.addGroup(GROUP);
        for (Count count : Count.values()) {
            counters.put(count, group.counter(ConservedCounters.metricName(count)));
        }
    }

    void count(Count count) {
        counters.get(count).inc();
    }
}
