package io.kipimo.bench.foreseen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Known answers, worked out by hand. */
class PredictionsTest {
    private static final Predictions FOUR = new Predictions(new double[] {.9, .6, .6, .1}, new double[] {1, 1, 0, 0});

    @Test
    void logLossIsTheMeanCrossEntropy() {
        double expected = -(Math.log(.9) + Math.log(.6) + Math.log(.4) + Math.log(.9)) / 4;
        assertThat(FOUR.logLoss()).isCloseTo(expected, within(1e-12));
    }

    @Test
    void theAreaUnderTheCurveIsTheShareOfPairsInOrderAndTiesCountHalf() {
        // Of 2 x 2 pairs three are in order, and .6 against .6 is tied.
        assertThat(FOUR.areaUnderCurve()).isEqualTo(3.5 / 4);
        assertThat(new Predictions(new double[] {.2, .8}, new double[] {1, 0}).areaUnderCurve())
                .isZero();
    }

    @Test
    void theCalibrationErrorWeighsTheDistanceOfEachTenthByItsPredictions() {
        // .9: 1; .6: .5 twice; .1: 0.
        assertThat(FOUR.calibrationError()).isCloseTo((.1 + 2 * .1 + .1) / 4, within(1e-12));
    }

    /** The greatest error of a tenth itself is above the bar by chance in many of these runs. */
    @Test
    void aPerfectPredictorIsSeldomOff_andOneThatPromisesAFifthTooMuchIs() {
        int refuted = 0;
        int aboveTheBar = 0;
        for (int seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double[] probabilities = random.doubles(1_500).toArray();
            double[] events = DoubleStream.of(probabilities)
                    .map(p -> random.nextDouble() < p ? 1 : 0)
                    .toArray();
            Predictions perfect = new Predictions(probabilities, events);
            refuted += perfect.tenthsOff(.05) > 0 ? 1 : 0;
            aboveTheBar +=
                    perfect.bins().stream().anyMatch(bin -> Math.abs(bin.meanPredicted() - bin.meanMeasured()) > .05)
                            ? 1
                            : 0;
            double[] tooHigh =
                    DoubleStream.of(probabilities).map(p -> Math.min(1, p + .2)).toArray();
            assertThat(new Predictions(tooHigh, events).tenthsOff(.05)).isPositive();
        }
        assertThat(refuted).isLessThanOrEqualTo(10);
        assertThat(aboveTheBar).isGreaterThan(60);
    }

    @Test
    void asManyAreSkippedAsKeepWrongOnesFewAndTiesAreSkippedTogether() {
        assertThat(FOUR.skippable(0)).isEqualTo(.25);
        assertThat(FOUR.skippable(.34)).isEqualTo(.75);
        assertThat(FOUR.skippable(.5)).isEqualTo(1);
        assertThat(new Predictions(new double[] {.9, .9}, new double[] {1, 0}).skippable(.1))
                .isZero();
    }

    @Test
    void whatHasNoPredictionDoesNotCount() {
        Predictions some = Predictions.of(new double[] {Double.NaN, .5}, new double[] {1, 0});
        assertThat(some.predicted()).containsExactly(.5);
        assertThat(some.meanActual()).isZero();
    }

    @Test
    void theLogisticModelLearnsTheShareOfEachFeature() {
        LogisticModel model = new LogisticModel();
        IntStream.range(0, 20_000).forEach(i -> model.learn(new long[] {i % 2}, i % 2 == 0 ? .2 : i % 4 == 1 ? 1 : 0));
        assertThat(model.predict(new long[] {0})).isCloseTo(.2, within(.05));
        assertThat(model.predict(new long[] {1})).isCloseTo(.5, within(.05));
    }
}
