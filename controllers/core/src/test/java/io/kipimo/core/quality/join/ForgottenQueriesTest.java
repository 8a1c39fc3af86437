package io.kipimo.core.quality.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.schemas.quality.QueryKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ForgottenQueriesTest {
    private final ForgottenQueries forgotten = new ForgottenQueries();

    private static QueryKey key(int query) {
        return new QueryKey("shop", query % 2 == 0 ? "q" + query : "%032x".formatted(query));
    }

    @Test
    void ofStateWithoutMemoryNothingIsCertain() {
        assertThat(forgotten.neverHad(key(1), 1)).isTrue();
        forgotten.beginAfter(1_000);
        assertThat(forgotten.neverHad(key(1), 1_000)).isFalse();
        assertThat(forgotten.neverHad(key(1), 1_001)).isTrue();
    }

    @Test
    void theSameIdOfAnotherServiceIsAnotherQuery() {
        forgotten.beginAfter(0);
        forgotten.add(key(1), 1_000);
        assertThat(forgotten.neverHad(key(1), 1)).isFalse();
        assertThat(forgotten.neverHad(new QueryKey("wiki", key(1).queryId()), 1))
                .isTrue();
    }

    /** Against a map of all: what is called new was never there, and what is recent is known. */
    @Property(tries = 20, seed = "36")
    void whatWasThereIsNeverCalledNew(@ForAll long seed) {
        Random random = new Random(seed);
        ForgottenQueries some = new ForgottenQueries();
        Map<Integer, Long> removed = new HashMap<>();
        long now = 1_000_000;
        some.beginAfter(now);
        int stepMillis = 1 + random.nextInt(200);
        for (int query = 0; query < Effort.of(20_000, 60_000); query++) {
            now += random.nextInt(stepMillis);
            some.add(key(query), now);
            removed.put(query, now);
            if (random.nextInt(10_000) == 0) {
                ForgottenQueries restored = new ForgottenQueries();
                restored.beginAfter(now);
                restored.restore(some.snapshot());
                some = restored;
            }
            if (random.nextInt(100) == 0) {
                int any = random.nextInt(query + 1);
                assertThat(some.neverHad(key(any), removed.get(any) - random.nextInt(20_000)))
                        .as("query %d removed at %d, asked at %d", any, removed.get(any), now)
                        .isFalse();
                // Far fewer than the bound.
                assertThat(some.neverHad(
                                key(query + 1), Math.max(1_000_001, now - ForgottenQueries.HORIZON_MILLIS + 1)))
                        .isTrue();
            }
        }
    }

    @Test
    void theNumberIsBoundedAndWhatIsDroppedIsUnknown() {
        forgotten.beginAfter(0);
        int most = (ForgottenQueries.PARTS + 1) * ForgottenQueries.PART_QUERIES;
        for (int query = 0; query < 3 * most; query++) {
            forgotten.add(new QueryKey("shop", "q" + query), 1 + query / 1_000);
        }
        assertThat(forgotten.snapshot().stream()
                        .mapToInt(part -> part.numbers().length)
                        .sum())
                .isLessThanOrEqualTo(most);
        assertThat(forgotten.neverHad(key(-1), 3 * most / 1_000 - most / 1_000 - 20))
                .isFalse();
        assertThat(forgotten.neverHad(key(-1), 3 * most / 1_000)).isTrue();
    }

    @Test
    void ofSeveralFormerPartitionsTheShortestMemoryCounts() {
        ForgottenQueries one = new ForgottenQueries();
        one.beginAfter(1_000);
        one.add(key(1), 2_000);
        ForgottenQueries other = new ForgottenQueries();
        other.beginAfter(5_000);
        other.add(key(2), 6_000);
        List<ForgottenQueries.ForgottenPart> parts =
                List.of(one.snapshot().get(0), other.snapshot().get(0));
        forgotten.beginAfter(7_000);
        forgotten.restore(parts);
        assertThat(forgotten.neverHad(key(3), 5_000)).isFalse();
        assertThat(forgotten.neverHad(key(3), 5_001)).isTrue();
        assertThat(forgotten.neverHad(key(2), 5_001)).isFalse();
    }
}
