package io.kipimo.redis;

import io.kipimo.schemas.caching.TtlEstimate;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes estimates to {@link RedisTtls} in batches, within a tenth of a second. An outage of Redis never stops the job:
 * the newest estimates of a bounded number of keys are queued and retried once a second. The queue is not part of
 * checkpoints. After a failure, a key is written again when its estimate changes or is older than half of its
 * retention.
 *
 * @param keepMillis milliseconds for which an estimate is kept if no newer one follows
 */
public record RedisTtlSink(RedisSettings settings, long keepMillis) implements Sink<TtlEstimate> {
    @Override
    public SinkWriter<TtlEstimate> createWriter(WriterInitContext context) {
        return new TtlWriter(
                RedisTtls.at(settings, keepMillis),
                new RedisSinkMetrics(context.metricGroup()),
                context.getProcessingTimeService());
    }

    static final class TtlWriter implements SinkWriter<TtlEstimate> {
        private static final Logger LOG = LoggerFactory.getLogger(RedisTtlSink.class);
        private static final int BATCH = 500;
        private static final long DELAY_MILLIS = 100;
        private static final long PAUSE_MILLIS = 1_000;
        private static final int MOST_WAITING = 100_000;

        private final RedisTtls ttls;
        private final RedisSinkMetrics metrics;
        private final ProcessingTimeService clock;

        /** Queued estimates by key, oldest first. */
        private final Map<String, TtlEstimate> waiting = new LinkedHashMap<>();

        private boolean isTimerSet;
        private boolean away;

        TtlWriter(RedisTtls ttls, RedisSinkMetrics metrics, ProcessingTimeService clock) {
            this.ttls = ttls;
            this.metrics = metrics;
            this.clock = clock;
        }

        @Override
        public void write(TtlEstimate estimate, Context context) {
            waiting.put(estimate.scope(), estimate);
            if (waiting.size() > MOST_WAITING) {
                Iterator<String> oldest = waiting.keySet().iterator();
                oldest.next();
                oldest.remove();
                metrics.dropped.inc();
            }
            if (!away && waiting.size() >= BATCH) {
                send();
            }
            setTimer();
        }

        private void setTimer() {
            if (!isTimerSet && !waiting.isEmpty()) {
                isTimerSet = true;
                var unused = clock.registerTimer(
                        clock.getCurrentProcessingTime() + (away ? PAUSE_MILLIS : DELAY_MILLIS), time -> {
                            isTimerSet = false;
                            send();
                            setTimer();
                        });
            }
        }

        private void send() {
            while (!waiting.isEmpty()) {
                List<TtlEstimate> batch = new ArrayList<>();
                Iterator<TtlEstimate> oldest = waiting.values().iterator();
                while (oldest.hasNext() && batch.size() < BATCH) {
                    batch.add(oldest.next());
                }
                try {
                    ttls.put(batch);
                } catch (RedisUnavailableException e) {
                    if (!away) {
                        away = true;
                        LOG.warn("estimates are queued until Redis is available: {}", e.getMessage());
                    }
                    return;
                }
                batch.forEach(estimate -> waiting.remove(estimate.scope()));
                metrics.stored.inc(batch.size());
                if (away) {
                    away = false;
                    LOG.info("Redis is available again, estimates are written");
                }
            }
        }

        @Override
        public void flush(boolean endOfInput) {
            if (!away || endOfInput) {
                send();
            }
        }

        @Override
        public void close() {
            ttls.close();
        }
    }
}
