package io.kipimo.redis;

import io.kipimo.schemas.decision.Decision;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes decisions to a {@link RedisDecisionStore}. Redis being away never stops the job: after a
 * few tries a decision is dropped and counted, and for a second no further one is tried. The
 * controller sends every decision again each period.
 */
public final class RedisDecisionSink implements Sink<Decision> {
    private static final long serialVersionUID = 1L;

    private final RedisSettings settings;

    public RedisDecisionSink(RedisSettings settings) {
        this.settings = settings;
    }

    @Override
    public SinkWriter<Decision> createWriter(WriterInitContext context) {
        return new Writer(
                RedisDecisionStore.at(settings),
                new RedisSinkMetrics(context.metricGroup()),
                context.getProcessingTimeService());
    }

    static final class Writer implements SinkWriter<Decision> {
        private static final Logger LOG = LoggerFactory.getLogger(RedisDecisionSink.class);

        /** At once one after the other: what helps is a new connection, not waiting. */
        private static final int TRIES = 3;

        private static final long PAUSE_MILLIS = 1_000;

        private final RedisDecisionStore store;
        private final RedisSinkMetrics metrics;
        private final ProcessingTimeService clock;
        private long pausedUntilMillis = Long.MIN_VALUE;
        private boolean away;

        Writer(RedisDecisionStore store, RedisSinkMetrics metrics, ProcessingTimeService clock) {
            this.store = store;
            this.metrics = metrics;
            this.clock = clock;
        }

        @Override
        public void write(Decision decision, Context context) {
            if (clock.getCurrentProcessingTime() < pausedUntilMillis) {
                metrics.dropped.inc();
                return;
            }
            for (int left = away ? 1 : TRIES; left > 0; left--) {
                if (isSettled(decision, left == 1)) {
                    return;
                }
            }
            metrics.dropped.inc();
            pausedUntilMillis = clock.getCurrentProcessingTime() + PAUSE_MILLIS;
        }

        private boolean isSettled(Decision decision, boolean last) {
            try {
                (store.put(decision) ? metrics.stored : metrics.notNewer).inc();
                if (away) {
                    away = false;
                    LOG.info("Redis takes decisions again");
                }
                return true;
            } catch (IllegalArgumentException e) {
                metrics.invalid.inc();
                LOG.warn("{}", e.getMessage());
                return true;
            } catch (RedisUnavailableException e) {
                if (last && !away) {
                    away = true;
                    LOG.warn("decisions are dropped until it is back: {}", e.getMessage());
                }
                return false;
            }
        }

        /** Nothing is buffered. */
        @Override
        public void flush(boolean endOfInput) {}

        @Override
        public void close() {
            store.close();
        }
    }
}
