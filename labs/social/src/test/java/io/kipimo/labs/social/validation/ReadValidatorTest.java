package io.kipimo.labs.social.validation;

import static io.kipimo.labs.social.validation.ReadVerdict.INCONSISTENT;
import static io.kipimo.labs.social.validation.ReadVerdict.STALE;
import static io.kipimo.labs.social.validation.ReadVerdict.VALID;
import static io.kipimo.labs.social.validation.ReadVerdict.WRONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReadValidatorTest {
    private static final SetId FRIENDS = new SetId(0, 7);
    private static final SetId REQUESTS = new SetId(1, 7);

    private final ReadValidator validator =
            new ReadValidator(set -> set.equals(FRIENDS) ? new long[] {1, 2} : new long[] {3}, 1_000);

    /** Request 3 is accepted: 3 becomes a friend and its request ends at the same time. */
    private static final List<Change> ACCEPT = List.of(new Change(REQUESTS, 3, false), new Change(FRIENDS, 3, true));

    private static List<Seen> numbers(int friends, int requests) {
        return List.of(Seen.size(FRIENDS, friends), Seen.size(REQUESTS, requests));
    }

    @Test
    void setsWithoutWritesKeepTheirContents() {
        assertThat(validator.judge(1, 2, numbers(2, 1))).isEqualTo(VALID);
        assertThat(validator.judge(1, 2, numbers(3, 1))).isEqualTo(WRONG);
        assertThat(validator.judge(1, 2, List.of(Seen.elements(FRIENDS, new long[] {1, 2}))))
                .isEqualTo(VALID);
        assertThat(validator.judge(1, 2, List.of(Seen.elements(FRIENDS, new long[] {1, 3}))))
                .isEqualTo(WRONG);
    }

    @Test
    void aWriteInProgressIsDoneCompletelyOrNotAtAll() {
        validator.begin(ACCEPT, 10);
        assertThat(validator.judge(11, 12, numbers(2, 1))).isEqualTo(VALID);
        assertThat(validator.judge(11, 12, numbers(3, 0))).isEqualTo(VALID);
        assertThat(validator.judge(11, 12, numbers(3, 1))).isEqualTo(INCONSISTENT);
        assertThat(validator.judge(11, 12, numbers(2, 0))).isEqualTo(INCONSISTENT);
    }

    @Test
    void aWriteThatHasEndedCounts() {
        Write write = validator.begin(ACCEPT, 10);
        validator.end(write, 20);
        assertThat(validator.judge(20, 22, numbers(2, 1))).isEqualTo(VALID);
        assertThat(validator.judge(21, 22, numbers(2, 1))).isEqualTo(STALE);
        assertThat(validator.judge(21, 22, numbers(3, 0))).isEqualTo(VALID);
        assertThat(validator.judge(21, 22, List.of(Seen.elements(FRIENDS, new long[] {1, 2}))))
                .isEqualTo(STALE);
        assertThat(validator.judge(21, 22, numbers(4, 0))).isEqualTo(WRONG);
    }

    /** Two writes one after the other within a read: never the second without the first. */
    @Test
    void writesInSequenceAreSeenInSequence() {
        Write first = validator.begin(List.of(new Change(FRIENDS, 4, true)), 10);
        validator.end(first, 12);
        Write second = validator.begin(List.of(new Change(FRIENDS, 5, true)), 13);
        validator.end(second, 15);
        assertThat(validator.judge(9, 16, List.of(Seen.elements(FRIENDS, new long[] {1, 2, 5}))))
                .isEqualTo(INCONSISTENT);
        for (long[] possible : new long[][] {{1, 2}, {1, 2, 4}, {1, 2, 4, 5}}) {
            assertThat(validator.judge(9, 16, List.of(Seen.elements(FRIENDS, possible))))
                    .isEqualTo(VALID);
        }
    }

    @Test
    void forgottenWritesAreInTheBase() {
        for (int i = 0; i < 100; i++) {
            long time = 100L * i;
            Write write = validator.begin(List.of(new Change(FRIENDS, 10 + i, true)), time);
            validator.end(write, time + 1);
        }
        assertThat(validator.reachesBackTo(5_000)).isFalse();
        assertThat(validator.reachesBackTo(9_500)).isTrue();
        assertThat(validator.judge(9_902, 9_903, numbers(102, 1))).isEqualTo(VALID);
        assertThat(validator.judge(9_902, 9_903, numbers(95, 1))).isEqualTo(STALE);
        assertThat(validator.judge(9_902, 9_903, numbers(50, 1))).isEqualTo(WRONG);
    }

    /** Beyond what can be enumerated each set is judged alone. */
    @Test
    void manyWritesAtOnceAreStillBounded() {
        for (int i = 0; i < 40; i++) {
            validator.begin(List.of(new Change(FRIENDS, 100 + i, true)), i);
        }
        assertThat(validator.judge(50, 51, numbers(2, 1))).isEqualTo(VALID);
        assertThat(validator.judge(50, 51, numbers(42, 1))).isEqualTo(VALID);
        assertThat(validator.judge(50, 51, numbers(43, 1))).isEqualTo(WRONG);
        assertThat(validator.judge(50, 51, List.of(Seen.elements(FRIENDS, new long[] {1, 2, 117}))))
                .isEqualTo(VALID);
        assertThat(validator.judge(50, 51, List.of(Seen.elements(FRIENDS, new long[] {1, 117}))))
                .isEqualTo(WRONG);
    }
}
