package io.kipimo.core.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.core.tails.ServerCapacity;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Two tiers of servers with low utilisation; a copy takes 10 ms or, one in five, 100 ms. */
class FactorModelTest {
    private static final Factors ONES = Factors.ones(2);
    private static final Factors SECOND_COPIES = Factors.of(2, 1);
    private static final double SLOW = 0.2;

    private final SplittableRandom random = new SplittableRandom(3);

    private LatencySketch latencies(double slowShare) {
        LatencySketch sketch = new LatencySketch();
        for (int i = 0; i < 50_000; i++) {
            sketch.record(random.nextDouble() < slowShare ? 100_000 : 10_000);
        }
        return sketch;
    }

    private MeasuredFactors measured(double slowFirst, double slowSecond) {
        LatencySketch first = latencies(SLOW);
        LatencySketch second = latencies(SLOW);
        return new MeasuredFactors(
                List.of(latencies(slowFirst), latencies(slowSecond)),
                List.of(first, second),
                new LatencySketch(),
                0,
                10,
                0,
                0,
                600_000);
    }

    private static FeasibleSet idle() {
        TierLoad tier = new TierLoad(new ServerCapacity(8, 8, 1_000), Optional.empty(), 1, 1);
        return new FeasibleSet(List.of(tier, tier), new FeasibilityLimits(0.5, 0.8, 1));
    }

    private static FactorTrial trial(Factors to, MeasuredFactors measured) {
        return new FactorTrial(ONES, to, 0, measured, OptionalDouble.empty());
    }

    private List<Double> taught(Factors to, MeasuredFactors after) {
        return FactorModel.taughtBy(trial(to, after), measured(SLOW, SLOW), idle(), TargetMetric.MEAN, List.of());
    }

    private double change(List<Double> trust, Factors to) {
        return FactorModel.of(measured(SLOW, SLOW), idle(), ONES, TargetMetric.MEAN, trust)
                .orElseThrow()
                .changeMicros(to);
    }

    @Test
    void copiesThatAreIndependentKeepTheModelsPromise() {
        // Both copies are slow with probability 0.04 instead of 0.2, which costs 90 ms each.
        assertThat(change(List.of(), SECOND_COPIES)).isCloseTo(-14_400, within(300.0));
        List<Double> taught = taught(SECOND_COPIES, measured(SLOW * SLOW, SLOW));
        assertThat(taught.get(0)).isCloseTo(1, within(0.05));
        assertThat(taught.get(1)).as("not tried").isEqualTo(1);
    }

    @Test
    void copiesThatAreSlowTogetherGainNothing_andTheModelLearnsIt() {
        List<Double> taught = taught(SECOND_COPIES, measured(SLOW, SLOW));
        assertThat(taught.get(0)).isCloseTo(0, within(0.05));
        assertThat(change(taught, SECOND_COPIES)).isCloseTo(0, within(700.0));
        assertThat(change(taught, Factors.of(1, 2))).isLessThan(-10_000);
    }

    @Test
    void halfOfThePromiseIsHalfOfTheTrust() {
        List<Double> taught = taught(SECOND_COPIES, measured((SLOW + SLOW * SLOW) / 2, SLOW));
        assertThat(taught.get(0)).isCloseTo(0.5, within(0.05));
        assertThat(change(taught, SECOND_COPIES)).isCloseTo(-7_200, within(700.0));
    }

    @Test
    void aGainOfTheNextTierIsNotCreditedToTheFirst() {
        // Tier 1 improves by as much as tier 2, since each of its requests waits for tier 2 once.
        List<Double> taught = taught(Factors.of(2, 2), measured(SLOW * SLOW, SLOW * SLOW));
        assertThat(taught.get(0)).isCloseTo(0, within(0.05));
        assertThat(taught.get(1)).isCloseTo(1, within(0.05));
    }
}
