package io.kipimo.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.harness.kafka.EmbeddedKafka;
import io.kipimo.harness.redis.EmbeddedRedis;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/** Kafka and Redis as tests use them. */
@WithBackends
class BackendsITCase {

    @Test
    void kafkaHasTheTopicsThatAreCreated(Backends backends) throws Exception {
        assertTopicSurvives(backends.bootstrapServers(), "backends-a", () -> {});
    }

    @Test
    void redisKeepsWhatIsWritten(Backends backends) {
        try (RedisClient redis = redis(backends.redisHost(), backends.redisPort())) {
            redis.set("backends", "there");

            assertThat(redis.get("backends")).isEqualTo("there");
        }
    }

    @Test
    void allTestsShareOnePair(Backends first, Backends second) {
        assertThat(first).isSameAs(second);
    }

    @Test
    void aRestartedBrokerHasItsTopicsAndItsAddress() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
            assertTopicSurvives(kafka.bootstrapServers(), "kept", kafka::restart);
        }
    }

    @Test
    void aNewRedisOnTheOldPortIsEmpty() {
        assertThat(EmbeddedRedis.isAvailable()).isTrue();
        EmbeddedRedis first = EmbeddedRedis.start();
        try (RedisClient redis = redis(first.host(), first.port())) {
            redis.set("k", "v");
        }
        first.close();
        assertThat(first.isRunning()).isFalse();

        try (EmbeddedRedis second = EmbeddedRedis.start(first.port());
                RedisClient redis = redis(second.host(), second.port())) {
            assertThat(redis.get("k")).isNull();
        }
    }

    private static void assertTopicSurvives(String bootstrapServers, String topic, Runnable fault) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", bootstrapServers);
        try (Admin admin = Admin.create(settings)) {
            admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get();
        }
        fault.run();
        try (Admin admin = Admin.create(settings)) {
            assertThat(admin.listTopics().names().get()).contains(topic);
        }
    }

    private static RedisClient redis(String host, int port) {
        return RedisClient.create(host, port);
    }
}
