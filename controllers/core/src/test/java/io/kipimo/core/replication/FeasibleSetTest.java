package io.kipimo.core.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.tails.ServerCapacity;
import io.kipimo.core.tails.TokenCapacity;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class FeasibleSetTest {
    /** 6 servers of 2 cores, 100 ms a page: 120/s; 8 of 2 cores, 10 ms a query: 1,600/s. */
    private static FeasibleSet wiki(double pagesPerSecond, FeasibilityLimits limits) {
        return new FeasibleSet(
                List.of(
                        new TierLoad(
                                new ServerCapacity(6, 2, 100_000),
                                Optional.of(new TokenCapacity(6, 12, 300_000)),
                                pagesPerSecond,
                                pagesPerSecond),
                        new TierLoad(
                                new ServerCapacity(8, 2, 10_000),
                                Optional.of(new TokenCapacity(8, 12, 200_000)),
                                pagesPerSecond * 10,
                                pagesPerSecond)),
                limits);
    }

    private static List<Constraint> broken(FeasibleSet set, int... factors) {
        return set.violations(Factors.of(factors)).stream()
                .map(ConstraintViolation::constraint)
                .toList();
    }

    @Test
    void aTiersLoadIncludesTheAmplificationAbove() {
        FeasibleSet set = wiki(20, FeasibilityLimits.PUBLISHED);
        assertThat(set.utilisation(1, Factors.of(1, 1))).isCloseTo(200 / 1600.0, within(1e-12));
        assertThat(set.utilisation(1, Factors.of(3, 2))).isCloseTo(1200 / 1600.0, within(1e-12));
        assertThat(set.contains(Factors.of(2, 1))).isTrue();
        // 3 * 20 pages: C(8,2) C(6,2) C(4,2) / C(8,2)^3 = 0.115 is the probability of no collision.
        assertThat(broken(set, 3, 2)).containsExactly(Constraint.COLLISIONS);
    }

    @Test
    void eachConstraintIsNamed() {
        assertThat(broken(wiki(1, FeasibilityLimits.PUBLISHED), 7, 1))
                .contains(Constraint.SERVERS, Constraint.COLLISIONS);
        assertThat(broken(wiki(60, FeasibilityLimits.PUBLISHED), 2, 1)).containsExactly(Constraint.SERVER_CAPACITY);
        FeasibleSet fewTokens = new FeasibleSet(
                List.of(new TierLoad(
                        new ServerCapacity(6, 2, 1_000), Optional.of(new TokenCapacity(6, 1, 300_000)), 10, 10)),
                FeasibilityLimits.PUBLISHED);
        assertThat(broken(fewTokens, 2)).containsExactly(Constraint.TOKEN_CAPACITY);
        // 1 * 5 * 100 ms of 12 cores and 10 * 5 * 10 ms of 16: 1 core of 28.
        FeasibleSet budget = wiki(5, new FeasibilityLimits(0.5, 1, 0.03));
        assertThat(budget.extraLoad(Factors.of(2, 1))).isCloseTo(1 / 28.0, within(1e-12));
        assertThat(broken(budget, 2, 1)).containsExactly(Constraint.EXTRA_LOAD);
        assertThat(budget.contains(Factors.of(1, 2))).isTrue();
    }

    @Test
    void withoutCopiesThereIsNothingToComeDownTo() {
        FeasibleSet overloaded = wiki(1_000, FeasibilityLimits.PUBLISHED);
        assertThat(overloaded.contains(Factors.ones(2))).isTrue();
        assertThat(overloaded.violations(Factors.ones(2))).isNotEmpty();
        assertThat(overloaded.nearestBelow(Factors.of(3, 3), List.of(1.0, 1.0))).isEqualTo(Factors.ones(2));
    }

    @Test
    void comesDownInTheTierThatVariesLeast() {
        FeasibleSet set = wiki(40, FeasibilityLimits.PUBLISHED);
        assertThat(broken(set, 2, 4)).contains(Constraint.SERVER_CAPACITY);
        assertThat(set.nearestBelow(Factors.of(2, 3), List.of(5.0, 2.0))).isEqualTo(Factors.of(2, 1));
        assertThat(set.nearestBelow(Factors.of(2, 3), List.of(2.0, 5.0))).isEqualTo(Factors.of(1, 3));
    }

    @Property(tries = 500, seed = "71")
    void loweredFactorsAreFeasibleAndInNoTierHigher(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FeasibleSet set = wiki(
                random.nextDouble(100), new FeasibilityLimits(random.nextDouble(), 0.1 + 0.9 * random.nextDouble(), 1));
        Factors from = Factors.of(1 + random.nextInt(9), 1 + random.nextInt(9));
        Factors below = set.nearestBelow(from, List.of(random.nextDouble(), random.nextDouble()));
        assertThat(set.contains(below)).isTrue();
        assertThat(below.at(0)).isLessThanOrEqualTo(from.at(0));
        assertThat(below.at(1)).isLessThanOrEqualTo(from.at(1));
        if (set.contains(from)) {
            assertThat(below).isEqualTo(from);
        }
    }

    @Test
    void aPersonsBoundOnATierHolds() {
        FeasibleSet bounded = new FeasibleSet(
                wiki(1, FeasibilityLimits.PUBLISHED).tiers(), new FeasibilityLimits(1, 1, 1, List.of(2, 3)));
        assertThat(bounded.contains(Factors.of(2, 3))).isTrue();
        assertThat(bounded.violations(Factors.of(3, 3)))
                .extracting(ConstraintViolation::constraint)
                .containsExactly(Constraint.MAXIMUM_FACTOR);
        assertThat(bounded.nearestBelow(Factors.of(3, 3), List.of(9.0, 1.0))).isEqualTo(Factors.of(2, 3));
    }
}
