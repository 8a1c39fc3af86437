package io.kipimo.redis;

import io.kipimo.core.stale.StaleKeys;
import java.util.EnumMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

/**
 * What the sink counts, in group {@code kipimo} of its operator: keys that no cache holds ({@code
 * notCachedKeys}), that became stale ({@code staleKeys}), and that were stale before ({@code
 * staleBeforeKeys}). And a histogram of the last thousand that became stale, {@value #STALENESS}:
 * from the write until the filter had the key; by so much more than Delta a read may be stale.
 */
final class RedisInvalidationMetrics {
    static final String STALENESS = "stalenessMillis";
    private static final int NEWEST = 1_000;

    private final Map<StaleKeys.Invalidation, Counter> counters =
            new EnumMap<>(StaleKeys.Invalidation.class);
    private final Histogram staleness;

    RedisInvalidationMetrics(MetricGroup operator) {
        MetricGroup group = operator.addGroup(RedisSinkMetrics.GROUP);
        counters.put(StaleKeys.Invalidation.NOT_CACHED, group.counter("notCachedKeys"));
        counters.put(StaleKeys.Invalidation.STALE, group.counter("staleKeys"));
        counters.put(StaleKeys.Invalidation.STALE_BEFORE, group.counter("staleBeforeKeys"));
        staleness = group.histogram(STALENESS, new DescriptiveStatisticsHistogram(NEWEST));
    }

    /**
     * @param sinceMillis the write
     */
    void count(StaleKeys.Invalidation said, long sinceMillis, long nowMillis) {
        counters.get(said).inc();
        if (said == StaleKeys.Invalidation.STALE) {
            staleness.update(nowMillis - sinceMillis);
        }
    }

    long count(StaleKeys.Invalidation said) {
        return counters.get(said).getCount();
    }

    long longestStalenessMillis() {
        return staleness.getStatistics().getMax();
    }
}
