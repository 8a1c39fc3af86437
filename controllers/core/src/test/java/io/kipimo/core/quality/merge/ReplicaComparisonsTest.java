package io.kipimo.core.quality.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.merge.ReplicaComparisons.ComparisonVerdict;
import io.kipimo.core.quality.merge.ReplicaComparisons.ReplicaComparison;
import io.kipimo.core.quality.merge.ReplicaComparisons.ReplicaStanding;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.tails.DivergentQuery;
import io.kipimo.schemas.tails.ReplicaTruth;
import io.kipimo.schemas.tails.ServerTruth;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReplicaComparisonsTest {
    private static final long NOW = 1_800_000_000_000L;

    private final ReplicaComparisons comparisons = new ReplicaComparisons();

    private void add(
            long atMillis, String query, ComparisonVerdict verdict, Set<String> firstLacks, Set<String> secondLacks) {
        AnswerDifference.DifferenceKind kind =
                switch (verdict) {
                    case SAME -> AnswerDifference.DifferenceKind.SAME;
                    case TIES -> AnswerDifference.DifferenceKind.TIES;
                    default -> AnswerDifference.DifferenceKind.DIFFERENT;
                };
        comparisons.add(new ReplicaComparison(
                atMillis, query, verdict, "a", "b", new AnswerDifference(kind, firstLacks, secondLacks)));
    }

    private static Set<String> items(String... ids) {
        return new LinkedHashSet<>(Arrays.asList(ids));
    }

    private ReplicaTruth truth(long nowMillis) {
        return comparisons.truth("s", "c", "r", nowMillis).orElseThrow();
    }

    @Test
    void eachComparisonCountsOnceAndNamesTheServerThatLacked() {
        add(NOW, "q1", ComparisonVerdict.SAME, Set.of(), Set.of());
        add(NOW, "q2", ComparisonVerdict.TIES, Set.of(), Set.of());
        add(NOW, "q3", ComparisonVerdict.LAG, Set.of(), items("x"));
        add(NOW + 1, "q4", ComparisonVerdict.DIFFERENT, items("v", "w", "x", "y"), Set.of());
        add(NOW + 2, "q5", ComparisonVerdict.UNKNOWN, items("z"), Set.of());

        ReplicaTruth truth = truth(NOW + 3);
        assertThat(List.of(truth.same(), truth.ties(), truth.lag(), truth.different(), truth.unknown()))
                .containsOnly(1L);
        assertThat(truth.servers()).containsExactly(new ServerTruth("a", 4, 0, 1), new ServerTruth("b", 4, 1, 0));
        assertThat(truth.queries())
                .containsExactly(
                        new DivergentQuery("q4", NOW + 1, "a", "b", false, 4, List.of("v", "w", "x")),
                        new DivergentQuery("q3", NOW, "b", "a", true, 1, List.of("x")));
        assertThat(truth.startMillis()).isEqualTo(NOW);
        assertThat(truth.endMillis()).isEqualTo(NOW + 3);
    }

    @Test
    void anotherOrderNamesBothServersAndNoItem() {
        add(NOW, "q", ComparisonVerdict.DIFFERENT, Set.of(), Set.of());
        assertThat(truth(NOW).queries()).containsExactly(new DivergentQuery("q", NOW, "a", "b", false, 0, List.of()));
        assertThat(truth(NOW).servers()).allMatch(server -> server.different() == 0);
    }

    @Test
    void anyIdentifierOfAnItemStaysReadable() throws Exception {
        add(NOW, "q\n", ComparisonVerdict.DIFFERENT, items("", "x".repeat(1_000), "\u0000"), Set.of());
        ReplicaTruth truth = truth(NOW);
        assertThat(Codecs.REPLICA_TRUTH.decode(Codecs.REPLICA_TRUTH.encode(truth)))
                .isEqualTo(truth);
    }

    @Test
    void aQueryThatBothAnsweredInPartStandsForBoth() {
        add(NOW, "q", ComparisonVerdict.DIFFERENT, items("x"), items("y"));
        assertThat(truth(NOW).queries()).extracting(DivergentQuery::server).containsExactly("a", "b");
    }

    @Test
    void whatIsOldIsForgotten() {
        add(NOW, "q", ComparisonVerdict.DIFFERENT, items("x"), Set.of());
        add(NOW + 1, "r", ComparisonVerdict.SAME, Set.of(), Set.of());
        assertThat(truth(NOW + ReplicaComparisons.KEPT_MILLIS).different()).isEqualTo(1);
        assertThat(truth(NOW + ReplicaComparisons.KEPT_MILLIS + 1).different()).isZero();
        assertThat(comparisons.truth("s", "c", "r", NOW + ReplicaComparisons.KEPT_MILLIS + 2))
                .isEmpty();
    }

    @Test
    void aFloodKeepsTheNewestAndStaysReadable() {
        for (int i = 0; i < 3 * ReplicaComparisons.MOST; i++) {
            add(NOW + i, "q" + i, ComparisonVerdict.DIFFERENT, items("x"), items("y"));
        }
        ReplicaTruth truth = truth(NOW + 3 * ReplicaComparisons.MOST);
        assertThat(truth.different()).isEqualTo(ReplicaComparisons.MOST);
        assertThat(truth.queries()).hasSize(ReplicaTruth.MOST_QUERIES);
        assertThat(truth.queries().get(0).queryId()).isEqualTo("q" + (3 * ReplicaComparisons.MOST - 1));
    }

    @Test
    void onlyFreshComparisonsWithAVerdictShowAnything() {
        add(NOW, "q", ComparisonVerdict.UNKNOWN, items("x"), Set.of());
        assertThat(standing(NOW)).isEqualTo(ReplicaStanding.UNKNOWN);
        add(NOW, "q", ComparisonVerdict.TIES, Set.of(), Set.of());
        assertThat(standing(NOW)).isEqualTo(ReplicaStanding.ALIKE);
        assertThat(ReplicaComparisons.standing(truth(NOW), NOW + 60_001)).isEqualTo(ReplicaStanding.UNKNOWN);
        add(NOW, "q", ComparisonVerdict.LAG, items("x"), Set.of());
        assertThat(standing(NOW)).isEqualTo(ReplicaStanding.LAG);
        add(NOW, "q", ComparisonVerdict.DIFFERENT, items("x"), Set.of());
        assertThat(standing(NOW)).isEqualTo(ReplicaStanding.DEPENDS);
    }

    private ReplicaStanding standing(long nowMillis) {
        return ReplicaComparisons.standing(truth(nowMillis), nowMillis);
    }
}
