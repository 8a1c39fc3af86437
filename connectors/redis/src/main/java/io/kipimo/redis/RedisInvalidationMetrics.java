package io.kipimo.redis;

import io.kipimo.core.stale.StaleKeys;
import java.util.EnumMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

/**
 * Metrics of the sink, in group {@code kipimo} of its operator. Counters: keys that no cache holds
 * ({@code notCachedKeys}), keys that became stale ({@code staleKeys}), and keys that were stale before
 * ({@code staleBeforeKeys}). Histogram {@value #STALENESS} over the last thousand keys that became stale: time from the
 * write until the filter had the key, by which a read may be staler than the staleness bound.
 */
final class RedisInvalidationMetrics {
    static final String STALENESS = "stalenessMillis";
    private static final int NEWEST = 1_000;

    private final Map<StaleKeys.Invalidation, Counter> counters = new EnumMap<>(StaleKeys.Invalidation.class);
    private final Histogram staleness;

    RedisInvalidationMetrics(MetricGroup operator) {
        MetricGroup group = operator.addGroup(RedisSinkMetrics.GROUP);
        counters.put(StaleKeys.Invalidation.NOT_CACHED, group.counter("notCachedKeys"));
        counters.put(StaleKeys.Invalidation.STALE, group.counter("staleKeys"));
        counters.put(StaleKeys.Invalidation.STALE_BEFORE, group.counter("staleBeforeKeys"));
        staleness = group.histogram(STALENESS, new DescriptiveStatisticsHistogram(NEWEST));
    }

    /** @param sinceMillis time of the write, epoch milliseconds */
    void count(StaleKeys.Invalidation result, long sinceMillis, long nowMillis) {
        counters.get(result).inc();
        if (result == StaleKeys.Invalidation.STALE) {
            staleness.update(nowMillis - sinceMillis);
        }
    }

    long count(StaleKeys.Invalidation result) {
        return counters.get(result).getCount();
    }

    long longestStalenessMillis() {
        return staleness.getStatistics().getMax();
    }
}
