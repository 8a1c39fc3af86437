package io.kipimo.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.redis.EmbeddedRedis;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/** What tests share, and Redis as they use it. */
@WithBackends
class BackendsITCase {
    @Test
    void aClassHasOneOfEach(Backends first, Backends second, FlinkCluster one, FlinkCluster other) {
        assertThat(first).isSameAs(second);
        assertThat(one).isSameAs(other);
    }

    @Test
    void aNewRedisOnTheOldPortIsEmpty() {
        assertThat(EmbeddedRedis.isAvailable()).isTrue();
        EmbeddedRedis first = EmbeddedRedis.start();
        try (RedisClient redis = RedisClient.create(first.host(), first.port())) {
            redis.set("k", "v");
        }
        first.close();
        assertThat(first.isRunning()).isFalse();

        try (EmbeddedRedis second = EmbeddedRedis.start(first.port());
                RedisClient redis = RedisClient.create(second.host(), second.port())) {
            assertThat(redis.get("k")).isNull();
        }
    }
}
