package io.kipimo.bench.foreseen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
