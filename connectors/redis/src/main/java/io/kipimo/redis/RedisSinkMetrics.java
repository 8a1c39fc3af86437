package io.kipimo.redis;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Counters of a sink, in group {@code kipimo} of its operator:
 *
 * <ul>
 *   <li>{@value #STORED}: decisions or estimates that Redis has stored;
 *   <li>{@value #NOT_NEWER}: decisions that were not newer than the stored one;
 *   <li>{@value #DROPPED}: decisions or estimates that were dropped because Redis did not answer;
 *   <li>{@value #INVALID}: decisions that no actuator may apply.
 * </ul>
 */
final class RedisSinkMetrics {
    public static final String GROUP = "kipimo";
    public static final String STORED = "stored";
    public static final String NOT_NEWER = "notNewer";
    public static final String DROPPED = "dropped";
    public static final String INVALID = "invalid";

    final Counter stored;
    final Counter notNewer;
    final Counter dropped;
    final Counter invalid;

    RedisSinkMetrics(MetricGroup operator) {
        MetricGroup group = operator.addGroup(GROUP);
        stored = group.counter(STORED);
        notNewer = group.counter(NOT_NEWER);
        dropped = group.counter(DROPPED);
        invalid = group.counter(INVALID);
    }
}
