package io.kipimo.core.stale;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the in-memory home. */
class ExpiringFilterTest extends StaleKeysContract {
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
