package io.kipimo.core.invalidation.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.caching.InvalidationBuilder;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.caching.ResultChange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ChangeHistoryTest {
    private static Invalidation change(int partition, long sequence) {
        return InvalidationBuilder.builder()
                .service("shop")
                .table("things")
                .key("k")
                .kind(CachedKind.QUERY)
                .change(ResultChange.ADDED)
                .record(partition + "-" + sequence)
                .version(1)
                .writtenMillis(1)
                .mode(InvalidationMode.HARD)
                .partition(partition)
                .sequence(sequence)
                .build();
    }

    private static ResumeToken token(long next0, long next1) {
        return new ResumeToken(List.of(next0, next1), List.of(3L, 3L));
    }

    private static Optional<List<String>> after(ChangeHistory history, ResumeToken token) {
        return history.after(token)
                .map(all -> all.stream().map(Invalidation::record).toList());
    }

    @Test
    void aReaderGetsWhatItHasNotSeen() {
        ChangeHistory history = new ChangeHistory(3, ResumeToken.start(2));
        history.add(List.of(change(0, 7), change(1, 2)), token(8, 3));
        history.add(List.of(change(0, 9)), token(10, 3));

        assertThat(after(history, token(7, 2))).hasValue(List.of("0-7", "1-2", "0-9"));
        assertThat(after(history, token(8, 3))).hasValue(List.of("0-9"));
        assertThat(after(history, history.end())).hasValue(List.of());
        assertThat(after(history, token(50, 50))).as("of a server ahead").hasValue(List.of());
        assertThat(after(history, token(6, 2))).as("6 was before this").isEmpty();

        history.add(List.of(change(1, 3)), token(10, 4));
        assertThat(after(history, token(7, 2))).as("0-7 is gone").isEmpty();
        assertThat(after(history, token(8, 2))).hasValue(List.of("1-2", "0-9", "1-3"));
    }

    @Test
    void tokensOfOtherWritersAndTopicsAreNotTrusted() {
        ChangeHistory history = new ChangeHistory(9, ResumeToken.start(2));
        assertThat(after(history, token(1, 0))).as("nothing is known yet").isEmpty();
        assertThat(after(history, ResumeToken.start(2))).hasValue(List.of());
        history.add(List.of(), token(5, 0));
        assertThat(after(history, token(5, 0))).as("marks show the place").hasValue(List.of());
        assertThat(after(history, ResumeToken.start(3))).isEmpty();
        ResumeToken older = new ResumeToken(List.of(50L, 0L), List.of(2L, 0L));
        assertThat(after(history, older)).as("its numbers were given again").isEmpty();
    }

    /** Whatever a reader has seen, and however small the history is. */
    @Test
    void noReaderMissesANotification() {
        int gone = 0;
        for (int seed = 0; seed < 2_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            ChangeHistory history = new ChangeHistory(1 + random.nextInt(20), ResumeToken.start(2));
            long[] next = {random.nextLong(5), random.nextLong(5)};
            List<ResumeToken> tokens = new ArrayList<>();
            List<Invalidation> all = new ArrayList<>();
            List<Integer> seen = new ArrayList<>();
            for (int batch = 0; batch < 10; batch++) {
                List<Invalidation> changes = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    int partition = random.nextInt(2);
                    // Marks lie between.
                    next[partition] += random.nextInt(2);
                    changes.add(change(partition, next[partition]++));
                }
                ResumeToken after = token(next[0], next[1]);
                history.add(changes, after);
                all.addAll(changes);
                tokens.add(after);
                seen.add(all.size());
            }
            for (int i = 0; i < tokens.size(); i++) {
                Optional<List<String>> missed = after(history, tokens.get(i));
                gone += missed.isEmpty() ? 1 : 0;
                Set<String> expected = new HashSet<>();
                all.subList(seen.get(i), all.size()).forEach(c -> expected.add(c.record()));
                missed.ifPresent(got -> assertThat(new HashSet<>(got)).containsExactlyInAnyOrderElementsOf(expected));
            }
        }
        assertThat(gone).isBetween(1_000, 15_000);
    }
}
