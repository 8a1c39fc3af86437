package io.kipimo.core.invalidation.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.invalidation.Representation;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CapacityTest {
    private static Candidate candidate(String key, double hits, double cost, boolean isIn) {
        return new Candidate(key, hits, cost, isIn);
    }

    @Test
    void theMostHitsPerCostComeFirstAndWhatDoesNotFitIsPassedOver() {
        CapacityPlan plan =
                CapacityPlan.of(
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
    void whoIsInStaysUntilSomeoneIsClearlyBetter() {
        Candidate in = candidate("in", 10, 1, true);
        assertThat(CapacityPlan.of(List.of(in, candidate("new", 11, 1, false)), 1, 0.2).admit())
                .isEmpty();
        CapacityPlan better = CapacityPlan.of(List.of(in, candidate("new", 13, 1, false)), 1, 0.2);
        assertThat(better.admit()).containsExactly("new");
        assertThat(better.evict()).containsExactly("in");
    }

    @Test
    void missesAreTheFirstReadsAfterInvalidations_simulated() {
        SplittableRandom random = new SplittableRandom(8);
        QueryDemand demand = new QueryDemand(3, 2, 0, 1);
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
        assertThat(new QueryDemand(0, 1, 0, 1).hitsSaved(1)).isZero();
    }

    @Test
    void idListsServeResultsWhoseRecordsChangeOftenAndAreCached() {
        AccessCosts costs = new AccessCosts(4, 150, 6);
        QueryDemand busy = new QueryDemand(10, 0.01, 50, 1);
        QueryDemand calm = new QueryDemand(10, 0.01, 0.01, 1);
        assertThat(costs.choose(busy, 6, 0.95)).isEqualTo(Representation.ID_LIST);
        assertThat(costs.choose(busy, 6, 0.1)).isEqualTo(Representation.OBJECT_LIST);
        assertThat(costs.choose(calm, 6, 0.95)).isEqualTo(Representation.OBJECT_LIST);
        // One round of six, one of four: 4 + 2 rounds to the cache, all hits.
        assertThat(costs.idListMillis(new QueryDemand(1, 0, 0, 1), 10, 1)).isEqualTo(12);
    }

    @Test
    void impossibleFiguresAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QueryDemand(-1, 0, 0, 0))
                .withMessageContaining("reads -1");
        assertThatIllegalArgumentException().isThrownBy(() -> candidate("q", 1, 0, false));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CapacityPlan.of(List.of(), Double.NaN, 0));
    }
}
