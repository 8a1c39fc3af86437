package io.kipimo.operators.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.SampleMeasurements;
import io.kipimo.core.quality.join.Events;
import io.kipimo.core.quality.window.ClassWindows;
import io.kipimo.core.quality.window.QualityWindows;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.testutils.MetricListener;
import org.junit.jupiter.api.Test;

class WindowMetricsTest {
    private static final long START = 1_000_000;

    private final MetricListener listener = new MetricListener();
    private final WindowMetrics metrics = new WindowMetrics(listener.getMetricGroup());

    private double value(String queryClass, String... path) {
        List<String> names = new ArrayList<>(List.of("kipimo", "service", "shop", "class", queryClass));
        names.addAll(List.of(path));
        Gauge<Double> gauge =
                listener.<Double>getGauge(names.toArray(String[]::new)).orElseThrow();
        return gauge.getValue();
    }

    /** 100 answers: 20 unmeasurable, 16 timed out, whose five samples have quality 0.5. */
    private static List<QualityWindow> batch(ClassWindows state, long startMillis) {
        for (int i = 0; i < 5; i++) {
            QualityWindows.add(
                    state,
                    Events.policy(),
                    SampleMeasurements.degraded(startMillis + i, SampleMeasurements.late("slow", 0.5)));
        }
        return QualityWindows.add(
                state,
                Events.policy(),
                SampleMeasurements.second(startMillis, 100, 16, Map.of(Unmeasurable.FAILED_ANSWER, 20L)));
    }

    @Test
    void lostQualityAddsUpOverBatchesWithinItsBounds() {
        ClassWindows state = new ClassWindows();
        List<QualityWindow> first = batch(state, START);
        assertThat(first).as("a batch of each metric").hasSize(2);
        metrics.completed(List.of(first.get(0)));
        metrics.completed(List.of());
        double once = value("high", "metric", "tpr@4", "bound", "mean", "qualityLost");
        metrics.completed(List.of(batch(state, START + 1000).get(0)));

        assertThat(once).isCloseTo(8, within(1e-9));
        assertThat(value("high", "metric", "tpr@4", "bound", "mean", "qualityLost"))
                .isCloseTo(16, within(1e-9));
        assertThat(value("high", "metric", "tpr@4", "bound", "low", "qualityLost"))
                .isBetween(5.0, 15.9);
        assertThat(value("high", "metric", "tpr@4", "bound", "high", "qualityLost"))
                .isBetween(16.1, 27.0);
        assertThat(value("high", "estimated", "yes", "answers")).isEqualTo(160);
        assertThat(value("high", "estimated", "no", "answers")).isEqualTo(40);
    }

    @Test
    void answersWithoutAnEstimateAreNeitherGoodNorBad() {
        metrics.completed(
                QualityWindows.add(new ClassWindows(), Events.policy(), SampleMeasurements.second(START, 100, 50)));

        assertThat(value("high", "estimated", "yes", "answers")).isZero();
        assertThat(value("high", "estimated", "no", "answers")).isEqualTo(100);
    }

    @Test
    void theNewestWindowIsShownUntilItIsEmpty() {
        ClassWindows state = new ClassWindows();
        batch(state, START);
        metrics.closed("shop/high", QualityWindows.closeSlide(state, Events.policy(), "shop", "high", START + 10_000));

        assertThat(value("high", "measurableRatio")).isCloseTo(0.8, within(1e-9));
        assertThat(value("high", "zeroResultRatio")).as("nobody read them").isNaN();
        assertThat(value("high", "metric", "tpr@4", "bound", "mean", "quality")).isCloseTo(0.9, within(1e-9));
        assertThat(value("high", "metric", "tpr@4", "objective")).isEqualTo(0.9);
        assertThat(value("high", "metric", "ndcg@4", "objective"))
                .as("of the first metric only")
                .isNaN();

        metrics.closed("shop/high", List.of());
        assertThat(value("high", "measurableRatio")).isNaN();
        assertThat(value("high", "metric", "tpr@4", "bound", "mean", "quality")).isNaN();
        assertThat(value("high", "metric", "tpr@4", "objective")).isNaN();
    }

    @Test
    void theShareOfAnswersWithoutItemsIsThatOfTheNewestWindow() {
        QualityWindow window = QualityWindow.builder()
                .service("shop")
                .queryClass("high")
                .metric("tpr@4")
                .answered(100)
                .listed(40)
                .empty(10)
                .build();
        metrics.closed("shop/high", List.of(window));
        assertThat(value("high", "zeroResultRatio")).isEqualTo(0.25);

        metrics.closed("shop/high", List.of());
        assertThat(value("high", "zeroResultRatio")).isNaN();
    }

    @Test
    void classesBeyondTheBoundHaveNoMetrics() {
        for (int i = 0; i <= 1000; i++) {
            metrics.completed(List.of(QualityWindow.builder()
                    .service("shop")
                    .queryClass("c" + i)
                    .metric("tpr@4")
                    .answered(1)
                    .build()));
        }

        assertThat(value("c999", "estimated", "no", "answers")).isEqualTo(1);
        assertThat(listener.getGauge("kipimo", "service", "shop", "class", "c1000", "estimated", "no", "answers"))
                .isEmpty();
    }
}
