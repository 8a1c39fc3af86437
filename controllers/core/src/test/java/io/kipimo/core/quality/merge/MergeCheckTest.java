package io.kipimo.core.quality.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.merge.MergeCheck.InTimeResult;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.Items;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MergeCheckTest {
    private static final MergePolicy UNION = new MergePolicy(MergeKind.UNION, List.of(), Map.of());
    private static final OptionalInt DIFFERS = OptionalInt.empty();

    /** Texts with falling scores, best first: {@code "a:3 b:1"}; without scores, by place. */
    private static Items items(String list) {
        String[] parts = list.split(" ");
        String[] ids = new String[parts.length];
        float[] scores = Items.byPlace(parts.length);
        for (int i = 0; i < parts.length; i++) {
            String[] item = parts[i].split(":");
            ids[i] = item[0];
            scores[i] = item.length > 1 ? Float.parseFloat(item[1]) : scores[i];
        }
        return Items.ofTexts(ids, scores);
    }

    private static InTimeResult result(String component, String list) {
        return new InTimeResult(component, items(list), false);
    }

    private static OptionalInt check(MergePolicy policy, int topK, String answer, InTimeResult... inTime) {
        return MergeCheck.agreedTopK(policy, topK, items(answer), false, List.of(inTime));
    }

    private static OptionalInt check(String answer, InTimeResult... inTime) {
        return check(MergePolicy.TOP_K, 3, answer, inTime);
    }

    @Test
    void anAnswerByScoreAgreesWhateverItsOwnScoresAre() {
        assertThat(check("a:9 c:8 b:7", result("x", "a:3 b:1"), result("y", "c:2")))
                .hasValue(3);
    }

    /** Reciprocal rank fusion: an item that both return comes first, whatever its scores are. */
    @Test
    void anAnswerOfFusedRanksDiffers() {
        assertThat(check("b a d", result("x", "a:30 b:20 c:10"), result("y", "d:0.9 b:0.8 e:0.7")))
                .isEqualTo(DIFFERS);
        assertThat(check("b a d", result("x", "a b c"), result("y", "d b e"))).isEqualTo(DIFFERS);
    }

    @Test
    void anItemFromNowhereAndOneThatIsMissingDiffer() {
        assertThat(check("a q c", result("x", "a:3 b:2 c:1"))).isEqualTo(DIFFERS);
        assertThat(check("a c", result("x", "a:3 b:2 c:1"))).isEqualTo(DIFFERS);
        assertThat(check("a b c", result("x", "a:3 b:2"))).isEqualTo(DIFFERS);
    }

    @Test
    void equalScoresMayBeInAnyOrderAndAnyOfThemMayBeCut() {
        InTimeResult x = result("x", "a:5 b:1 c:1 d:1");
        assertThat(check("a c b", x)).hasValue(3);
        assertThat(check("a d c", x)).hasValue(3);
        assertThat(check("b a c", x)).isEqualTo(DIFFERS);
    }

    /** Then any items would pass, and the job would measure items that nobody got. */
    @Test
    void whereNoScoreDiffersTheSameItemsMustBeThere() {
        InTimeResult x = result("x", "a:0 b:0 c:0 d:0");
        assertThat(check("d c b", x)).hasValue(3);
        assertThat(check("b d c", x)).hasValue(3);
        assertThat(check("a b c", x)).isEqualTo(DIFFERS);
    }

    @Test
    void roundingIsNoDifferenceUnlessItIsAllThatOrdersTheItems() {
        InTimeResult x = result("x", "a:5 b:1.0000001 c:1 d:0.5");
        assertThat(check("a c b", x)).hasValue(3);
        InTimeResult ordered = new InTimeResult(
                "x",
                Items.ofTexts(new String[] {"a", "b", "c", "d"}, new float[] {1, 1, 1, 1})
                        .inOrder(),
                false);
        assertThat(check("a b c", ordered)).hasValue(3);
        assertThat(check("d b c", ordered)).isEqualTo(DIFFERS);
    }

    @Test
    void anItemOfSeveralResultsCountsOnceWithItsBestScore() {
        assertThat(check("a b c", result("x", "a:5 b:1"), result("y", "b:4 c:2")))
                .hasValue(3);
        assertThat(check("a c a", result("x", "a:5 b:1"), result("y", "a:4 c:2")))
                .isEqualTo(OptionalInt.of(2));
    }

    @Test
    void aLongerAnswerIsCutAndAShorterOneTellsTheSizeOfAnswers() {
        InTimeResult x = result("x", "a:5 b:4 c:3 d:2 e:1");
        assertThat(check("a b c d e", x)).hasValue(3);
        assertThat(check("a b c e d", x)).hasValue(3);
        assertThat(check("a b", x)).hasValue(2);
        assertThat(MergeCheck.agreedTopK(MergePolicy.TOP_K, 3, items("a b"), true, List.of(x)))
                .hasValue(3);
        assertThat(check(UNION, 3, "a b c d e", x)).hasValue(3);
        assertThat(check(UNION, 3, "a b c", x)).isEqualTo(DIFFERS);
    }

    @Test
    void aResultThatWasCutToFewerItemsThanTheAnswerNeedsShowsNothing() {
        InTimeResult cut = new InTimeResult("x", items("a:5 b:4"), true);
        InTimeResult enough = new InTimeResult("x", items("a:5 b:4 c:3"), true);
        assertThat(check("z b a", cut)).hasValue(3);
        assertThat(check("z b a", enough)).isEqualTo(DIFFERS);
    }

    @Test
    void nothingIsComparedWithoutItemsOrIfTheFrontEndsMergeIsItsOwn() {
        MergePolicy replayed = new MergePolicy(MergeKind.REPLAYED_ANSWERS, List.of(), Map.of());
        InTimeResult x = result("x", "a:2 b:1");
        assertThat(check(replayed, 3, "b a", x)).hasValue(3);
        assertThat(MergeCheck.agreedTopK(MergePolicy.TOP_K, 3, Items.NONE, false, List.of(x)))
                .hasValue(3);
        assertThat(check("a b")).isEqualTo(DIFFERS);
    }

    @Test
    void preferencesAndWeightsOfThePolicyCount() {
        MergePolicy preferred = new MergePolicy(MergeKind.PREFERRED, List.of("y"), Map.of());
        MergePolicy weighted = new MergePolicy(MergeKind.WEIGHTED, List.of(), Map.of("y", 10.0));
        InTimeResult[] inTime = {result("x", "a:9 b:8"), result("y", "c:2 d:0.85")};
        assertThat(check(preferred, 3, "c d", inTime)).hasValue(3);
        assertThat(check(preferred, 3, "a b c", inTime)).isEqualTo(DIFFERS);
        assertThat(check(weighted, 3, "c a d", inTime)).hasValue(3);
        assertThat(check(weighted, 3, "a b c", inTime)).isEqualTo(DIFFERS);
    }

    @Test
    void numbersAndTextsOfTheSameDigitsAreTheSameItems() {
        Items numbers = Items.ofNumbers(new long[] {7, 8}, new float[] {2, 1});
        assertThat(MergeCheck.agreedTopK(
                        MergePolicy.TOP_K, 3, items("7 8"), false, List.of(new InTimeResult("x", numbers, false))))
                .hasValue(3);
    }

    /** Ties are broken by chance, and scores are recomputed as floats; the seed is fixed. */
    @Test
    void aServiceThatMergesByWeightedScoreAlwaysAgrees() {
        Random random = new Random(7);
        MergePolicy weighted = new MergePolicy(MergeKind.WEIGHTED, List.of(), Map.of("c0", 0.3, "c1", 1.7, "c2", 2.9));
        for (int query = 0; query < 2_000; query++) {
            Map<String, Float> best = new HashMap<>();
            List<InTimeResult> inTime = new ArrayList<>();
            for (int component = 0; component < 3; component++) {
                int size = 1 + random.nextInt(8);
                String[] ids = new String[size];
                float[] scores = new float[size];
                for (int i = 0; i < size; i++) {
                    ids[i] = "d" + component + "-" + i + (random.nextInt(4) == 0 ? "" : "x");
                    scores[i] = random.nextInt(5) / 7f + (random.nextBoolean() ? random.nextFloat() : 0);
                }
                float weight = weighted.weights().get("c" + component).floatValue();
                for (int i = 0; i < size; i++) {
                    best.merge(ids[i], scores[i] * weight, Math::max);
                }
                inTime.add(new InTimeResult("c" + component, Items.ofTexts(ids, scores), false));
            }
            List<String> order = new ArrayList<>(best.keySet());
            Collections.shuffle(order, random);
            order.sort(Comparator.comparing(best::get, Comparator.reverseOrder()));
            String[] answer = order.stream().limit(10).toArray(String[]::new);
            Items items = Items.ofTexts(answer, Items.byPlace(answer.length));

            assertThat(MergeCheck.agreedTopK(weighted, 10, items, false, inTime))
                    .as("query %s: %s", query, Arrays.toString(answer))
                    .hasValue(10);
        }
    }
}
