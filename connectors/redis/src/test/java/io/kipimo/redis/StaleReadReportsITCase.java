package io.kipimo.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.core.stale.ExpiringFilter;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.MigratingStaleKeys;
import io.kipimo.core.stale.MigratingStaleKeys.MigrationStep;
import io.kipimo.core.stale.StaleKeys;
import io.kipimo.core.stale.StaleKeys.InvalidationEffect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaleReadReportsITCase {
    private static final FilterShape SHAPE = FilterShape.ONE_ROUND_TRIP;
    private static final long NOW_MILLIS = 1_700_000_000_000L;
    private static final long LONGEST_TTL_MILLIS = 60_000;

    @Test
    void whatIsReportedIsKnownWhenTheReportIsDone(@TempDir Path directory) throws Exception {
        try (ForgetfulRedis redis = new ForgetfulRedis(directory);
                RedisStaleKeys keys = keys(redis);
                StaleReadReports reports = StaleReadReports.to(keys, () -> NOW_MILLIS)) {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                all.add(reports.report("key-" + i, NOW_MILLIS + 1_000));
            }
            CompletableFuture<Void> tooLong = reports.report("long", NOW_MILLIS + 60_001);
            for (int i = 0; i < 500; i++) {
                all.get(i).join();
                assertThat(keys.invalidate("key-" + i, NOW_MILLIS)).isEqualTo(InvalidationEffect.STALE);
            }
            assertThatThrownBy(tooLong::join).hasMessageContaining("allowed: at most 60000");
        }
    }

    @Test
    void aFilterMovesFromMemoryToRedisWithoutAMissingKey(@TempDir Path directory) throws Exception {
        try (ForgetfulRedis redis = new ForgetfulRedis(directory);
                RedisStaleKeys next = keys(redis)) {
            ExpiringFilter old = new ExpiringFilter(SHAPE, LONGEST_TTL_MILLIS);
            old.reportRead("stale before", NOW_MILLIS + 10_000, NOW_MILLIS);
            old.reportRead("read before", NOW_MILLIS + 10_000, NOW_MILLIS);
            old.invalidate("stale before", NOW_MILLIS);

            StaleKeys both = new MigratingStaleKeys(old, next, MigrationStep.CHANGES_TO_BOTH);
            both.reportRead("read meanwhile", NOW_MILLIS + 10_000, NOW_MILLIS + 1);
            MigratingStaleKeys moving = new MigratingStaleKeys(old, next, MigrationStep.READS_TO_NEW);
            moving.reportRead("read after", NOW_MILLIS + 20_000, NOW_MILLIS + 2);
            for (String key : List.of("read before", "read meanwhile", "read after")) {
                assertThat(moving.invalidate(key, NOW_MILLIS + 3)).isEqualTo(InvalidationEffect.STALE);
            }
            for (String key : List.of("stale before", "read before", "read meanwhile", "read after")) {
                assertThat(moving.flat(NOW_MILLIS + 4).mightContain(key))
                        .as(key)
                        .isTrue();
            }
            assertThat(moving.isOver(NOW_MILLIS + 4)).isFalse();
            assertThat(moving.isOver(NOW_MILLIS + 11_000)).isTrue();
            assertThat(next.flat(NOW_MILLIS + 11_000).mightContain("read after"))
                    .isTrue();
        }
    }

    private static RedisStaleKeys keys(ForgetfulRedis redis) {
        return RedisStaleKeys.at(redis.settings(), "reports", SHAPE, LONGEST_TTL_MILLIS);
    }
}
