package io.kipimo.kafka;

import io.kipimo.operators.metrics.SourceMetrics;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Metrics about writers whose records have event times after their append times, in group {@code kipimo.writer.<name>}
 * of the source's operator:
 *
 * <ul>
 *   <li>{@value #RECORDS_AHEAD}: records that are ahead by more than {@link ProvenTime#TOLERANCE_MILLIS};
 *   <li>{@value #AHEAD_MILLIS}: lead of the latest of them, milliseconds.
 * </ul>
 */
final class WritersAhead {
    static final String WRITER = "writer";
    static final String RECORDS_AHEAD = "recordsAhead";
    static final String AHEAD_MILLIS = "aheadMillis";

    /**
     * Greatest number of writers with a group of their own, since names come from the data; further writers share one
     * group.
     */
    static final int MOST_WRITERS = 100;

    private static final String OTHERS = "others";

    private final MetricGroup group;
    private final Map<String, TrackedWriter> writers = new HashMap<>();

    private static final class TrackedWriter {
        private final Counter records;
        private volatile long aheadMillis;

        TrackedWriter(MetricGroup group) {
            records = group.counter(RECORDS_AHEAD);
            group.gauge(AHEAD_MILLIS, () -> aheadMillis);
        }
    }

    WritersAhead(MetricGroup operator) {
        group = operator.addGroup(SourceMetrics.GROUP);
    }

    void count(String name, long aheadMillis) {
        TrackedWriter writer = writers.get(name);
        if (writer == null) {
            writer = writers.computeIfAbsent(
                    writers.size() < MOST_WRITERS ? name : OTHERS, n -> new TrackedWriter(group.addGroup(WRITER, n)));
        }
        writer.records.inc();
        writer.aheadMillis = aheadMillis;
    }
}
