package io.kipimo.core.stale;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.stale.KeyTruth.Freshness;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyTruthTest {
    @Test
    void onlyTheOriginsAnswersProveAnything() {
        KeyTruth truth = new KeyTruth();
        assertThat(truth.judge(7, 100, 10)).isEqualTo(Freshness.UNTESTED);

        truth.origin(7, 80, 85);
        assertThat(truth.judge(7, 94, 10)).as("85 is not 10 before").isEqualTo(Freshness.UNTESTED);
        assertThat(truth.judge(6, 95, 10)).isEqualTo(Freshness.STALE);
        assertThat(truth.judge(7, 95, 10)).as("a write since 80").isEqualTo(Freshness.UNKNOWN);

        truth.origin(7, 96, 99);
        assertThat(truth.judge(7, 95, 10)).isEqualTo(Freshness.FRESH);
        assertThat(truth.judge(6, 95, 10)).isEqualTo(Freshness.STALE);
        assertThat(truth.judge(8, 95, 10)).as("newer than seen").isEqualTo(Freshness.FRESH);
    }

    @Test
    void anOriginWhoseVersionsFallProvesNothing() {
        KeyTruth truth = new KeyTruth();
        truth.origin(9, 0, 5);
        truth.origin(4, 90, 95);
        assertThat(truth.judge(4, 100, 20)).isEqualTo(Freshness.UNKNOWN);
    }

    @Test
    void aCopyIsReplacedOnceTheOriginShowsANewerVersionAndUntilItExpires() {
        KeyTruth truth = new KeyTruth();
        truth.copy(3, 300);
        truth.copy(4, 500);
        assertThat(truth.replacedCopy(100)).isEmpty();
        truth.origin(4, 90, 95);
        assertThat(truth.replacedCopy(100)).hasValue(3);
        truth.origin(5, 96, 97);
        assertThat(truth.replacedCopy(100)).hasValue(3);
        assertThat(truth.replacedCopy(300)).hasValue(4);
        assertThat(truth.replacedCopy(500)).isEmpty();
    }

    /** The truth is known here: when each version was written. */
    @Test
    void noVerdictIsWrongForAnyOrderOfWritesAndReads() {
        Map<Freshness, Integer> verdicts = new EnumMap<>(Freshness.class);
        for (int seed = 0; seed < 3_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<Long> writtenAt = new ArrayList<>();
            KeyTruth truth = new KeyTruth();
            long now = 0;
            for (int step = 0; step < 40; step++) {
                now += random.nextLong(20);
                if (random.nextInt(6) == 0) {
                    writtenAt.add(now);
                    continue;
                }
                // The origin evaluates now, some time between begin and end.
                long shown = writtenAt.size();
                if (random.nextBoolean()) {
                    truth.origin(shown, now - random.nextLong(8), now + random.nextLong(8));
                }
                long version = Math.max(0, shown - random.nextLong(3));
                long within = 1 + random.nextLong(60);
                long limit = now - within;
                long needed = writtenAt.stream().filter(at -> at <= limit).count();
                Freshness verdict = truth.judge(version, now, within);
                verdicts.merge(verdict, 1, Integer::sum);
                if (verdict == Freshness.FRESH) {
                    assertThat(version).as("seed %d", seed).isGreaterThanOrEqualTo(needed);
                } else if (verdict == Freshness.STALE) {
                    assertThat(version).as("seed %d", seed).isLessThan(needed);
                }
            }
        }
        assertThat(verdicts.values()).hasSize(4).allMatch(count -> count > 500);
    }
}
