package io.kipimo.redis;

import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.StaleKeys;
import io.kipimo.schemas.caching.CachedScope;
import io.kipimo.schemas.caching.Invalidation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks what became stale in {@link RedisStaleKeys}, a filter a table, named service/table; several
 * keys in one step, as soon as there are some, and before each checkpoint. A key that comes twice
 * is marked once.
 *
 * <p>Unlike a decision, which is sent again each period, an invalidation that is dropped leaves a
 * client with stale content for longer than it was promised. So when Redis does not answer the
 * writer waits, and then fails: the job goes back to the last checkpoint, and the keys come again.
 */
public final class RedisInvalidationSink implements Sink<Invalidation> {
    private static final long serialVersionUID = 1L;

    private final RedisSettings settings;
    private final int bits;
    private final int hashes;
    private final Duration longestTtl;
    private final Duration delay;

    /**
     * @param shape the same for all who use the filters
     * @param longestTtl that is handed out
     * @param delay the longest that an invalidation waits for others, at least 1 ms
     */
    public RedisInvalidationSink(
            RedisSettings settings, FilterShape shape, Duration longestTtl, Duration delay) {
        this.settings = settings;
        this.bits = shape.bits();
        this.hashes = shape.hashes();
        this.longestTtl = longestTtl;
        this.delay = delay;
    }

    @Override
    public SinkWriter<Invalidation> createWriter(WriterInitContext context) {
        return new Writer(
                settings,
                new FilterShape(bits, hashes),
                longestTtl.toMillis(),
                delay.toMillis(),
                new RedisInvalidationMetrics(context.metricGroup()),
                context.getProcessingTimeService());
    }

    static final class Writer implements SinkWriter<Invalidation> {
        private static final Logger LOG = LoggerFactory.getLogger(RedisInvalidationSink.class);

        /** A script holds up all others; so many keys take some milliseconds. */
        private static final int MOST_AT_ONCE = 500;

        private static final int TRIES = 5;
        private static final long PAUSE_MILLIS = 200;

        private final RedisSettings settings;
        private final FilterShape shape;
        private final long longestTtlMillis;
        private final long delayMillis;
        private final RedisInvalidationMetrics metrics;
        private final ProcessingTimeService clock;
        private final Map<String, RedisStaleKeys> tables = new HashMap<>();
        private final Map<String, Set<String>> waiting = new HashMap<>();
        private int size;
        private ScheduledFuture<?> timer;

        Writer(
                RedisSettings settings,
                FilterShape shape,
                long longestTtlMillis,
                long delayMillis,
                RedisInvalidationMetrics metrics,
                ProcessingTimeService clock) {
            this.settings = settings;
            this.shape = shape;
            this.longestTtlMillis = longestTtlMillis;
            this.delayMillis = delayMillis;
            this.metrics = metrics;
            this.clock = clock;
        }

        @Override
        public void write(Invalidation invalidation, Context context) throws InterruptedException {
            String table = CachedScope.of(invalidation.service(), invalidation.table());
            if (waiting.computeIfAbsent(table, t -> new LinkedHashSet<>())
                    .add(invalidation.key())) {
                size++;
            }
            if (size >= MOST_AT_ONCE) {
                send();
            } else if (timer == null) {
                timer =
                        clock.registerTimer(
                                clock.getCurrentProcessingTime() + delayMillis, time -> send());
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
            for (Map.Entry<String, Set<String>> table : waiting.entrySet()) {
                mark(table.getKey(), new ArrayList<>(table.getValue()));
            }
            waiting.clear();
            size = 0;
        }

        private void mark(String table, List<String> keys) throws InterruptedException {
            RedisStaleKeys stale =
                    tables.computeIfAbsent(
                            table, t -> RedisStaleKeys.at(settings, t, shape, longestTtlMillis));
            for (int left = TRIES; ; left--) {
                try {
                    for (StaleKeys.Invalidation said :
                            stale.invalidate(keys, clock.getCurrentProcessingTime())) {
                        metrics.count(said);
                    }
                    return;
                } catch (RedisUnavailableException e) {
                    if (left == 1) {
                        throw e;
                    }
                    LOG.warn("stale keys wait for Redis: {}", e.getMessage());
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
}
