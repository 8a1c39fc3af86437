package io.kipimo.core.quality.merge;

import static io.kipimo.core.quality.SampleMeasurements.clean;
import static io.kipimo.core.quality.SampleMeasurements.degraded;
import static io.kipimo.core.quality.SampleMeasurements.expired;
import static io.kipimo.core.quality.SampleMeasurements.late;
import static io.kipimo.core.quality.SampleMeasurements.missing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.completeness.CalibrationBin;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.completeness.ComponentLoss;
import io.kipimo.schemas.quality.Measurement;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompletenessLearningTest {
    private final CompletenessState state = new CompletenessState();

    private CompletenessModel model() {
        return CompletenessLearning.model(state, "shop", "high");
    }

    private void learn(Measurement... measurements) {
        for (Measurement measurement : measurements) {
            CompletenessLearning.learn(state, measurement);
        }
    }

    @Test
    void aLossIsTheMeanCostOfTheComponentsLateness() {
        learn(degraded(1, late("a", 0.2)), degraded(2, late("a", 0.4), late("b", 0.1)), clean(3));

        CompletenessModel model = model();

        assertThat(model.queries()).isEqualTo(2);
        assertThat(model.asOfMillis()).isEqualTo(2);
        assertThat(model.losses()).extracting(ComponentLoss::component).containsExactly("a", "b");
        assertThat(model.losses().get(0).loss()).isCloseTo(0.3, within(1e-12));
        assertThat(model.losses().get(0).queries()).isEqualTo(2);
        assertThat(model.usualLoss()).isCloseTo(0.7 / 3, within(1e-12));
        QualityPrediction prediction = QualityPrediction.by(model);
        assertThat(prediction.of(List.of())).isEqualTo(1);
        assertThat(prediction.of(List.of("a"))).isCloseTo(0.7, within(1e-12));
        assertThat(prediction.of(List.of("a", "b"))).isCloseTo(0.6, within(1e-12));
        assertThat(prediction.of(List.of("stranger"))).isCloseTo(1 - 0.7 / 3, within(1e-12));
    }

    @Test
    void aPredictionIsNeverBelowZero() {
        learn(degraded(1, late("a", 0.7)), degraded(2, late("b", 0.8)));
        assertThat(QualityPrediction.by(model()).of(List.of("a", "b"))).isZero();
    }

    @Test
    void missingResultsCostTheirGreatestPossibleLoss() {
        learn(expired(1, 0.5, 0.9, missing("dead"), late("slow", 0.1)));

        assertThat(model().losses())
                .containsExactly(new ComponentLoss("dead", 0.4, 1), new ComponentLoss("slow", 0.1, 1));
    }

    @Test
    void everyQueryIsPredictedBeforeItIsLearnedFrom() {
        learn(degraded(1, late("a", 0.25)), degraded(2, late("a", 0.75)));

        List<CalibrationBin> used =
                model().calibration().stream().filter(b -> b.queries() > 0).toList();

        assertThat(model().calibration()).hasSize(10);
        assertThat(used).containsExactly(new CalibrationBin(0.7, 0.8, 1, 0.75, 0.25));
    }

    @Test
    void learnedLossesFollowChanges() {
        for (int i = 0; i < 5000; i++) {
            learn(degraded(i + 1, late("a", i < 2500 ? 0.1 : 0.5)));
        }
        assertThat(model().losses().get(0).loss()).isCloseTo(0.5, within(1e-3));
        assertThat(model().losses().get(0).queries()).isEqualTo(5000);
    }

    @Test
    void namesInTheDataDoNotFillTheState() {
        for (int i = 0; i < 3000; i++) {
            learn(degraded(i + 1, late("name-" + i, 0.1)));
        }
        assertThat(model().losses()).hasSize(CompletenessLearning.MOST_COMPONENTS);
        assertThat(model().usualLoss()).isCloseTo(0.1, within(1e-9));
    }

    @Test
    void aFullBinForgetsItsOlderHalf() {
        for (int i = 0; i < 30_000; i++) {
            learn(degraded(i + 1, late("a", 0.25)));
        }
        assertThat(model().calibration().get(7).queries())
                .isBetween(CompletenessLearning.FULL_BIN / 2, CompletenessLearning.FULL_BIN);
        assertThat(model().calibration().get(7).meanMeasured()).isCloseTo(0.75, within(1e-9));
    }

    @Test
    void anotherMetricBeginsAnew() {
        learn(degraded(1, late("a", 0.25)));
        state.metric = "ndcg@10";
        learn(degraded(2, late("b", 0.5)));

        assertThat(model().metric()).isEqualTo("tpr@4");
        assertThat(model().queries()).isEqualTo(1);
        assertThat(model().losses()).extracting(ComponentLoss::component).containsExactly("b");
    }
}
