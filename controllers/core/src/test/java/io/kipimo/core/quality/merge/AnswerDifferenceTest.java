package io.kipimo.core.quality.merge;

import static io.kipimo.core.quality.merge.AnswerDifference.DifferenceKind.DIFFERENT;
import static io.kipimo.core.quality.merge.AnswerDifference.DifferenceKind.SAME;
import static io.kipimo.core.quality.merge.AnswerDifference.DifferenceKind.TIES;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.quality.Items;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AnswerDifferenceTest {
    private static final Items WHOLE = items("a b c d", 4, 3, 2, 1);

    private static Items items(String ids, float... scores) {
        return Items.ofTexts(ids.isEmpty() ? new String[0] : ids.split(" "), scores);
    }

    private static AnswerDifference of(Items first, Items second) {
        AnswerDifference difference = AnswerDifference.of(first, second);
        AnswerDifference reversed = AnswerDifference.of(second, first);
        assertThat(reversed.kind()).isEqualTo(difference.kind());
        assertThat(reversed.firstLacks()).isEqualTo(difference.secondLacks());
        return difference;
    }

    @Test
    void theSameItemsInTheSameOrderAreTheSameWhateverTheirScores() {
        assertThat(of(WHOLE, items("a b c d", 9, 8, 7, 6)).kind()).isEqualTo(SAME);
        assertThat(of(Items.NONE, Items.NONE).kind()).isEqualTo(SAME);
    }

    @Test
    void equalScoresInAnotherOrderAreTies() {
        assertThat(of(items("a b c d", 4, 3, 3, 1), items("a c b d", 4, 3, 3, 1))
                        .kind())
                .isEqualTo(TIES);
        // As a reader makes lists unambiguous: each place is one step lower.
        float second = Math.nextDown(3f);
        assertThat(of(items("a b c", 4, 3, second), items("a c b", 4, 3, second))
                        .kind())
                .isEqualTo(TIES);
    }

    @Test
    void theEndMayCutTies() {
        assertThat(of(items("a b c", 4, 3, 3), items("a b d", 4, 3, 3)).kind()).isEqualTo(TIES);
        assertThat(of(items("a b", 4, 3), items("a c", 4, 3)).kind()).isEqualTo(TIES);
        assertThat(of(items("a b c", 4, 4, 3), items("a d c", 4, 4, 3)).kind()).isEqualTo(DIFFERENT);
    }

    @Test
    void aReplicaThatLacksItemsIsNamedByThemAndNotTheOneThatPutOthersInTheirPlace() {
        AnswerDifference stale = of(WHOLE, items("b d e f", 3, 1, .5f, .2f));
        assertThat(stale.kind()).isEqualTo(DIFFERENT);
        assertThat(stale.secondLacks()).containsExactly("a", "c");
        assertThat(stale.firstLacks()).isEmpty();
        assertThat(of(WHOLE, Items.NONE).secondLacks()).containsExactly("a", "b", "c", "d");
        assertThat(of(WHOLE, items("a b c", 4, 3, 2)).secondLacks()).containsExactly("d");
    }

    @Test
    void otherScoresInAnotherOrderDifferButNothingIsLacked() {
        AnswerDifference order = of(WHOLE, items("b a c d", 5, 4, 2, 1));
        assertThat(order.kind()).isEqualTo(DIFFERENT);
        assertThat(order.firstLacks()).isEmpty();
        assertThat(order.secondLacks()).isEmpty();
        assertThat(order.still(order).kind()).isEqualTo(DIFFERENT);
    }

    @Test
    void numbersAreUnsigned() {
        Items one = Items.ofNumbers(new long[] {-1}, new float[] {1});
        assertThat(of(one, Items.NONE).secondLacks()).containsExactly("18446744073709551615");
    }

    @Test
    void whatIsLackedTwicePersists() {
        AnswerDifference stale = of(WHOLE, items("b d e f", 3, 1, .5f, .2f));
        assertThat(stale.still(stale)).isEqualTo(new AnswerDifference(DIFFERENT, Set.of(), Set.of("a", "c")));
        // Caught up with a, behind with x.
        AnswerDifference later = of(items("x a b c", 5, 4, 3, 2), items("a b c d", 4, 3, 2, 1));
        assertThat(stale.still(later).kind()).isEqualTo(SAME);
        assertThat(stale.still(of(WHOLE, WHOLE)).kind()).isEqualTo(SAME);
        assertThat(stale.still(new AnswerDifference(TIES, Set.of(), Set.of())).kind())
                .isEqualTo(TIES);
    }
}
