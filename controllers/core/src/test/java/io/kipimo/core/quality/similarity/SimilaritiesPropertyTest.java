package io.kipimo.core.quality.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class SimilaritiesPropertyTest {
    private static final List<String> CUT_NAMES =
            List.of("tpr", "precision", "jaccard", "ndcg", "ndcg_exp", "ap", "weighted", "kendall");

    @Property(seed = "11")
    void everyFunctionEqualsTheNaiveOne(
            @ForAll("functions") String spec, @ForAll("items") List<Long> online, @ForAll("items") List<Long> mature) {
        String[] parts = spec.split("@");
        double expected = NaiveSimilarities.of(parts[0], Double.parseDouble(parts[1]), online, mature);
        assertThat(of(spec, online, mature)).isCloseTo(expected, within(1e-12));
    }

    @Property(seed = "12")
    void everyFunctionIsWithinZeroAndOne(
            @ForAll("functions") String spec, @ForAll("items") List<Long> online, @ForAll("items") List<Long> mature) {
        assertThat(of(spec, online, mature)).isBetween(0.0, 1.0);
    }

    @Property(seed = "13")
    void theSameRankingIsOne(@ForAll("functions") String spec, @ForAll("items") List<Long> items) {
        assertThat(of(spec, items, items)).isCloseTo(1, within(1e-12));
    }

    @Property(tries = 500, seed = "14")
    void anEmptyMatureAnswerIsOneAndElseAnEmptyOnlineAnswerZero(
            @ForAll("functions") String spec, @ForAll("items") List<Long> items) {
        assertThat(of(spec, items, List.of())).isEqualTo(1);
        assertThat(of(spec, List.of(), items)).isEqualTo(items.isEmpty() ? 1 : 0);
    }

    @Property(tries = 500, seed = "15")
    void nothingInCommonIsZero(@ForAll("functions") String spec, @ForAll("items") List<Long> items) {
        List<Long> others = items.stream().map(id -> id + 1000).toList();
        assertThat(of(spec, others, items)).isCloseTo(items.isEmpty() ? 1 : 0, within(1e-12));
    }

    @Property(seed = "16")
    void whichNumbersIdentifyTheItemsHasNoInfluence(
            @ForAll("functions") String spec, @ForAll("items") List<Long> online, @ForAll("items") List<Long> mature) {
        double renamed = of(
                spec,
                online.stream().map(id -> -7919 * id).toList(),
                mature.stream().map(id -> -7919 * id).toList());
        assertThat(renamed).isEqualTo(of(spec, online, mature));
    }

    @Property(seed = "17")
    void matureItemsBehindTheCutOffHaveNoInfluence(
            @ForAll("cutFunctions") String spec,
            @ForAll("items") List<Long> online,
            @ForAll("items") List<Long> mature) {
        int k = Integer.parseInt(spec.substring(spec.indexOf('@') + 1));
        List<Long> cutOnline = online.subList(0, Math.min(k, online.size()));
        List<Long> cutMature = mature.subList(0, Math.min(k, mature.size()));
        assertThat(of(spec, cutOnline, cutMature)).isEqualTo(of(spec, online, mature));
    }

    @Property(seed = "18")
    void overlapFunctionsOfSetsIgnoreTheOrder(@ForAll("items") List<Long> online, @ForAll("items") List<Long> mature) {
        List<Long> sorted = online.stream().sorted().toList();
        for (String spec : List.of("tpr@40", "precision@40", "jaccard@40", "weighted@40")) {
            assertThat(of(spec, sorted, mature)).isEqualTo(of(spec, online, mature));
        }
    }

    @Property(seed = "19")
    void symmetricFunctionsAreSymmetric(@ForAll("nonEmpty") List<Long> online, @ForAll("nonEmpty") List<Long> mature) {
        for (String spec : List.of("jaccard@10", "kendall@10", "rbo@0.9")) {
            assertThat(of(spec, online, mature)).isCloseTo(of(spec, mature, online), within(1e-12));
        }
    }

    @Provide
    Arbitrary<String> functions() {
        Arbitrary<String> rbo = Arbitraries.of("rbo@0.5", "rbo@0.9", "rbo@0.98", "rbo@0.01");
        return Arbitraries.oneOf(cutFunctions(), cutFunctions(), cutFunctions(), rbo);
    }

    @Provide
    Arbitrary<String> cutFunctions() {
        return Arbitraries.of(CUT_NAMES)
                .flatMap(name -> Arbitraries.of(1, 2, 5, 10, 20, 40).map(k -> name + "@" + k));
    }

    @Provide
    Arbitrary<List<Long>> items() {
        return Arbitraries.longs().between(0, 30).list().uniqueElements().ofMaxSize(25);
    }

    @Provide
    Arbitrary<List<Long>> nonEmpty() {
        return Arbitraries.longs()
                .between(0, 30)
                .list()
                .uniqueElements()
                .ofMinSize(1)
                .ofMaxSize(25);
    }

    private static double of(String spec, List<Long> online, List<Long> mature) {
        return Similarities.parse(spec).of(ranking(online), ranking(mature));
    }

    private static Ranking ranking(List<Long> items) {
        return Ranking.of(items.stream().mapToLong(Long::longValue).toArray());
    }
}
