package io.kipimo.operators.invalidation;

import java.util.EnumMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Every metric of the invalidation job's operators, in group {@code kipimo} of the operator: the
 * counters of {@link Count}, and of each cell's subtask the gauges {@code queries}, {@code records}
 * and {@code tests} (queries that were tested against writes).
 */
final class InvalidationMetrics {
    /** Root of all names. */
    static final String GROUP = "kipimo";

    /** Counters; they begin anew after a failover. */
    enum Count {
        /** Writes that were matched, once a column. */
        APPLIED_WRITES("appliedWrites"),
        /** Writes of versions that were not new. */
        STALE_WRITES("staleWrites"),
        /** Results that a write made stale. */
        INVALIDATED_RESULTS("invalidatedResults"),
        /** Changes that the form in which the result is cached bears. */
        TOLERATED_CHANGES("toleratedChanges"),
        /** Results that were to be evaluated again. */
        UNKNOWN_RESULTS("unknownResults"),
        /** Queries that did not fit into the budget. */
        REFUSED_QUERIES("refusedQueries"),
        /** Queries that more worthy ones drove out. */
        EVICTED_QUERIES("evictedQueries"),
        /** Notifications that are in the log from before a failover. */
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
