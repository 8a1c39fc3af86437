package io.kipimo.harness.caching;

import io.kipimo.harness.kafka.EmbeddedKafka;
import io.kipimo.harness.redis.EmbeddedRedis;
import io.kipimo.redis.RedisSettings;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.CachingReports;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.sdk.kafka.TopicAdmin;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/** Broker and Redis on this machine, for all runs, and a connection to the broker. */
final class Platform implements AutoCloseable {
    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final KafkaSettings kafka;
    private final RedisSettings redis;
    private final CachingReports reports;

    private Platform() {
        EmbeddedKafka broker = keep(EmbeddedKafka.start());
        kafka = new KafkaSettings(broker.bootstrapServers(), Topic.DEFAULT_PREFIX, Map.of());
        EmbeddedRedis store = keep(EmbeddedRedis.start());
        redis = RedisSettings.of(store.host(), store.port());
        TopicAdmin.createMissing(kafka, 0, (short) 1);
        reports = keep(CachingReports.connect(kafka));
    }

    /** Everything serves when this returns. */
    static Platform start() {
        return new Platform();
    }

    KafkaSettings kafka() {
        return kafka;
    }

    RedisSettings redis() {
        return redis;
    }

    CachingReports reports() {
        return reports;
    }

    private <T extends AutoCloseable> T keep(T resource) {
        started.push(resource);
        return resource;
    }

    @Override
    public void close() throws Exception {
        while (!started.isEmpty()) {
            started.pop().close();
        }
    }
}
