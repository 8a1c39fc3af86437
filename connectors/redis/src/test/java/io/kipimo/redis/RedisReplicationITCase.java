package io.kipimo.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.schemas.replication.ReplicationDecision;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.RedisClient;

/** Replication factors in a real Redis. */
class RedisReplicationITCase {
    private static final String KEY = "kipimo:decision:replication:pages";

    private ForgetfulRedis redis;
    private RedisDecisionStore store;
    private RedisClient client;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        redis = new ForgetfulRedis(directory);
        store = RedisDecisionStore.at(redis.settings());
        client = redis.client();
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        store.close();
        redis.close();
    }

    private static ReplicationDecision of(long epoch, long sequence, String tier, int factor) {
        return ReplicationDecisions.of(epoch, sequence, ReplicationDecisions.tried(tier, factor));
    }

    @Test
    void onlyNewerFactorsReplaceOlderOnes() {
        assertThat(store.replication("pages")).isEmpty();
        assertThat(store.put(of(2, 5, "web", 2))).isTrue();
        assertThat(store.put(of(2, 5, "web", 3))).isFalse();
        assertThat(store.put(of(1, 9, "web", 3))).isFalse();
        assertThat(store.replication("pages")).contains(of(2, 5, "web", 2));
        assertThat(store.put(of(3, 1, "web", 4))).isTrue();
        assertThat(store.replication("pages")).contains(of(3, 1, "web", 4));
        assertThat(client.hget(KEY, "factor:web")).isEqualTo("4");
        assertThat(client.hget(KEY, "fallback:web")).isEqualTo("3");
        long whole = SampleDecisions.LEASE_MILLIS + RedisDecisionStore.GRACE.toMillis();
        assertThat(client.pttl(KEY)).isBetween(whole - 30_000, whole);
    }

    @Test
    void aTierThatIsGoneLeavesNoFactorBehind() {
        store.put(of(1, 1, "web", 2));
        store.put(of(1, 2, "store", 2));
        assertThat(client.hexists(KEY, "factor:web")).isFalse();
        assertThat(store.replication("pages")).contains(of(1, 2, "store", 2));
    }

    @Test
    void otherDecisionsAreNotInTheWay() {
        store.put(SampleDecisions.of(9, 9, 0.5));
        assertThat(store.put(of(1, 1, "web", 2))).isTrue();
        client.hdel(KEY, "factor:web");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.replication("pages"))
                .withMessageContaining("factor:web is absent");
    }

    @Test
    void theSinkStoresWhatIsNewAndCountsTheRest() {
        RedisSinkMetrics metrics = new RedisSinkMetrics(new UnregisteredMetricsGroup());
        RedisDecisionSink.DecisionWriter<ReplicationDecision> writer = new RedisDecisionSink.DecisionWriter<>(
                RedisDecisionStore.at(redis.settings()),
                RedisDecisionStore::put,
                metrics,
                new TestProcessingTimeService());
        writer.write(of(1, 1, "web", 2), null);
        writer.write(of(1, 1, "web", 2), null);
        writer.write(of(1, 2, "web", 20_000), null);
        writer.close();
        assertThat(metrics.stored.getCount()).isEqualTo(1);
        assertThat(metrics.notNewer.getCount()).isEqualTo(1);
        assertThat(metrics.invalid.getCount()).isEqualTo(1);
        assertThat(store.replication("pages")).contains(of(1, 1, "web", 2));
    }
}
