package io.kipimo.core.quality.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.SampleMeasurements;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class QualityPredictionPropertyTest {
    /** Properties that the Javadoc of {@link QualityPrediction} claims. */
    @Property(tries = 200, seed = "4711")
    void theMeanPredictionOfLearnedQueriesIsTheirMeanQuality(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = LearnedLoss.MEMORY) int queries) {
        Random random = new Random(seed);
        List<Measurement> learned = new ArrayList<>();
        CompletenessState state = new CompletenessState();
        for (int q = 0; q < queries; q++) {
            ComponentShare[] late = new ComponentShare[1 + random.nextInt(4)];
            for (int c = 0; c < late.length; c++) {
                late[c] = SampleMeasurements.late("c" + c, random.nextDouble() / 4);
            }
            learned.add(SampleMeasurements.degraded(q + 1, late));
            CompletenessLearning.learn(state, learned.get(q));
        }
        QualityPrediction prediction = QualityPrediction.by(CompletenessLearning.model(state, "shop", "high"));

        double predicted = learned.stream()
                .mapToDouble(m -> prediction.of(
                        m.components().stream().map(ComponentShare::component).toList()))
                .sum();
        double measured =
                learned.stream().mapToDouble(m -> m.scores().get(0).low()).sum();
        assertThat(predicted).isCloseTo(measured, within(1e-6));
    }
}
