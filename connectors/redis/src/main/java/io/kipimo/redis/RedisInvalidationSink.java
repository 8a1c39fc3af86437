package io.kipimo.redis;

import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.StaleKeys;
import io.kipimo.schemas.caching.CachedScope;
import io.kipimo.schemas.caching.Invalidation;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks stale keys in {@link RedisStaleKeys}, with one filter for each table, named service/table. Keys are marked in
 * batches: when a batch is full or old enough, and before each checkpoint. A key that occurs several times in a batch
 * is marked once.
 *
 * <p>A dropped invalidation would break the staleness bound, since invalidations are not repeated, unlike decisions.
 * Therefore the writer retries a few times if Redis does not answer, and then fails. The job restarts from the last
 * checkpoint and receives the keys again.
 */
public final class RedisInvalidationSink implements Sink<Invalidation> {
    private final RedisSettings settings;
    private final FilterShape shape;
    private final Duration delay;

    /**
     * @param shape shape of the filters, the same for all their users
     * @param delay longest time that an invalidation waits for a batch, at least 1 ms
     */
    public RedisInvalidationSink(RedisSettings settings, FilterShape shape, Duration delay) {
        this.settings = settings;
        this.shape = shape;
        this.delay = delay;
    }

    @Override
    public SinkWriter<Invalidation> createWriter(WriterInitContext context) {
        return new InvalidationWriter(
                settings,
                shape,
                delay.toMillis(),
                new RedisInvalidationMetrics(context.metricGroup()),
                context.getProcessingTimeService());
    }

    static final class InvalidationWriter implements SinkWriter<Invalidation> {
        private static final Logger LOG = LoggerFactory.getLogger(RedisInvalidationSink.class);

        /**
         * Greatest number of keys in one script. A script blocks all other commands; with this many keys it takes some
         * milliseconds.
         */
        private static final int MOST_AT_ONCE = 500;

        private static final int TRIES = 5;
        private static final long PAUSE_MILLIS = 200;

        private final RedisSettings settings;
        private final FilterShape shape;
        private final long delayMillis;
        private final RedisInvalidationMetrics metrics;
        private final ProcessingTimeService clock;
        private final Map<String, RedisStaleKeys> tables = new HashMap<>();
        // By table and key: time of the oldest write.
        private final Map<String, Map<String, Long>> waiting = new HashMap<>();
        private int size;
        private ScheduledFuture<?> timer;

        InvalidationWriter(
                RedisSettings settings,
                FilterShape shape,
                long delayMillis,
                RedisInvalidationMetrics metrics,
                ProcessingTimeService clock) {
            this.settings = settings;
            this.shape = shape;
            this.delayMillis = delayMillis;
            this.metrics = metrics;
            this.clock = clock;
        }

        @Override
        public void write(Invalidation invalidation, Context context) throws InterruptedException {
            String table = CachedScope.of(invalidation.service(), invalidation.table());
            Long before = waiting.computeIfAbsent(table, t -> new LinkedHashMap<>())
                    .putIfAbsent(invalidation.key(), invalidation.writtenMillis());
            if (before == null) {
                size++;
            }
            if (size >= MOST_AT_ONCE) {
                send();
            } else if (timer == null) {
                timer = clock.registerTimer(clock.getCurrentProcessingTime() + delayMillis, time -> send());
            }
        }

        @Override
        public void flush(boolean endOfInput) throws InterruptedException {
            send();
        }

        private void send() throws InterruptedException {
            if (timer != null) {
                timer.cancel(false);
                timer = null;
            }
            for (Map.Entry<String, Map<String, Long>> table : waiting.entrySet()) {
                mark(table.getKey(), table.getValue());
            }
            waiting.clear();
            size = 0;
        }

        private void mark(String table, Map<String, Long> sinceByKey) throws InterruptedException {
            List<String> keys = List.copyOf(sinceByKey.keySet());
            RedisStaleKeys stale = tables.computeIfAbsent(table, t -> RedisStaleKeys.withoutReads(settings, t, shape));
            for (int left = TRIES; ; left--) {
                try {
                    List<StaleKeys.InvalidationEffect> results =
                            stale.invalidate(keys, clock.getCurrentProcessingTime());
                    long now = clock.getCurrentProcessingTime();
                    for (int i = 0; i < results.size(); i++) {
                        metrics.count(results.get(i), sinceByKey.get(keys.get(i)), now);
                    }
                    return;
                } catch (RedisUnavailableException e) {
                    if (left == 1) {
                        throw e;
                    }
                    LOG.warn("Redis is unavailable, stale keys are retried: {}", e.getMessage());
                    Thread.sleep(PAUSE_MILLIS);
                }
            }
        }

        @Override
        public void close() {
            if (timer != null) {
                timer.cancel(false);
            }
            tables.values().forEach(RedisStaleKeys::close);
        }
    }

    /**
     * Metrics of the sink, in group {@code kipimo} of its operator. Counters: keys that no cache holds
     * ({@code notCachedKeys}), keys that became stale ({@code staleKeys}), and keys that were stale before
     * ({@code staleBeforeKeys}). Histogram {@value #STALENESS} over the last thousand keys that became stale: time from
     * the write until the filter had the key. A read may be staler than the staleness bound by this time.
     */
    static final class RedisInvalidationMetrics {
        static final String STALENESS = "stalenessMillis";
        private static final int NEWEST = 1_000;

        private final Map<StaleKeys.InvalidationEffect, Counter> counters =
                new EnumMap<>(StaleKeys.InvalidationEffect.class);
        private final Histogram staleness;

        RedisInvalidationMetrics(MetricGroup operator) {
            MetricGroup group = operator.addGroup(RedisSinkMetrics.GROUP);
            counters.put(StaleKeys.InvalidationEffect.NOT_CACHED, group.counter("notCachedKeys"));
            counters.put(StaleKeys.InvalidationEffect.STALE, group.counter("staleKeys"));
            counters.put(StaleKeys.InvalidationEffect.STALE_BEFORE, group.counter("staleBeforeKeys"));
            staleness = group.histogram(STALENESS, new DescriptiveStatisticsHistogram(NEWEST));
        }

        /** @param sinceMillis time of the write, epoch milliseconds */
        void count(StaleKeys.InvalidationEffect result, long sinceMillis, long nowMillis) {
            counters.get(result).inc();
            if (result == StaleKeys.InvalidationEffect.STALE) {
                staleness.update(nowMillis - sinceMillis);
            }
        }

        long count(StaleKeys.InvalidationEffect result) {
            return counters.get(result).getCount();
        }

        long longestStalenessMillis() {
            return staleness.getStatistics().getMax();
        }
    }
}
