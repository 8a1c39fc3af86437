package io.kipimo.core.quality.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.merge.Shapley.CoalitionValue;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShapleyTest {
    /** The glove game: player 0 has a left glove, 1 and 2 a right one; a pair is worth 1. */
    @Test
    void gloveGame() {
        CoalitionValue pair = coalition -> (coalition & 1) != 0 && (coalition & 6) != 0 ? 1 : 0;
        assertThat(Shapley.attribute(3, pair, () -> new Random(1)))
                .usingComparatorWithPrecision(1e-12)
                .containsExactly(2.0 / 3, 1.0 / 6, 1.0 / 6);
    }

    /** Airport game (Littlechild and Owen, 1973) with runway costs 1, 2, 4. */
    @Test
    void airportGame() {
        CoalitionValue longest = coalition -> Long.highestOneBit(coalition);
        assertThat(Shapley.attribute(3, longest, () -> new Random(1)))
                .usingComparatorWithPrecision(1e-12)
                .containsExactly(1.0 / 3, 1.0 / 3 + 1.0 / 2, 1.0 / 3 + 1.0 / 2 + 2);
    }

    @Property(tries = 200, seed = "51")
    void theValuesSumToTheWholeDifference(@ForAll long seed, @ForAll @IntRange(min = 1, max = 30) int players) {
        CoalitionValue game = coalition -> noise(seed, coalition);
        double[] values = Shapley.attribute(players, game, () -> new Random(seed));
        assertThat(values).hasSize(players);
        assertThat(Arrays.stream(values).sum()).isCloseTo(game.of((1L << players) - 1) - game.of(0), within(1e-12));
    }

    @Property(tries = 200, seed = "52")
    void aPlayerThatNeverContributesHasValueZero(@ForAll long seed, @ForAll @IntRange(min = 1, max = 30) int players) {
        int dummy = Math.floorMod((int) seed, players);
        CoalitionValue game = coalition -> noise(seed, coalition & ~(1L << dummy));
        assertThat(Shapley.attribute(players, game, () -> new Random(seed))[dummy])
                .isZero();
    }

    @Property(tries = 200, seed = "53")
    void playersWithEqualContributionsHaveEqualValues(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 8) int players) {
        // The value depends only on how many of players 0 and 1 take part.
        CoalitionValue game = coalition -> noise(seed, (coalition & ~3L) * 4 + Long.bitCount(coalition & 3L));
        double[] values = Shapley.attribute(players, game, () -> new Random(seed));
        assertThat(values[0]).isCloseTo(values[1], within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 12, 20})
    void sampledIsCloseToExact(int players) {
        // Redundant contributions, like those of components that return the same items.
        RandomGenerator random = new Random(players);
        double[] shares = random.doubles(players).toArray();
        double all = Arrays.stream(shares).sum();
        CoalitionValue game = coalition -> {
            double sum = 0;
            for (int player = 0; player < players; player++) {
                sum += ((coalition >> player) & 1) * shares[player] / all;
            }
            return Math.sqrt(sum);
        };
        double[] expected = bySubsets(players, game);
        assertThat(Shapley.attribute(players, game, () -> random))
                .usingComparatorWithPrecision(0.02)
                .containsExactly(Arrays.stream(expected).boxed().toArray(Double[]::new));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 8})
    void eachCoalitionIsEvaluatedOnce(int players) {
        Map<Long, Integer> evaluations = new HashMap<>();
        Shapley.attribute(players, coalition -> evaluations.merge(coalition, 1, Integer::sum), () -> new Random(1));
        assertThat(evaluations).hasSize(1 << players).allSatisfy((c, n) -> assertThat(n)
                .isOne());
    }

    @Test
    void sixtyThreePlayersAreTheMost() {
        assertThat(Shapley.attribute(63, Long::bitCount, () -> new Random(1)))
                .usingComparatorWithPrecision(1e-12)
                .containsOnly(1.0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Shapley.attribute(64, Long::bitCount, () -> new Random(1)))
                .withMessage("players are 64; allowed: 0..63");
    }

    /** By definition: the sum over the subsets without the player. */
    private static double[] bySubsets(int players, CoalitionValue game) {
        double[] worth = new double[1 << players];
        for (int coalition = 0; coalition < worth.length; coalition++) {
            worth[coalition] = game.of(coalition);
        }
        double[] values = new double[players];
        for (int player = 0; player < players; player++) {
            for (int coalition = 0; coalition < worth.length; coalition++) {
                if (((coalition >> player) & 1) == 0) {
                    int size = Integer.bitCount(coalition);
                    double weight = 1.0 / players;
                    for (int i = 1; i <= size; i++) {
                        weight *= (double) i / (players - i);
                    }
                    values[player] += weight * (worth[coalition | (1 << player)] - worth[coalition]);
                }
            }
        }
        return values;
    }

    private static double noise(long seed, long coalition) {
        return new Random(seed * 31 + coalition * 0x9E3779B97F4A7C15L).nextDouble();
    }
}
