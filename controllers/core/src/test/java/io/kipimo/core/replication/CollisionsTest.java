package io.kipimo.core.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.Effort;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class CollisionsTest {
    private static double atLast(List<Integer> servers, int... factors) {
        return Collisions.probability(servers, Factors.of(factors), 0, servers.size() - 1);
    }

    /** (C(8,2) * C(6,2)) / C(8,2)^2 = 15 / 28. */
    @Test
    void collisionProbability_sPareFormula1() {
        assertThat(atLast(List.of(6, 8), 2, 2)).isCloseTo(1 - 15.0 / 28, within(1e-12));
    }

    @Test
    void oneRequestNeverCollidesAndTooManyAlwaysDo() {
        assertThat(atLast(List.of(6, 8), 1, 8)).isEqualTo(0.0);
        assertThat(1 / atLast(List.of(6, 8), 1, 8)).as("not -0").isPositive();
        assertThat(atLast(List.of(6, 3), 2, 2)).isEqualTo(1);
        // As many copies as servers can still avoid collisions.
        assertThat(atLast(List.of(6, 4), 2, 2)).isCloseTo(5.0 / 6, within(1e-12));
        assertThat(atLast(List.of(6), 4)).isZero();
        assertThat(atLast(List.of(2), 3)).isEqualTo(1);
        // The product overflows a long.
        int[] many = new int[80];
        Arrays.fill(many, 3);
        assertThat(atLast(Collections.nCopies(80, 10_000), many)).isEqualTo(1);
    }

    /** Every small case of two and three tiers, counted placement by placement. */
    @Test
    void equalsEnumerationOfAllPlacements() {
        int cases = 0;
        for (int servers = 1; servers <= 6; servers++) {
            for (int requests = 1; requests <= 4; requests++) {
                for (int copies = 1; copies <= servers; copies++) {
                    double counted = enumerate(servers, requests, copies);
                    assertThat(atLast(List.of(9, servers), requests, copies))
                            .as("%s requests, %s copies, %s servers", requests, copies, servers)
                            .isCloseTo(counted, within(1e-12));
                    if (requests == 4) {
                        assertThat(atLast(List.of(9, 9, servers), 2, 2, copies)).isCloseTo(counted, within(1e-12));
                    }
                    cases++;
                }
            }
        }
        assertThat(cases).isEqualTo(84);
    }

    private static double enumerate(int servers, int requests, int copies) {
        List<Integer> choices = new ArrayList<>();
        for (int mask = 0; mask < 1 << servers; mask++) {
            if (Integer.bitCount(mask) == copies) {
                choices.add(mask);
            }
        }
        long apart = apart(choices, requests, 0);
        return 1 - apart / Math.pow(choices.size(), requests);
    }

    private static long apart(List<Integer> choices, int requests, int taken) {
        if (requests == 0) {
            return 1;
        }
        long count = 0;
        for (int choice : choices) {
            if ((choice & taken) == 0) {
                count += apart(choices, requests - 1, taken | choice);
            }
        }
        return count;
    }

    @Test
    void equalsMonteCarloOnLargeTiers() {
        RandomGenerator random = new SplittableRandom(7);
        int[][] cases = {{10_000, 50, 3}, {10_000, 20, 10}, {1_000, 12, 4}, {100, 3, 5}};
        for (int[] c : cases) {
            int trials = Effort.of(2_000, 40_000);
            int collided = 0;
            for (int i = 0; i < trials; i++) {
                collided += collides(c[0], c[1], c[2], random) ? 1 : 0;
            }
            double exact = atLast(List.of(c[0], c[0]), c[1], c[2]);
            double error = Math.sqrt(exact * (1 - exact) / trials);
            assertThat((double) collided / trials)
                    .as("%s requests, %s copies, %s servers", c[1], c[2], c[0])
                    .isCloseTo(exact, within(4 * error));
        }
    }

    private static boolean collides(int servers, int requests, int copies, RandomGenerator random) {
        BitSet taken = new BitSet(servers);
        for (int request = 0; request < requests; request++) {
            BitSet mine = new BitSet(servers);
            while (mine.cardinality() < copies) {
                mine.set(random.nextInt(servers));
            }
            if (taken.intersects(mine)) {
                return true;
            }
            taken.or(mine);
        }
        return false;
    }

    /** The formula with binomials, in exact arithmetic, since doubles would overflow. */
    @Test
    void isExactUpToTenThousandServers() {
        int servers = 10_000;
        for (int[] c : new int[][] {{2, 2}, {4, 25}, {30, 3}, {100, 1}, {2, 5_000}, {500, 20}}) {
            BigInteger product = BigInteger.ONE;
            for (int k = 0; k < c[0]; k++) {
                product = product.multiply(binomial(servers - k * c[1], c[1]));
            }
            double apart = new BigDecimal(product)
                    .divide(new BigDecimal(binomial(servers, c[1]).pow(c[0])), MathContext.DECIMAL128)
                    .doubleValue();
            assertThat(atLast(List.of(servers, servers), c)).isCloseTo(1 - apart, within(1e-10));
        }
    }

    private static BigInteger binomial(int n, int k) {
        BigInteger result = BigInteger.ONE;
        for (int i = 1; i <= k; i++) {
            result = result.multiply(BigInteger.valueOf(n - k + i)).divide(BigInteger.valueOf(i));
        }
        return result;
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(() -> atLast(List.of(6), 2, 2)).hasMessageContaining("as many servers");
        assertThatThrownBy(() -> atLast(List.of(0, 2), 2, 2)).hasMessageContaining("each >= 1");
        assertThatThrownBy(() -> Factors.of(2, 0)).hasMessageContaining("[2, 0]");
        assertThatThrownBy(() -> Factors.of()).hasMessageContaining("one a tier");
    }
}
