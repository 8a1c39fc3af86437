package io.kipimo.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.tails.ServerCapacity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class FactorSearchTest {
    /** Idle tiers: every factor up to the number of servers is feasible. */
    private static FeasibleSet anyOf(int... servers) {
        List<TierLoad> tiers = new ArrayList<>();
        for (int count : servers) {
            tiers.add(new TierLoad(new ServerCapacity(count, 1, 1), Optional.empty(), 0, 0));
        }
        return new FeasibleSet(tiers, new FeasibilityLimits(1, 1, 1));
    }

    /** sPARE, algorithm 1, traced by hand. */
    @Test
    void algorithm1_goesTheWayThatItsLinesSay() {
        List<Factors> measured = new ArrayList<>();
        // The optimum is (2, 3). Tier 1 varies most until its factor is 2.
        Function<Factors, FactorSearch.FactorSample> service = r -> {
            measured.add(r);
            double target = Math.abs(r.at(0) - 2) + Math.abs(r.at(1) - 3);
            return new FactorSearch.FactorSample(target, r.at(0) == 1 ? List.of(5.0, 2.0) : List.of(1.0, 2.0));
        };

        FactorSearch.FactorResult result = FactorSearch.run(anyOf(9, 9), service);

        assertThat(measured)
                .containsExactly(
                        Factors.of(1, 1),
                        Factors.of(2, 1), // most varying tier; kept
                        Factors.of(2, 2), // now the other; kept
                        Factors.of(2, 3), // kept
                        Factors.of(2, 4), // worse: direction out
                        Factors.of(3, 3)); // the only one left: worse
        assertThat(result.best()).isEqualTo(Factors.of(2, 3));
        assertThat(result.target()).isZero();
        assertThat(result.measurements()).isEqualTo(6);
    }

    /** Line 13 removes the points with the same r_i in the other tiers; after a move they are new. */
    @Test
    void aDirectionIsOpenAgainOnceAnotherTierHasMoved() {
        FeasibleSet feasible = anyOf(9, 9);
        FactorSearch search = FactorSearch.start(2).notImproved(0);
        assertThat(search.directions(feasible)).containsExactly(1);
        assertThat(search.improved(1).directions(feasible)).containsExactly(0, 1);
    }

    @Test
    void leavesTheFeasibleSetAlone() {
        assertThat(FactorSearch.start(2).directions(anyOf(1, 3))).containsExactly(1);
        assertThat(FactorSearch.from(Factors.of(1, 3)).directions(anyOf(1, 3))).isEmpty();
        assertThat(FactorSearch.start(2).next(anyOf(9, 9), List.of(2.0, 2.0))).hasValue(0);
    }
}
