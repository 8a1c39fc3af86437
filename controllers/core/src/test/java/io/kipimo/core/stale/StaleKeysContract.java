package io.kipimo.core.stale;

import static io.kipimo.core.stale.StaleKeys.InvalidationEffect.NOT_CACHED;
import static io.kipimo.core.stale.StaleKeys.InvalidationEffect.STALE;
import static io.kipimo.core.stale.StaleKeys.InvalidationEffect.STALE_BEFORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Guarantees of every implementation of the Expiring Bloom Filter; its test extends this class. */
public abstract class StaleKeysContract {
    /** Start time of the tests, epoch milliseconds. */
    protected static final long START_MILLIS = 1_700_000_000_000L;

    protected static final long LONGEST_TTL_MILLIS = 3_600_000;

    private static final long GRAIN_MILLIS = 1000;

    /** An empty filter. */
    protected abstract StaleKeys create(FilterShape shape);

    private StaleKeys create() {
        return create(FilterShape.ONE_ROUND_TRIP);
    }

    @Test
    void unreadKeysAreNotStale() {
        StaleKeys keys = create();
        assertThat(keys.invalidate("a", START_MILLIS)).isEqualTo(NOT_CACHED);
        assertThat(keys.flat(START_MILLIS)).isEqualTo(FlatFilter.empty(FilterShape.ONE_ROUND_TRIP));
    }

    @Test
    void staleFromItsChangeUntilTheLongestTimeToLiveHasRunOut() {
        StaleKeys keys = create();
        keys.reportRead("a", START_MILLIS + 10_000, START_MILLIS);
        keys.reportRead("a", START_MILLIS + 60_000, START_MILLIS + 1);
        keys.reportRead("a", START_MILLIS + 20_000, START_MILLIS + 2);
        assertThat(keys.isStale("a", START_MILLIS + 3)).isFalse();
        assertThat(keys.flat(START_MILLIS + 3).mightContain("a")).isFalse();

        assertThat(keys.invalidate("a", START_MILLIS + 5_000)).isEqualTo(STALE);

        assertThat(keys.isStale("a", START_MILLIS + 59_999)).isTrue();
        assertThat(keys.flat(START_MILLIS + 59_999).mightContain("a")).isTrue();
        assertThat(keys.staleKeys(START_MILLIS + 59_999)).isEqualTo(1);
        long gone = START_MILLIS + 60_000 + GRAIN_MILLIS;
        assertThat(keys.flat(gone).mightContain("a")).isFalse();
        assertThat(keys.staleKeys(gone)).isZero();
        assertThat(keys.trackedKeys(gone)).isZero();
    }

    @Test
    void whatRanOutBeforeItsChangeIsInNoCache() {
        StaleKeys keys = create();
        keys.reportRead("a", START_MILLIS + 10_000, START_MILLIS);
        assertThat(keys.invalidate("a", START_MILLIS + 10_000)).isEqualTo(NOT_CACHED);
    }

    @Test
    void aSecondChangeCountsIfTheKeyWasReadInBetween() {
        StaleKeys keys = create();
        keys.reportRead("a", START_MILLIS + 10_000, START_MILLIS);
        assertThat(keys.invalidate("a", START_MILLIS + 1_000)).isEqualTo(STALE);
        assertThat(keys.invalidate("a", START_MILLIS + 2_000)).isEqualTo(STALE_BEFORE);
        keys.reportRead("a", START_MILLIS + 40_000, START_MILLIS + 3_000);
        assertThat(keys.invalidate("a", START_MILLIS + 4_000)).isEqualTo(STALE);
        assertThat(keys.flat(START_MILLIS + 39_999).mightContain("a")).isTrue();
        assertThat(keys.flat(START_MILLIS + 40_000 + GRAIN_MILLIS).mightContain("a"))
                .isFalse();
    }

