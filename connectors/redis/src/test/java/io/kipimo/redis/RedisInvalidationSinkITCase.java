package io.kipimo.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.StaleKeys;
import io.kipimo.redis.RedisInvalidationSink.RedisInvalidationMetrics;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationBuilder;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.ResultChange;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

class RedisInvalidationSinkITCase {
    private static final long NOW = 1_000_000;
    private static final long DELAY_MILLIS = 10;

    private final TestProcessingTimeService clock = new TestProcessingTimeService();
    private final RedisInvalidationMetrics metrics = new RedisInvalidationMetrics(new UnregisteredMetricsGroup());
    private ForgetfulRedis redis;
    private RedisStaleKeys keys;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        redis = new ForgetfulRedis(directory);
        keys = RedisStaleKeys.at(redis.settings(), "shop/things", FilterShape.ONE_ROUND_TRIP, 60_000);
        clock.setCurrentTime(NOW);
    }

    @AfterEach
    void stop() throws IOException {
        keys.close();
        redis.close();
    }

    private RedisInvalidationSink.InvalidationWriter writer() {
        return new RedisInvalidationSink.InvalidationWriter(
                redis.settings(), FilterShape.ONE_ROUND_TRIP, DELAY_MILLIS, metrics, clock);
    }

    private static Invalidation invalidation(String key, long writtenMillis) {
        return InvalidationBuilder.builder()
                .service("shop")
                .table("things")
                .key(key)
                .kind(CachedKind.RECORD)
                .change(ResultChange.CHANGED)
                .record(key)
                .version(1)
                .writtenMillis(writtenMillis)
                .mode(InvalidationMode.HARD)
                .build();
    }

    @Test
    void keysAreStaleAfterTheDelayAndTheLongestWayIsMeasured() throws Exception {
        keys.reportRead("a", NOW + 30_000, NOW);
        try (var writer = writer()) {
            writer.write(invalidation("a", NOW - 40), null);
            writer.write(invalidation("a", NOW - 5), null);
            writer.write(invalidation("nobody has it", NOW - 500), null);
            assertThat(keys.isStale("a", NOW)).as("batched with later keys").isFalse();
            clock.setCurrentTime(NOW + DELAY_MILLIS);
        }
        assertThat(keys.isStale("a", NOW)).isTrue();
        assertThat(metrics.count(StaleKeys.InvalidationEffect.STALE)).isEqualTo(1);
        assertThat(metrics.count(StaleKeys.InvalidationEffect.NOT_CACHED)).isEqualTo(1);
        assertThat(metrics.longestStalenessMillis()).isEqualTo(40 + DELAY_MILLIS);
    }

    @Test
    void anOutageFailsTheCheckpointAndWhatComesAgainIsMarked() throws Exception {
        keys.reportRead("a", NOW + 30_000, NOW);
        keys.reportRead("b", NOW + 30_000, NOW);
        save();
        redis.stop();
        try (var writer = writer()) {
            writer.write(invalidation("a", NOW), null);
            writer.write(invalidation("b", NOW), null);
            assertThat(catchThrowableOfType(RedisUnavailableException.class, () -> writer.flush(false)))
                    .as("no checkpoint without the keys")
                    .isNotNull();
        }
        redis.start();
        // Like a restart from the last checkpoint.
        try (var writer = writer()) {
            writer.write(invalidation("a", NOW), null);
            writer.write(invalidation("b", NOW), null);
            writer.flush(false);
        }
        assertThat(keys.isStale("a", NOW)).isTrue();
        assertThat(keys.isStale("b", NOW)).isTrue();
        assertThat(keys.staleKeys(NOW)).isEqualTo(2);
    }

    @Test
    void aRestartBetweenTwoBatchesIsNotNoticed() throws Exception {
        keys.reportRead("a", NOW + 30_000, NOW);
        keys.reportRead("b", NOW + 30_000, NOW);
        try (var writer = writer()) {
            writer.write(invalidation("a", NOW), null);
            writer.flush(false);
            save();
            redis.stop();
            redis.start();
            writer.write(invalidation("b", NOW), null);
            writer.flush(false);
        }
        assertThat(keys.isStale("a", NOW)).isTrue();
        assertThat(keys.isStale("b", NOW)).isTrue();
    }

    private void save() {
        try (Jedis client = new Jedis(redis.settings().host(), redis.settings().port())) {
            assertThat(client.save()).isEqualTo("OK");
        }
    }
}
