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
 * Writes estimates to {@link RedisTtls}, many in a round trip, within a tenth of a second. Redis
 * being away never stops the job: the newest estimate of each key waits, of so many keys that
 * memory stays bounded, and once a second it is tried again. What waits is no part of a checkpoint;
 * after a failure keys are told again when their estimate changes, or is half as old as it is kept.
 */
public final class RedisTtlSink implements Sink<TtlEstimate> {
    private static final long serialVersionUID = 1L;

    private final RedisSettings settings;
    private final long keepMillis;

    /**
     * @param keepMillis how long an estimate stays without a new one
     */
    public RedisTtlSink(RedisSettings settings, long keepMillis) {
        this.settings = settings;
        this.keepMillis = keepMillis;
    }

    @Override
    public SinkWriter<TtlEstimate> createWriter(WriterInitContext context) {
        return new Writer(
                RedisTtls.at(settings, keepMillis),
                new RedisSinkMetrics(context.metricGroup()),
                context.getProcessingTimeService());
    }

    static final class Writer implements SinkWriter<TtlEstimate> {
        private static final Logger LOG = LoggerFactory.getLogger(RedisTtlSink.class);
        private static final int BATCH = 500;
        private static final long DELAY_MILLIS = 100;
        private static final long PAUSE_MILLIS = 1_000;
        private static final int MOST_WAITING = 100_000;

        private final RedisTtls ttls;
        private final RedisSinkMetrics metrics;
        private final ProcessingTimeService clock;

        /** By key, the one that has waited longest first. */
        private final Map<String, TtlEstimate> waiting = new LinkedHashMap<>();

        private boolean isTimerSet;
        private boolean away;

        Writer(RedisTtls ttls, RedisSinkMetrics metrics, ProcessingTimeService clock) {
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
                var unused =
                        clock.registerTimer(
                                clock.getCurrentProcessingTime()
                                        + (away ? PAUSE_MILLIS : DELAY_MILLIS),
                                time -> {
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
                        LOG.warn("estimates wait until it is back: {}", e.getMessage());
                    }
                    return;
                }
                batch.forEach(estimate -> waiting.remove(estimate.scope()));
                metrics.stored.inc(batch.size());
                if (away) {
                    away = false;
                    LOG.info("Redis takes estimates again");
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
