package io.kipimo.core.quality.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimilaritiesTest {
    /** Values computed by hand from the definitions in {@link Similarities}; letters are items. */
    @ParameterizedTest
    @CsvSource({
        // tpr: 3 of 4 found, among the best 4 online
        "tpr@4, abxcd, abcd, 0.75",
        "tpr@10, abxcd, abcd, 1",
        // precision of a short answer: 2 of 2
        "precision@4, ab, abcd, 1",
        "precision@4, axyz, abcd, 0.25",
        // 2 shared of {a, b, x, y, c, d}
        "jaccard@4, abxy, abcd, 0.3333333333333333",
        // (1 + 1/3) / (1 + 1/2 + 1/3)
        "weighted@3, cxa, abc, 0.7272727272727273",
        // relevance a 3, b 2, c 1: (2/1 + 3/log2(3)) / (3 + 2/log2(3) + 1/2)
        "ndcg@3, bax, abc, 0.8174935137996165",
        // gains a 7, b 3, c 1: (3 + 7/log2(3)) / (7 + 3/log2(3) + 1/2)
        "ndcg_exp@3, bax, abc, 0.7895959410076381",
        // a mature answer shorter than k: relevance a 3, b 2; (2 + 3/log2(3)) / (3 + 2/log2(3))
        "ndcg@3, bax, ab, 0.9134015924715543",
        // (1/1 + 2/3) / 3
        "ap@3, axb, abc, 0.5555555555555556",
        // 3 opposite pairs of 9 + (3 + 3)/2 = 12
        "kendall@3, cba, abc, 0.75",
        // nothing in common
        "kendall@1, x, a, 0"
    })
    void knownAnswers_byHand(String spec, String online, String mature, double expected) {
        assertThat(Similarities.parse(spec).of(letters(online), letters(mature)))
                .isCloseTo(expected, within(1e-12));
    }

    /**
     * abc against acd, Fagin's cases: {b,c} opposite order? In abc b is before c; acd lacks b, so c is before b: 1.
     * {b,d}: each in one list only: 1. {a,x}: a first in both: 0. {c,d}: c before d in acd; abc lacks d, so c before d:
     * 0. K = 2, Kmax = 9 + 3 = 12.
     */
    @Test
    void kendallTau_faginsCases() {
        assertThat(Similarities.parse("kendall@3").of(letters("abc"), letters("acd")))
                .isCloseTo(1 - 2.0 / 12, within(1e-12));
        // ab against cd: 4 pairs across, 2 pairs of one list at 1/2; disjoint is the maximum.
        assertThat(Similarities.parse("kendall@2").of(letters("ab"), letters("cd")))
                .isZero();
        // abc against cxy: {a,b} in one list only 1/2; {x,y} 1/2; {a,c} and {b,c} opposite; 4
        // across.
        assertThat(Similarities.parse("kendall@3").of(letters("abc"), letters("cxy")))
                .isCloseTo(1 - 7.0 / 12, within(1e-12));
    }

    /**
     * Even lists: the README of github.com/b4ny4n/rankmeasures gives 0.828, by hand (0.1/0.9)(0.405 + 0.486 + 0.6561 +
     * 0.59049) + 0.59049. Disjoint and equal ones: tests of github.com/changyaochen/rbo.
     */
    @Test
    void rankBiasedOverlap_webberEquation32() {
        Similarity rbo = Similarities.parse("rbo@0.9");
        assertThat(rbo.of(letters("abcde"), letters("bcdae"))).isCloseTo(0.828, within(5e-4));
        assertThat(rbo.of(letters("abcde"), letters("bcdae"))).isCloseTo(0.8280, within(1e-4));
        assertThat(rbo.of(letters("abcde"), letters("fghij"))).isZero();
        assertThat(rbo.of(letters("a"), letters("a"))).isCloseTo(1, within(1e-12));
    }

    /**
     * The example of Webber's fig. 5, agreements 0, 0, 2/3, 2/4, 2/5, 2/6, 2/7 at depths 1 to 7, put into eq. 32 by
     * hand for p = 0.9.
     */
    @Test
    void rankBiasedOverlap_webberFigure5() {
        double sum = 0;
        for (int d = 3; d <= 7; d++) {
            sum += 2.0 / d * Math.pow(0.9, d);
        }
        double expected = 0.1 / 0.9 * sum + 2.0 / 7 * Math.pow(0.9, 7);
        assertThat(Similarities.parse("rbo@0.9").of(letters("abcdefg"), letters("zcavwxy")))
                .isCloseTo(expected, within(1e-12));
    }

    /** A prefix has full agreement over its length, and eq. 32 extrapolates that: 1 for any p. */
    @ParameterizedTest
    @ValueSource(strings = {"rbo@0.5", "rbo@0.9", "rbo@0.98"})
    void rankBiasedOverlap_ofAPrefixIsOne(String spec) {
        assertThat(Similarities.parse(spec).of(letters("abc"), letters("abcdefghij")))
                .isCloseTo(1, within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tpr@1",
                "precision@1",
                "jaccard@1",
                "ndcg@1",
                "ndcg_exp@1",
                "ap@1",
                "weighted@1",
                "kendall@1",
                "tpr@10000",
                "precision@10000",
                "jaccard@10000",
                "ndcg@10000",
                "ndcg_exp@10000",
                "ap@10000",
                "weighted@10000",
                "kendall@10000",
                "rbo@0.999"
            })
    void everyFunctionStaysWithinTheRangeOnLargeAnswers(String spec) {
        Similarity similarity = Similarities.parse(spec);
        assertThat(similarity.name()).isEqualTo(spec);
        Ranking mature = Ranking.of(LongStream.range(0, 10_000).toArray());
        Ranking reversed =
                Ranking.of(LongStream.range(0, 10_000).map(i -> 9_999 - i).toArray());
        Ranking half = Ranking.of(LongStream.range(0, 5_000).map(i -> 2 * i).toArray());
        assertThat(similarity.of(mature, mature)).isCloseTo(1, within(1e-12));
        assertThat(similarity.of(reversed, mature)).isBetween(0.0, 1.0);
        assertThat(similarity.of(half, mature)).isBetween(0.0, 1.0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "tpr",
                "tpr@",
                "tpr@0",
                "tpr@-1",
                "tpr@10001",
                "tpr@ten",
                "tpr@1.5",
                "TPR@10",
                " tpr@10",
                "rbo@0",
                "rbo@1",
                "rbo@NaN",
                "rbo@p",
                "f1@10",
                "@10"
            })
    void parse_rejectsOtherNamesAndListsAllowedOnes(String spec) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Similarities.parse(spec))
                .withMessageStartingWith("similarity is '" + spec + "'; allowed: tpr@k, ")
                .withMessageContaining("k 1..10000")
                .withMessageContaining("rbo@p with p in (0, 1)");
    }

    @Test
    void parse_findsUsersOwnThroughTheServiceLoader() {
        Similarity first = Similarities.parse("same_first");
        assertThat(first.of(letters("ab"), letters("ac"))).isEqualTo(1);
        assertThat(first.of(letters("ba"), letters("ac"))).isZero();
        assertThat(first.of(letters(""), letters("ac"))).isZero();
        assertThat(first.of(letters("ab"), letters(""))).isEqualTo(1);
    }

    @Test
    void usersOwnOutsideTheRangeIsRefusedByName() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Similarities.parse("broken").of(letters("ab"), letters("ac")))
                .withMessage("similarity broken is NaN; allowed: 0..1");
    }

    private static Ranking letters(String letters) {
        return Ranking.of(
                letters == null ? new long[0] : letters.chars().asLongStream().toArray());
    }
}
