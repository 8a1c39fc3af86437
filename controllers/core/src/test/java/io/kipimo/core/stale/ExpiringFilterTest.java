package io.kipimo.core.stale;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the in-memory home. */
class ExpiringFilterTest extends StaleKeysContract {
    private static final int ATTACKS = 300_000;
    private static final long HOUR_MILLIS = 3_600_000;

    @Override
    protected StaleKeys create(FilterShape shape) {
        return new ExpiringFilter(shape, LONGEST_TTL_MILLIS);
    }

    @Test
    void aKeyMayLiveForMoreThanATurnOfTheWheel() {
        StaleKeys keys = new ExpiringFilter(FilterShape.ONE_ROUND_TRIP, 72 * HOUR_MILLIS);
        long expiry = START_MILLIS + 30 * HOUR_MILLIS;
        keys.reportRead("a", expiry, START_MILLIS);
        keys.reportRead("b", START_MILLIS + 2 * HOUR_MILLIS, START_MILLIS);
        keys.invalidate("a", START_MILLIS);
        for (long now = START_MILLIS; now < expiry; now += HOUR_MILLIS / 4) {
            assertThat(keys.flat(now).mightContain("a")).isTrue();
            assertThat(keys.trackedKeys(now)).isEqualTo(now < START_MILLIS + 2 * HOUR_MILLIS ? 2 : 1);
        }
        assertThat(keys.flat(expiry + 1000)).isEqualTo(FlatFilter.empty(FilterShape.ONE_ROUND_TRIP));
        assertThat(keys.trackedKeys(expiry + 1000)).isZero();
    }

    /** One who writes keys that nobody reads does nothing to the filter. */
    @Test
    void writesOfKeysThatNobodyReadsLeaveTheFilterEmpty() {
        StaleKeys keys = create(FilterShape.ONE_ROUND_TRIP);
        for (int i = 0; i < ATTACKS; i++) {
            assertThat(keys.invalidate("attack/" + i, START_MILLIS)).isEqualTo(StaleKeys.InvalidationEffect.NOT_CACHED);
        }
        assertThat(keys.flat(START_MILLIS)).isEqualTo(FlatFilter.empty(FilterShape.ONE_ROUND_TRIP));
        assertThat(keys.trackedKeys(START_MILLIS)).isZero();
    }

    /**
     * One who also reads them makes others revalidate: that is told, loses no stale key, and ends with their time to
     * live.
     */
    @Test
    void whoReadsAndWritesManyKeysFillsItForTheirTimeToLive() {
        StaleKeys keys = create(FilterShape.ONE_ROUND_TRIP);
        long expiry = START_MILLIS + LONGEST_TTL_MILLIS;
        keys.reportRead("mine", expiry, START_MILLIS);
        keys.invalidate("mine", START_MILLIS);
        assertThat(keys.flat(START_MILLIS).falsePositiveRate()).isLessThan(1e-9);
        for (int i = 0; i < ATTACKS; i++) {
            keys.reportRead("attack/" + i, expiry, START_MILLIS);
            keys.invalidate("attack/" + i, START_MILLIS);
        }
        FlatFilter full = keys.flat(START_MILLIS);
        assertThat(full.falsePositiveRate())
                .as("the share of fresh keys that are revalidated")
                .isGreaterThan(0.99);
        assertThat(keys.staleKeys(START_MILLIS)).isEqualTo(ATTACKS + 1);
        assertThat(full.mightContain("mine")).isTrue();
        assertThat(full.toBytes()).hasSize(FilterShape.ONE_ROUND_TRIP.bytes());

        assertThat(keys.trackedKeys(expiry + 1_000)).isZero();
        assertThat(keys.flat(expiry + 1_000).falsePositiveRate())
                .as("counters that were full stay full")
                .isLessThan(0.01);
    }

    @Test
    void keysThatExpiredBetweenCallsAreGone() {
        StaleKeys keys = create(FilterShape.ONE_ROUND_TRIP);
        for (int i = 0; i < 1000; i++) {
            keys.reportRead("key-" + i, START_MILLIS + 1 + 3_600L * i, START_MILLIS);
            keys.invalidate("key-" + i, START_MILLIS);
        }
        assertThat(keys.trackedKeys(START_MILLIS + 1000 * HOUR_MILLIS)).isZero();
        assertThat(keys.staleKeys(START_MILLIS + 1000 * HOUR_MILLIS)).isZero();
    }
}
