package io.kipimo.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.core.stale.ExpiringFilter;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.StaleKeys;
import io.kipimo.core.stale.StaleKeysContract;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.RedisClient;

/** Stale keys in Redis behave exactly as those in memory. */
class RedisStaleKeysITCase extends StaleKeysContract {
    private static final FilterShape SHAPE = new FilterShape(1 << 12, 4);

    private static ForgetfulRedis redis;
    private final List<RedisStaleKeys> opened = new ArrayList<>();
    private int tables;

    @BeforeAll
    static void startRedis(@TempDir Path directory) throws Exception {
        redis = new ForgetfulRedis(directory);
    }

    @AfterAll
    static void stopRedis() throws Exception {
        redis.close();
    }

    @AfterEach
    void letGo() {
        opened.forEach(keys -> {
            keys.clear();
            keys.close();
        });
    }

    @Override
    protected StaleKeys create(FilterShape shape) {
        return open("table-" + tables++, shape);
    }

    private RedisStaleKeys open(String table, FilterShape shape) {
        RedisStaleKeys keys = RedisStaleKeys.at(redis.settings(), table, shape, LONGEST_TTL_MILLIS);
        opened.add(keys);
        return keys;
    }

    /** The content of a Redis without persistence is gone after a restart; an older dump lacks what came since. */
    @Test
    void keysAreWholeAgainOnceAllCopiesOfWhatWasLostHaveEnded() {
        RedisStaleKeys keys = open("lost", SHAPE);
        assertThat(keys.wholeFromMillis(START_MILLIS)).isEqualTo(START_MILLIS + LONGEST_TTL_MILLIS);
        assertThat(keys.wholeFromMillis(START_MILLIS + 5_000)).isEqualTo(START_MILLIS + LONGEST_TTL_MILLIS);
        keys.begin(START_MILLIS + 6_000);
        assertThat(keys.wholeFromMillis(START_MILLIS + 7_000)).isEqualTo(LONGEST_TTL_MILLIS);
        keys.clear();
        assertThat(keys.wholeFromMillis(START_MILLIS + 8_000)).isEqualTo(START_MILLIS + 8_000 + LONGEST_TTL_MILLIS);
        try (RedisClient client = redis.client()) {
            client.hset("kipimo:stale:{lost}:since", Map.of("since", "0", "beat", String.valueOf(START_MILLIS)));
        }
        assertThat(keys.wholeFromMillis(START_MILLIS + 9_000))
                .as("older than this publisher has seen")
                .isEqualTo(START_MILLIS + 9_000 + LONGEST_TTL_MILLIS);
        assertThat(open("lost", SHAPE).wholeFromMillis(START_MILLIS + 9_500))
                .as("another publisher")
                .isEqualTo(START_MILLIS + 9_000 + LONGEST_TTL_MILLIS);
    }

    @Test
    void hasTheBitsOfTheHomeInMemory() {
        RedisStaleKeys there = open("bits", SHAPE);
        ExpiringFilter here = new ExpiringFilter(SHAPE, LONGEST_TTL_MILLIS);
        SplittableRandom random = new SplittableRandom(11);
        long now = START_MILLIS;
        for (int i = 0; i < 1_000; i++) {
            String key = "key-" + random.nextInt(300);
            long expiry = now + 1000L * (1 + random.nextInt(100));
            there.reportRead(key, expiry, now);
            here.reportRead(key, expiry, now);
            if (i % 3 == 0) {
                String changed = "key-" + random.nextInt(300);
                assertThat(there.invalidate(changed, now)).isEqualTo(here.invalidate(changed, now));
            }
            // Only at multiples of the grain do both expire a key at the same time.
            now += 1000;
            if (i % 20 == 0) {
                assertThat(there.flat(now)).isEqualTo(here.flat(now));
                assertThat(there.staleKeys(now)).isEqualTo(here.staleKeys(now));
                assertThat(there.trackedKeys(now)).isEqualTo(here.trackedKeys(now));
            }
        }
    }

    @Test
    void aBatchOutlivesARestartOfRedis() throws Exception {
        RedisStaleKeys keys = open("restarted", SHAPE);
        RedisStaleKeys.Batch batch = keys.batch();
        for (int start = 0; start < 2; start++) {
            batch.reportRead("key", START_MILLIS + 60_000, START_MILLIS);
            batch.invalidate("key", START_MILLIS + 1);
            await().ignoreExceptionsInstanceOf(RedisUnavailableException.class)
                    .untilAsserted(() -> assertThat(batch.send()).containsExactly(StaleKeys.InvalidationEffect.STALE));
            assertThat(keys.isStale("key", START_MILLIS + 2)).isTrue();
            redis.stop();
            redis.start();
        }
    }

    @Test
    void manyWritersLoseNothing() throws Exception {
        int writers = 4;
        int keysEach = 500;
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        List<Future<?>> all = new ArrayList<>();
        for (int writer = 0; writer < writers; writer++) {
            int offset = writer * keysEach / 2;
            all.add(threads.submit(() -> {
                try (RedisStaleKeys keys = RedisStaleKeys.at(redis.settings(), "shared", SHAPE, LONGEST_TTL_MILLIS);
                        RedisStaleKeys.Batch batch = keys.batch()) {
                    for (int i = 0; i < keysEach; i++) {
                        String key = "key-" + (offset + i);
                        batch.reportRead(key, START_MILLIS + 60_000, START_MILLIS);
                        batch.invalidate(key, START_MILLIS + 1);
                    }
                    assertThat(batch.send()).hasSize(keysEach).doesNotContain(StaleKeys.InvalidationEffect.NOT_CACHED);
                }
            }));
        }
        for (Future<?> one : all) {
            one.get();
        }
        threads.shutdown();
        RedisStaleKeys keys = open("shared", SHAPE);
        int distinct = (writers + 1) * keysEach / 2;
        assertThat(keys.staleKeys(START_MILLIS + 2)).isEqualTo(distinct);
        for (int i = 0; i < distinct; i++) {
            assertThat(keys.isStale("key-" + i, START_MILLIS + 2)).isTrue();
        }
        // All counters are back at zero, so each key was counted once.
        assertThat(keys.flat(START_MILLIS + 60_000).fill()).isZero();
    }
}
