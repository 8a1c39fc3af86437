package io.kipimo.core.quality.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.core.quality.similarity.Ranking;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.Items;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MergesTest {
    private static final MergePolicy UNION = policy(MergeKind.UNION);

    @Test
    void topKByScore_takesTheBestOfAllParts() {
        assertThat(merge(MergePolicy.TOP_K, 3, part("a", "1:9 2:5"), part("b", "3:7 4:6")))
                .isEqualTo(Ranking.of(1, 3, 4));
    }

    @ParameterizedTest
    @EnumSource(MergeKind.class)
    void anItemOfSeveralPartsCountsOnceWithItsBestScore(MergeKind kind) {
        assertThat(merge(policy(kind), 4, part("a", "1:1 2:5 1:2"), part("b", "1:7 2:4"), part("b", "3:6")))
                .isEqualTo(Ranking.of(1, 3, 2));
    }

    @ParameterizedTest
    @EnumSource(MergeKind.class)
    void tiesAreInDescendingUnsignedOrderOfTheIds(MergeKind kind) {
        assertThat(merge(policy(kind), 5, part("a", "1:0 9:-0.0"), part("b", "-1:0 5:0")))
                .isEqualTo(Ranking.of(-1, 9, 5, 1));
    }

    @ParameterizedTest
    @EnumSource(MergeKind.class)
    void nothingIsMergedToNothing(MergeKind kind) {
        assertThat(merge(policy(kind), 5)).isEqualTo(Ranking.EMPTY);
        assertThat(merge(policy(kind), 5, part("a", ""))).isEqualTo(Ranking.EMPTY);
    }

    @Test
    void union_isInOrderOfScoreAndNotCut() {
        assertThat(merge(UNION, 1, part("a", "1:1 2:5"), part("b", "3:3"))).isEqualTo(Ranking.of(2, 3, 1));
    }

    @Test
    void preferred_takesTheFirstOfThePreferenceThatReturnedAnything() {
        MergePolicy policy = new MergePolicy(MergeKind.PREFERRED, List.of("best", "second"), Map.of());
        Part others = part("other", "9:99");
        Part second = part("second", "2:1 3:2");
        assertThat(merge(policy, 5, others, second, part("best", "1:0"), part("best", "4:1")))
                .isEqualTo(Ranking.of(4, 1));
        assertThat(merge(policy, 5, others, second, part("best", ""))).isEqualTo(Ranking.of(3, 2));
        assertThat(merge(policy, 1, others, second)).isEqualTo(Ranking.of(3));
    }

    @Test
    void preferred_fallsBackToAllOthers() {
        MergePolicy policy = new MergePolicy(MergeKind.PREFERRED, List.of("best"), Map.of());
        assertThat(merge(policy, 5, part("x", "1:1"), part("best", ""), part("y", "2:2")))
                .isEqualTo(Ranking.of(2, 1));
    }

    @Test
    void weighted_multipliesByTheComponentsWeight() {
        MergePolicy policy = new MergePolicy(MergeKind.WEIGHTED, List.of(), Map.of("a", 3.0, "b", 0.5));
        assertThat(merge(policy, 3, part("a", "1:2"), part("b", "2:9"), part("c", "3:5")))
                .isEqualTo(Ranking.of(1, 3, 2));
        assertThat(merge(policy, 3, part("a", "1:1"), part("b", "1:8 2:7")))
                .as("the best weighted score counts")
                .isEqualTo(Ranking.of(1, 2));
    }

    @Test
    void weighted_neverOverflowsIntoATie() {
        MergePolicy policy = new MergePolicy(MergeKind.WEIGHTED, List.of(), Map.of("a", 1e9));
        assertThat(merge(policy, 2, part("a", "1:3e38 2:2e38"))).isEqualTo(Ranking.of(1, 2));
    }

    @Test
    void textsAreRefused() {
        Items texts = Items.ofTexts(new String[] {"x"}, new float[1]);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Part("a", texts))
                .withMessageContaining("ItemDictionary");
    }

    @ParameterizedTest
    @EnumSource(MergeKind.class)
    void anAnswerOfNoItemsIsRefused(MergeKind kind) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> merge(policy(kind), 0))
                .withMessageContaining("top k is 0");
    }

    private static MergePolicy policy(MergeKind kind) {
        return new MergePolicy(kind, List.of(), Map.of());
    }

    private static Ranking merge(MergePolicy policy, int topK, Part... parts) {
        return Merges.of(policy).merge(List.of(parts), topK);
    }

    /** {@code id:score} pairs. */
    private static Part part(String component, String items) {
        String[][] pairs = Arrays.stream(items.split(" "))
                .filter(item -> !item.isEmpty())
                .map(item -> item.split(":"))
                .toArray(String[][]::new);
        long[] numbers = new long[pairs.length];
        float[] scores = new float[pairs.length];
        for (int i = 0; i < pairs.length; i++) {
            numbers[i] = Long.parseLong(pairs[i][0]);
            scores[i] = Float.parseFloat(pairs[i][1]);
        }
        return new Part(component, Items.ofNumbers(numbers, scores));
    }
}