    @Test
    void aReadAfterTheChangeDoesNotKeepTheKeyStale() {
        StaleKeys keys = create();
        keys.reportRead("a", START_MILLIS + 10_000, START_MILLIS);
        keys.invalidate("a", START_MILLIS + 1_000);
        keys.reportRead("a", START_MILLIS + 40_000, START_MILLIS + 3_000);
        assertThat(keys.flat(START_MILLIS + 10_000 + GRAIN_MILLIS).mightContain("a"))
                .isFalse();
        assertThat(keys.trackedKeys(START_MILLIS + 10_000 + GRAIN_MILLIS)).isEqualTo(1);
    }

    @Test
    void refusesATimeToLiveThatIsTooLong() {
        assertThatThrownBy(() -> create().reportRead("a", START_MILLIS + LONGEST_TTL_MILLIS + 1, START_MILLIS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("time to live is 3600001 ms; allowed: at most 3600000");
    }

    @Test
    void agreesWithAPlainMapOnRandomHistories() {
        FilterShape small = new FilterShape(1 << 12, 3);
        for (long seed = 1; seed <= 5; seed++) {
            StaleKeys keys = create(small);
            Map<String, Long> cachedUntil = new HashMap<>();
            Map<String, Long> staleUntil = new HashMap<>();
            SplittableRandom random = new SplittableRandom(seed);
            long now = START_MILLIS;
            for (int step = 0; step < 2_000; step++) {
                now += random.nextInt(100);
                String key = "key-" + random.nextInt(60);
                if (random.nextInt(3) > 0) {
                    long expiry = now + random.nextInt(20_000);
                    keys.reportRead(key, expiry, now);
                    cachedUntil.merge(key, expiry, Math::max);
                } else {
                    StaleKeys.InvalidationEffect said = keys.invalidate(key, now);
                    long cached = cachedUntil.getOrDefault(key, 0L);
                    assertThat(said != NOT_CACHED).as("seed %s", seed).isEqualTo(cached > now);
                    if (cached > now) {
                        staleUntil.merge(key, cached, Math::max);
                    }
                }
                if (step % 50 == 0) {
                    FlatFilter flat = keys.flat(now);
                    for (Map.Entry<String, Long> one : staleUntil.entrySet()) {
                        if (one.getValue() > now) {
                            assertThat(flat.mightContain(one.getKey()))
                                    .as("seed %s", seed)
                                    .isTrue();
                        }
                    }
                }
            }
            long over = now + 20_000 + GRAIN_MILLIS;
            assertThat(keys.flat(over)).as("seed %s", seed).isEqualTo(FlatFilter.empty(small));
            assertThat(keys.trackedKeys(over)).isZero();
        }
    }

    /**
     * A copy from before a key's last change is never proven fresh. One that is younger than an eighth of the change's
     * age is, so that caches renew few.
     */
    @Test
    void recentKeysTellHowNewACopyMustBe() {
        for (long seed = 1; seed <= 5; seed++) {
            StaleKeys keys = create();
            Map<String, Long> changed = new HashMap<>();
            SplittableRandom random = new SplittableRandom(seed);
            // Another time for each history, since stores may keep what others wrote.
            long now = START_MILLIS + seed * LONGEST_TTL_MILLIS;
            for (int step = 0; step < 300; step++) {
                now += 1 + random.nextInt(random.nextInt(3) == 0 ? 20_000 : 500);
                String key = "recent-" + seed + '-' + random.nextInt(40);
                keys.reportRead(key, now + LONGEST_TTL_MILLIS, now);
                keys.invalidate(key, now);
                changed.put(key, now);
                long at = now + random.nextInt(300_000) / (1 + random.nextInt(100));
                RecentKeys recent = keys.recent(at);
                changed.forEach((name, changedMillis) -> {
                    long since = recent.provenSinceMillis(KeyHash.of(name));
                    assertThat(since).as(name).isGreaterThan(changedMillis);
                    long age = Math.min(512_000, at - changedMillis);
                    if (age > 500) {
                        assertThat(at + RecentKeys.CLOCK_ERROR_MILLIS - since)
                                .as("%s %s", name, age)
                                .isGreaterThanOrEqualTo(age / 8);
                    }
                });
            }
        }
    }
}
