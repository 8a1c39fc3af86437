package io.kipimo.redis;

import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.replication.ReplicationDecision;
import java.io.Serializable;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes decisions to a {@link RedisDecisionStore}. An outage of Redis never stops the job: after a few attempts a
 * decision is dropped and counted, and the sink drops all decisions for a second without trying. The controller repeats
 * every decision each period.
 *
 * @param <D> type of decisions
 */
public record RedisDecisionSink<D>(RedisSettings settings, Put<D> put) implements Sink<D> {
    /** Stores a decision of one type. */
    interface Put<D> extends Serializable {
        /** Stores a decision; returns whether it was newer than the stored one. */
        boolean put(RedisDecisionStore store, D decision);
    }

    /** Returns a sink of admitted fractions and sampling rates. */
    public static RedisDecisionSink<Decision> decisions(RedisSettings settings) {
        return new RedisDecisionSink<>(settings, RedisDecisionStore::put);
    }

    /** Returns a sink of replication factors. */
    public static RedisDecisionSink<ReplicationDecision> replication(RedisSettings settings) {
        return new RedisDecisionSink<>(settings, RedisDecisionStore::put);
    }

    @Override
    public SinkWriter<D> createWriter(WriterInitContext context) {
        return new DecisionWriter<>(
                RedisDecisionStore.at(settings),
                put,
                new RedisSinkMetrics(context.metricGroup()),
                context.getProcessingTimeService());
    }

    static final class DecisionWriter<D> implements SinkWriter<D> {
        private static final Logger LOG = LoggerFactory.getLogger(RedisDecisionSink.class);

        /** Number of attempts. There is no pause between them: a new connection may help, a pause does not. */
        private static final int TRIES = 3;

        private static final long PAUSE_MILLIS = 1_000;

        private final RedisDecisionStore store;
        private final Put<D> put;
        private final RedisSinkMetrics metrics;
        private final ProcessingTimeService clock;
        private long pausedUntilMillis = Long.MIN_VALUE;
        private boolean away;

        DecisionWriter(RedisDecisionStore store, Put<D> put, RedisSinkMetrics metrics, ProcessingTimeService clock) {
            this.store = store;
            this.put = put;
            this.metrics = metrics;
            this.clock = clock;
        }

        @Override
        public void write(D decision, Context context) {
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

        private boolean isSettled(D decision, boolean last) {
            try {
                (put.put(store, decision) ? metrics.stored : metrics.notNewer).inc();
                if (away) {
                    away = false;
                    LOG.info("Redis is available again, decisions are written");
                }
                return true;
            } catch (IllegalArgumentException e) {
                metrics.invalid.inc();
                LOG.warn("{}", e.getMessage());
                return true;
            } catch (RedisUnavailableException e) {
                if (last && !away) {
                    away = true;
                    LOG.warn("decisions are dropped until Redis is available: {}", e.getMessage());
                }
                return false;
            }
        }

        /** Does nothing, since the sink has no buffer. */
        @Override
        public void flush(boolean endOfInput) {}

        @Override
        public void close() {
            store.close();
        }
    }
}
