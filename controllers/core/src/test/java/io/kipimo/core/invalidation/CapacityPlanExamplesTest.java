package io.kipimo.core.invalidation;

import static io.kipimo.core.invalidation.Representation.ID_LIST;
import static io.kipimo.core.invalidation.Representation.OBJECT_LIST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CapacityPlanExamplesTest {
    private static Candidate candidate(String key, double hits, double cost, boolean isIn) {
        return new Candidate(key, hits, cost, isIn);
    }

    @Test
    void theMostHitsPerCostComeFirstAndWhatDoesNotFitIsPassedOver() {
        CapacityPlan plan = CapacityPlan.of(
                List.of(
                        candidate("good", 10, 2, false),
                        candidate("best", 9, 1, false),
                        candidate("large", 40, 9, false),
                        candidate("small", 1, 1, true),
                        candidate("useless", 0, 1, true)),
                5,
                0);
        assertThat(plan.admit()).containsExactly("best", "good");
        assertThat(plan.evict()).containsExactly("useless");
        assertThat(plan.cost()).isEqualTo(4);
        assertThat(plan.hitsSaved()).isEqualTo(20);
    }

    @Test
    void admittedQueriesStayUntilAnotherIsClearlyBetter() {
        Candidate in = candidate("in", 10, 1, true);
        assertThat(CapacityPlan.of(List.of(in, candidate("new", 11, 1, false)), 1, 0.2)
                        .admit())
                .isEmpty();
        CapacityPlan better = CapacityPlan.of(List.of(in, candidate("new", 13, 1, false)), 1, 0.2);
        assertThat(better.admit()).containsExactly("new");
        assertThat(better.evict()).containsExactly("in");
    }

    @Test
    void missesAreTheFirstReadsAfterInvalidations_simulated() {
        SplittableRandom random = new SplittableRandom(8);
        QueryDemand demand = new QueryDemand(3, 2, 0);
        int reads = 0;
        int misses = 0;
        boolean isStale = false;
        for (int i = 0; i < 1_000_000; i++) {
            if (random.nextDouble() < 2.0 / (2 + 3)) {
                isStale = true;
            } else {
                reads++;
                misses += isStale ? 1 : 0;
                isStale = false;
            }
        }
        assertThat(demand.missFraction(2)).isCloseTo(misses / (double) reads, within(0.003));
        assertThat(demand.hitsSaved(2)).isCloseTo(3 * 0.6, within(1e-12));
        assertThat(new QueryDemand(0, 1, 0).hitsSaved(1)).isZero();
    }

    @Test
    void idListsServeResultsWhoseRecordsChangeOften() {
        AccessCosts costs = new AccessCosts(4, 150, 6, 100);
        QueryDemand busy = new QueryDemand(1, 0.001, 0.5);
        // By hand: i / (i + r) of the reads of objects miss. Hardly any read of ids misses, and
        // each of the six records misses in one fetch of 13.
        assertThat(costs.objectListMillis(busy)).isCloseTo(4 + (146 + 100) * 0.501 / 1.501, within(1e-9));
        assertThat(busy.recordHitFraction(6)).isCloseTo(12 / 13.0, within(1e-12));
        assertThat(costs.idListMillis(busy, 6, 12 / 13.0))
                .isCloseTo(4 + (146 + 100) * 0.001 / 1.001 + 4 + 146 * (1 - Math.pow(12 / 13.0, 6)), within(1e-9));
        assertThat(costs.choose(busy, 6, OBJECT_LIST, 0.2)).isEqualTo(ID_LIST);
        assertThat(costs.choose(busy, 100, ID_LIST, 0.2))
                .as("too many round trips")
                .isEqualTo(OBJECT_LIST);
        assertThat(costs.choose(new QueryDemand(1, 0.5, 0.001), 6, OBJECT_LIST, 0))
                .as("id lists are invalidated equally often")
                .isEqualTo(OBJECT_LIST);
        assertThat(costs.choose(busy, 0, OBJECT_LIST, 0)).isEqualTo(OBJECT_LIST);
        // One round of six and one of four: 4 + 2 ms for cache rounds, all hits.
        assertThat(costs.idListMillis(new QueryDemand(1, 0, 0), 10, 1)).isEqualTo(12);
    }

    @Test
    void betweenTheTwoThresholdsTheFormStaysWhatItIs() {
        AccessCosts costs = new AccessCosts(4, 150, 6, 100);
        // 86 ms for objects, 93 ms for ids.
        QueryDemand close = new QueryDemand(1, 0.001, 0.5);
        assertThat(costs.choose(close, 30, OBJECT_LIST, 0.2)).isEqualTo(OBJECT_LIST);
        assertThat(costs.choose(close, 30, ID_LIST, 0.2)).isEqualTo(ID_LIST);
        assertThat(costs.choose(close, 30, ID_LIST, 0)).isEqualTo(OBJECT_LIST);
    }

    @Test
    void impossibleFiguresAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QueryDemand(-1, 0, 0))
                .withMessageContaining("reads -1");
        assertThatIllegalArgumentException().isThrownBy(() -> candidate("q", 1, 0, false));
        assertThatIllegalArgumentException().isThrownBy(() -> CapacityPlan.of(List.of(), Double.NaN, 0));
    }
}
