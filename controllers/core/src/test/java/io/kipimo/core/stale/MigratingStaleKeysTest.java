package io.kipimo.core.stale;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.stale.MigratingStaleKeys.MigrationStep;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Two stores during a migration keep the guarantees of one. */
class MigratingStaleKeysTest extends StaleKeysContract {
    @Override
    protected StaleKeys create(FilterShape shape) {
        return new MigratingStaleKeys(
                new ExpiringFilter(shape, LONGEST_TTL_MILLIS),
                new ExpiringFilter(shape, LONGEST_TTL_MILLIS),
                MigrationStep.READS_TO_NEW);
    }

    @Test
    void noKeyIsMissingAtAnyStepOfAMigration() {
        for (long seed = 1; seed <= Effort.of(2, 20); seed++) {
            FilterShape shape = new FilterShape(1 << 14, 4);
            ExpiringFilter old = new ExpiringFilter(shape, LONGEST_TTL_MILLIS);
            ExpiringFilter next = new ExpiringFilter(shape, LONGEST_TTL_MILLIS);
            StaleKeys keys = old;
            Map<String, Long> cachedUntil = new HashMap<>();
            Map<String, Long> staleUntil = new HashMap<>();
            SplittableRandom random = new SplittableRandom(seed);
            long now = START_MILLIS;
            for (int step = 0; step < 4_000; step++) {
                now += random.nextInt(50);
                if (step == 1_000) {
                    keys = new MigratingStaleKeys(old, next, MigrationStep.CHANGES_TO_BOTH);
                } else if (step == 1_200) {
                    keys = new MigratingStaleKeys(old, next, MigrationStep.READS_TO_NEW);
                } else if (keys instanceof MigratingStaleKeys moving && moving.isOver(now)) {
                    keys = next;
                }
                String key = "key-" + random.nextInt(60);
                if (random.nextInt(3) > 0) {
                    long expiry = now + random.nextInt(20_000);
                    keys.reportRead(key, expiry, now);
                    cachedUntil.merge(key, expiry, Math::max);
                } else {
                    keys.invalidate(key, now);
                    staleUntil.merge(key, cachedUntil.getOrDefault(key, 0L), Math::max);
                }
                FlatFilter flat = keys.flat(now);
                for (Map.Entry<String, Long> one : staleUntil.entrySet()) {
                    if (one.getValue() > now) {
                        assertThat(flat.mightContain(one.getKey()))
                                .as("seed %s, step %s, %s", seed, step, one.getKey())
                                .isTrue();
                    }
                }
            }
            assertThat(keys).as("seed %s: the old home is empty", seed).isSameAs(next);
        }
    }
}
