package io.kipimo.core.invalidation;

import static io.kipimo.core.invalidation.filter.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MatchingCellTest {
    private final MatchingCell cell = new MatchingCell(new MatchingCell.Retention(1_000, 100));
    private final List<Match> matches = new ArrayList<>();

    private RegistrationOutcome register(String filter, Map<String, Long> result, long at) {
        return cell.register(Registration.of(RegisteredQuery.of("posts", json(filter)), result, at), matches::add);
    }

    private WriteOutcome write(String id, long version, long at, String image) {
        return cell.apply(AfterImage.of("posts", id, version, at, json(image)), matches::add);
    }

    private List<ChangeKind> kinds() {
        List<ChangeKind> kinds = matches.stream().map(Match::kind).toList();
        matches.clear();
        return kinds;
    }

    /** Quaestor, figure 5. */
    @Test
    void aTaggedPostEntersChangesAndLeaves() {
        register("{tags: 'example'}", Map.of(), 0);
        write("p", 1, 1, "{tags: []}");
        assertThat(kinds()).isEmpty();
        write("p", 2, 2, "{tags: ['example']}");
        assertThat(kinds()).containsExactly(ChangeKind.ADD);
        write("p", 3, 3, "{tags: ['example', 'music']}");
        assertThat(kinds()).containsExactly(ChangeKind.CHANGE);
        write("p", 4, 4, "{tags: ['music']}");
        assertThat(kinds()).containsExactly(ChangeKind.REMOVE);
    }

    @Test
    void anOlderVersionThatComesLateIsIgnored() {
        register("{a: 1}", Map.of(), 0);
        assertThat(write("p", 2, 2, "{a: 2}")).isEqualTo(WriteOutcome.APPLIED);
        assertThat(write("p", 1, 1, "{a: 1}")).isEqualTo(WriteOutcome.STALE);
        assertThat(write("p", 2, 2, "{a: 1}")).isEqualTo(WriteOutcome.STALE);
        assertThat(kinds()).isEmpty();
    }

    @Test
    void aDeletedRecordLeavesAndStaysAwayFromLateVersions() {
        register("{a: 1}", Map.of("p", 1L), 0);
        cell.apply(AfterImage.deletion("posts", "p", 3, 3), matches::add);
        assertThat(kinds()).containsExactly(ChangeKind.REMOVE);
        assertThat(write("p", 2, 2, "{a: 1}")).isEqualTo(WriteOutcome.STALE);
    }

    @Test
    void writesBetweenEvaluationAndRegistrationAreReplayed() {
        write("old", 1, 10, "{a: 1}");
        write("enters", 2, 20, "{a: 1}");
        write("leaves", 2, 21, "{a: 2}");
        write("changes", 2, 22, "{a: 1, b: 1}");
        register("{a: 1}", Map.of("old", 1L, "leaves", 1L, "changes", 1L), 15);
        assertThat(kinds()).containsExactlyInAnyOrder(ChangeKind.ADD, ChangeKind.REMOVE, ChangeKind.CHANGE);
    }

    @Test
    void aResultThatKnowsMoreThanTheCellIsBelieved() {
        register("{a: 1}", Map.of("p", 3L), 0);
        write("p", 2, 2, "{a: 2}");
        assertThat(kinds()).isEmpty();
        write("p", 3, 3, "{a: 1}");
        assertThat(kinds()).isEmpty();
        write("p", 4, 4, "{a: 2}");
        assertThat(kinds()).containsExactly(ChangeKind.REMOVE);
    }

    @Test
    void aResultFromBeforeTheReplayedWritesMustBeEvaluatedAgain() {
        write("p", 1, 100, "{a: 1}");
        cell.forget(1_101);
        assertThat(register("{a: 1}", Map.of(), 100)).isEqualTo(RegistrationOutcome.EVALUATE_AGAIN);
        assertThat(cell.queries()).isZero();
        assertThat(register("{a: 1}", Map.of(), 101)).isEqualTo(RegistrationOutcome.ACTIVE);
    }

    @Test
    void whatIsForgottenTakesNoSpace() {
        for (int i = 0; i < 1_000; i++) {
            write("r" + i, 1, i, "{a: " + i + "}");
        }
        assertThat(cell.records()).isEqualTo(100);
        cell.forget(10_000);
        assertThat(cell.records()).isZero();
    }

    @Test
    void removedQueriesLeaveNothingBehind() {
        for (int i = 0; i < 5_000; i++) {
            register("{a: " + i + "}", Map.of("r" + i, 1L), 0);
            cell.unregister(RegisteredQuery.of("posts", json("{a: " + i + "}")).key());
        }
        assertThat(cell.queries()).isZero();
        assertThat(cell.records()).isLessThan(2_048);
    }

    @Test
    void collectionsAreApart() {
        register("{a: 1}", Map.of(), 0);
        cell.apply(AfterImage.of("users", "p", 1, 1, json("{a: 1}")), matches::add);
        assertThat(kinds()).isEmpty();
    }
}
