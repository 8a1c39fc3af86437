package io.kipimo.redis;

import io.kipimo.core.stale.StaleKeys;
import java.util.EnumMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * What the sink counts, in group {@code kipimo} of its operator: keys that no cache holds ({@code
 * notCachedKeys}), that became stale ({@code staleKeys}), and that were stale before ({@code
 * staleBeforeKeys}).
 */
final class RedisInvalidationMetrics {
    private final Map<StaleKeys.Invalidation, Counter> counters =
            new EnumMap<>(StaleKeys.Invalidation.class);

    RedisInvalidationMetrics(MetricGroup operator) {
        MetricGroup group = operator.addGroup(RedisSinkMetrics.GROUP);
        counters.put(StaleKeys.Invalidation.NOT_CACHED, group.counter("notCachedKeys"));
        counters.put(StaleKeys.Invalidation.STALE, group.counter("staleKeys"));
        counters.put(StaleKeys.Invalidation.STALE_BEFORE, group.counter("staleBeforeKeys"));
    }

    void count(StaleKeys.Invalidation said) {
        counters.get(said).inc();
    }
}
