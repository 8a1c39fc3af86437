package io.kipimo.operators.metrics;

import io.kipimo.schemas.deadletter.RejectionReason;
import java.util.EnumMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Counters of a source, in group {@code kipimo} of its operator:
 *
 * <ul>
 *   <li>{@value #RECORDS}: accepted records;
 *   <li>{@value #REJECTED}, in group {@code reason} / {@link RejectionReason}: records that became dead letters.
 * </ul>
 */
public final class SourceMetrics {
    public static final String GROUP = "kipimo";
    public static final String RECORDS = "records";
    public static final String REJECTED = "rejected";
    public static final String REASON = "reason";

    private final Counter records;
    private final Map<RejectionReason, Counter> rejected = new EnumMap<>(RejectionReason.class);

    public SourceMetrics(MetricGroup operator) {
        MetricGroup group = operator.addGroup(GROUP);
        records = group.counter(RECORDS);
        for (RejectionReason reason : RejectionReason.values()) {
            rejected.put(reason, group.addGroup(REASON, reason.name()).counter(REJECTED));
        }
    }

    public void letIn() {
        records.inc();
    }

    public void reject(RejectionReason reason) {
        rejected.get(reason).inc();
    }
}
