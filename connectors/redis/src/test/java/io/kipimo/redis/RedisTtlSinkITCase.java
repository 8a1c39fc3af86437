package io.kipimo.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.TtlEstimate;
import io.kipimo.schemas.caching.TtlEstimateBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.RedisClient;

class RedisTtlSinkITCase {
    private static final long KEEP_MILLIS = 600_000;

    private final TestProcessingTimeService clock = new TestProcessingTimeService();
    private final RedisSinkMetrics metrics = new RedisSinkMetrics(new UnregisteredMetricsGroup());
    private ForgetfulRedis redis;
    private RedisTtls ttls;
    private RedisTtlSink.TtlWriter writer;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        redis = new ForgetfulRedis(directory);
        ttls = RedisTtls.at(redis.settings(), KEEP_MILLIS);
        writer = new RedisTtlSink.TtlWriter(RedisTtls.at(redis.settings(), KEEP_MILLIS), metrics, clock);
    }

    @AfterEach
    void stop() throws IOException {
        writer.close();
        ttls.close();
        redis.close();
    }

    private static TtlEstimate estimate(String key, long ttlMillis) {
        return estimate(key, ttlMillis, ResultRepresentation.ANY);
    }

    private static TtlEstimate estimate(String key, long ttlMillis, ResultRepresentation representation) {
        return TtlEstimateBuilder.builder()
                .service("shop")
                .table("things")
                .key(key)
                .kind(CachedKind.QUERY)
                .ttlMillis(ttlMillis)
                .lossPerChange(1)
                .estimatedMillis(1)
                .representation(representation)
                .build();
    }

    private List<OptionalLong> found(String... keys) {
        return ttls.ttlMillis("shop", "things", List.of(keys));
    }

    @Test
    void estimatesAreThereWithinATenthOfASecondAndTheNewestWins() throws Exception {
        writer.write(estimate("a", 5), null);
        writer.write(estimate("b/ä?{\"x\":1}", 7), null);
        writer.write(estimate("a", 6), null);
        assertThat(found("a")).as("batched with later TTLs").containsExactly(OptionalLong.empty());
        clock.setCurrentTime(100);
        assertThat(found("a", "no", "b/ä?{\"x\":1}"))
                .containsExactly(OptionalLong.of(6), OptionalLong.empty(), OptionalLong.of(7));
        assertThat(metrics.stored.getCount()).isEqualTo(2);
        try (RedisClient client = redis.client()) {
            assertThat(client.pttl(RedisTtls.key("shop", "things", "a"))).isBetween(KEEP_MILLIS / 2, KEEP_MILLIS);
        }
    }

    @Test
    void originsFindTheFormThatWasChosen() {
        writer.write(estimate("a", 5, ResultRepresentation.ID_LIST), null);
        writer.write(estimate("b", 6, ResultRepresentation.OBJECT_LIST), null);
        writer.write(estimate("c", 7), null);
        writer.flush(false);
        assertThat(ttls.advice("shop", "things", List.of("a", "b", "c", "no")))
                .containsExactly(
                        Optional.of(new RedisTtls.CachingAdvice(5, ResultRepresentation.ID_LIST)),
                        Optional.of(new RedisTtls.CachingAdvice(6, ResultRepresentation.OBJECT_LIST)),
                        Optional.of(new RedisTtls.CachingAdvice(7, ResultRepresentation.ANY)),
                        Optional.empty());
        assertThat(found("a")).containsExactly(OptionalLong.of(5));
    }

    @Test
    void aCheckpointAndManyEstimatesDoNotWait() {
        writer.write(estimate("a", 5), null);
        writer.flush(false);
        assertThat(found("a")).containsExactly(OptionalLong.of(5));
        for (int i = 0; i < 1_000; i++) {
            writer.write(estimate("q" + i, i), null);
        }
        assertThat(found("q0", "q999")).containsExactly(OptionalLong.of(0), OptionalLong.of(999));
    }

    @Test
    void whatCameDuringAnOutageIsThereAfterIt() throws Exception {
        redis.stop();
        writer.write(estimate("a", 5), null);
        clock.setCurrentTime(100);
        writer.write(estimate("a", 6), null);
        writer.write(estimate("b", 7), null);
        writer.flush(false);
        redis.start();
        clock.setCurrentTime(1_100);
        assertThat(found("a", "b")).containsExactly(OptionalLong.of(6), OptionalLong.of(7));
        assertThat(metrics.dropped.getCount()).isZero();
    }
}
