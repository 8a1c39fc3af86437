package io.kipimo.core.stale;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.stale.FreshnessSession.FreshnessVerdict;
import io.kipimo.core.stale.FreshnessSession.RequestWay;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Long sessions: caches stay in use, and reads stay monotonic. Ten million keys with {@code -Dcaching.keys=10000000}.
 */
class ForgottenKeysTest {
    private static final int KEYS = Integer.getInteger("caching.keys", Effort.of(200_000, 1_000_000));
    private static final int STEP = KEYS / 20;
    private static final long HOUR_MILLIS = 3_600_000;
    private static final FlatFilter NOTHING = FlatFilter.empty(FilterShape.ONE_ROUND_TRIP);

    /** In an hour, in twenty, and at once. */
    @Test
    void keysThatWereNeverSeenComeFromCaches() {
        for (long lengthMillis : new long[] {HOUR_MILLIS, 20 * HOUR_MILLIS, 0}) {
            FreshnessSession session = new FreshnessSession(FreshnessSettings.DEFAULT);
            session.refresh(NOTHING, 0);
            for (int i = 1; i <= KEYS; i++) {
                long now = lengthMillis * i / KEYS;
                if (i % 1_000 == 0) {
                    session.refresh(NOTHING, now);
                    assertThat(session.decide("", now)).isEqualTo(RequestWay.CACHED);
                }
                session.judge("key/" + i, 1);
                if (i % STEP == 0) {
                    int past = 0;
                    for (int other = 0; other < 10_000; other++) {
                        past += session.decide("other/" + other, now) == RequestWay.CACHED ? 0 : 1;
                    }
                    assertThat(past / 1e4)
                            .as("%s keys in %s ms", i, lengthMillis)
                            .isLessThanOrEqualTo(ForgottenKeys.FALSE_SHARE);
                }
            }
        }
    }

    /** Repeated keys count once, so a session of few keys stays small. */
    @Test
    void noKeyIsMissingUntilTheLongestTimeToLiveIsOver() {
        SplittableRandom random = new SplittableRandom(7);
        ForgottenKeys forgotten = new ForgottenKeys(60_000);
        Map<Long, Long> lastMillis = new HashMap<>();
        long now = 0;
        for (int i = 0; i < 300_000; i++) {
            now += random.nextInt(3);
            long hash = KeyHash.of("key/" + random.nextInt(40_000));
            forgotten.add(hash, now);
            lastMillis.put(hash, now);
            if (i % 30_000 == 0) {
                long at = now;
                lastMillis.forEach((key, last) -> {
                    if (at - last <= 60_000) {
                        assertThat(forgotten.mightContain(key, at)).isTrue();
                    }
                });
            }
        }
        assertThat(forgotten.mightContain(KeyHash.of("key/1"), now + 60_001)).isFalse();
    }

    /**
     * A history checker. One cache answers with any version that has not expired in some cache; the filter's marks are
     * late by up to seven seconds. No read goes back, and none misses a change that was marked before the filter was
     * taken.
     */
    @Test
    void readsAreMonotonicAndNotStalerThanPromised() {
        int past = 0;
        int reads = 0;
        for (long seed = 1; seed <= Effort.of(2, 20); seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            long longest = 20_000;
            FreshnessSession session = new FreshnessSession(new FreshnessSettings(1_000, 5, longest));
            int names = 200;
            // By key: when each version was replaced, and until when a cache may hold it.
            long[] version = new long[names];
            Map<String, Long> cachedUntil = new HashMap<>();
            Map<String, Long> markedMillis = new HashMap<>();
            long[] seen = new long[names];
            long filterMillis = -1;
            for (long now = 0; now < 200_000; now += 1 + random.nextInt(40)) {
                if (filterMillis < 0 || now - filterMillis > 700) {
                    FlatFilter filter = NOTHING;
                    for (int key = 0; key < names; key++) {
                        long old = version[key] - 1;
                        String copy = key + "@" + old;
                        if (markedMillis.getOrDefault(copy, Long.MAX_VALUE) <= now
                                && cachedUntil.getOrDefault(copy, 0L) > now) {
                            filter = filter.union(of("k" + key));
                        }
                    }
                    session.refresh(filter, now);
                    filterMillis = now;
                }
                int key = random.nextInt(names);
                if (random.nextInt(20) == 0) {
                    markedMillis.put(key + "@" + version[key], now + random.nextInt(7_000));
                    version[key]++;
                    continue;
                }
                reads++;
                RequestWay way = session.decide("k" + key, now);
                long got = version[key];
                boolean isPast = way != RequestWay.CACHED;
                if (!isPast) {
                    // The oldest copy that some cache may hold.
                    for (long old = Math.max(0, got - 1); old < got; old++) {
                        if (cachedUntil.getOrDefault(key + "@" + old, 0L) > now) {
                            got = old;
                        }
                    }
                    isPast = session.judge("k" + key, got) == FreshnessVerdict.REVALIDATE;
                }
                if (isPast) {
                    past++;
                    got = version[key];
                    session.revalidated("k" + key, got, now);
                }
                if (got == version[key]) {
                    cachedUntil.put(key + "@" + got, now + longest);
                } else {
                    assertThat(markedMillis.get(key + "@" + got))
                            .as("seed %s", seed)
                            .isGreaterThan(filterMillis - 1);
                }
                assertThat(got).as("seed %s", seed).isGreaterThanOrEqualTo(seen[key]);
                seen[key] = got;
            }
        }
        assertThat(past).isLessThan(reads);
    }

    private static FlatFilter of(String key) {
        byte[] bits = new byte[FilterShape.ONE_ROUND_TRIP.bytes()];
        for (int position : KeyHash.positions(KeyHash.of(key), FilterShape.ONE_ROUND_TRIP)) {
            FlatFilter.set(bits, position);
        }
        return FlatFilter.of(FilterShape.ONE_ROUND_TRIP, bits);
    }
}
