package io.kipimo.core.admission;

import static io.kipimo.core.admission.CostOrderTest.decision;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.schemas.decision.Decision;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.DoubleRange;

/**
 * Costs are learned from one stretch of traffic, of which a part was shed, and applied to the next one by the hash of
 * the query ids.
 */
class CostOrderPropertyTest {
    private static final int QUERIES = 20_000;
    private static final long NOW = 1_700_000_000_000L;

    /** Sampling error of the admitted share of lognormal work over 20,000 queries. */
    private static final double TOLERANCE = 0.04;

    /** How predictions and work are related. */
    private enum Prediction {
        RIGHT,
        NOISY,
        UNRELATED,
        OPPOSITE
    }

    /** Predicted cost and work of queries. */
    private record Traffic(double[] predicted, double[] work) {
        static Traffic of(SplittableRandom random, Prediction prediction) {
            double[] predicted = new double[QUERIES];
            double[] work = new double[QUERIES];
            for (int i = 0; i < QUERIES; i++) {
                double cost = random.nextGaussian();
                double other = random.nextGaussian();
                double said =
                        switch (prediction) {
                            case RIGHT -> cost;
                            case NOISY -> cost + other;
                            case UNRELATED -> other;
                            case OPPOSITE -> -cost;
                        };
                predicted[i] = 30 * Math.exp(said);
                work[i] = Math.rint(2_000 * Math.exp(0.8 * cost + 0.2 * other));
            }
            return new Traffic(predicted, work);
        }

        /** Tallies after the fractions of an earlier order. */
        Map<Integer, CostTally> tallies(Decision earlier, long seed) {
            Map<Integer, CostTally> tallies = new HashMap<>();
            for (int i = 0; i < QUERIES; i++) {
                boolean answered = admits(earlier, "learn-" + seed + '-' + i, predicted[i]);
                tallies.merge(
                        CostBins.of(predicted[i]),
                        new CostTally(1, answered ? 1 : 0, answered ? (long) work[i] : 0),
                        CostTally::plus);
            }
            return tallies;
        }
    }

    private static boolean admits(Decision decision, String id, double cost) {
        return HashAdmission.admits(id, CostOrder.fraction(decision, decision.value(), cost), NOW);
    }

    private static Decision learned(SplittableRandom random, Prediction prediction, double fraction, long seed) {
        Decision open = decision(1, List.of());
        Decision first = decision(
                fraction,
                CostOrder.steps(CostDeciles.of(Traffic.of(random, prediction).tallies(open, seed)), fraction, 0.9));
        // Costs are learned anew under the order in force.
        return decision(
                fraction,
                CostOrder.steps(CostDeciles.of(Traffic.of(random, prediction).tallies(first, seed)), fraction, 0.9));
    }

    @Property(tries = 40, shrinking = ShrinkingMode.OFF)
    void theAdmittedShareOfTheWorkIsTheFraction(
            @ForAll Prediction prediction,
            @ForAll long seed,
            @ForAll @DoubleRange(min = 0.15, max = 0.95) double fraction) {
        SplittableRandom random = new SplittableRandom(seed);
        Decision decision = learned(random, prediction, fraction, seed);
        Traffic next = Traffic.of(random, prediction);

        double admitted = 0;
        int queries = 0;
        for (int i = 0; i < QUERIES; i++) {
            if (admits(decision, "q-" + seed + '-' + i, next.predicted()[i])) {
                admitted += next.work()[i];
                queries++;
            }
        }

        assertThat(admitted / Arrays.stream(next.work()).sum())
                .as("%s, seed %d", prediction, seed)
                .isBetween(fraction - TOLERANCE, fraction + TOLERANCE);
        assertThat((double) queries / QUERIES).isGreaterThan(fraction - TOLERANCE);
        if (prediction == Prediction.RIGHT && fraction < 0.8) {
            assertThat((double) queries / QUERIES).isGreaterThan(fraction + 0.1);
        }
    }

    /** A tenth of what is offered, and never more than the fraction, by the hash of the ids. */
    @Property(tries = 40, shrinking = ShrinkingMode.OFF)
    void everyDecileOfPredictedCostGetsItsFairShare(
            @ForAll Prediction prediction,
            @ForAll long seed,
            @ForAll @DoubleRange(min = 0.02, max = 0.95) double fraction) {
        SplittableRandom random = new SplittableRandom(seed);
        Decision decision = learned(random, prediction, fraction, seed);
        double[] ascending = Traffic.of(random, prediction).predicted();
        Arrays.sort(ascending);

        int size = QUERIES / 10;
        for (int decile = 0; decile < 10; decile++) {
            int admitted = 0;
            for (int i = decile * size; i < (decile + 1) * size; i++) {
                admitted += admits(decision, "q-" + seed + '-' + i, ascending[i]) ? 1 : 0;
            }
            // Four standard deviations of a binomial share.
            assertThat((double) admitted / size)
                    .as("decile %d, %s, seed %d", decile, prediction, seed)
                    .isGreaterThan(Math.min(0.1, fraction) - 4 * Math.sqrt(0.1 * 0.9 / size));
        }
    }

    /** Those admitted at a fraction are admitted at any greater one, whatever their cost. */
    @Property(tries = 40, shrinking = ShrinkingMode.OFF)
    void aGreaterFractionShedsNoOther(@ForAll long seed, @ForAll @DoubleRange(min = 0.02, max = 0.9) double fraction) {
        SplittableRandom random = new SplittableRandom(seed);
        Traffic traffic = Traffic.of(random, Prediction.NOISY);
        var deciles = CostDeciles.of(traffic.tallies(decision(1, List.of()), seed));
        Decision less = decision(fraction, CostOrder.steps(deciles, fraction, 0.9));
        double greater = fraction + (1 - fraction) * random.nextDouble();
        Decision more = decision(greater, CostOrder.steps(deciles, greater, 0.9));

        for (double cost : traffic.predicted()) {
            assertThat(CostOrder.fraction(more, greater, cost))
                    .isGreaterThanOrEqualTo(CostOrder.fraction(less, fraction, cost) - 1e-12);
        }
    }
}
