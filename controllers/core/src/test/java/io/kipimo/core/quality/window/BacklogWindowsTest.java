package io.kipimo.core.quality.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.Effort;
import io.kipimo.core.quality.join.Events;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Score;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Windows in which the job catches up: a tenth of the bad half was measured, and all of the good half. */
class BacklogWindowsTest {
    private static final long T0 = 1_000_000;
    private static final int SECONDS = 60;
    private static final int QUERIES = 60;
    private static final int WEIGHT = 10;

    private final Policy policy = Events.policy();

    /** A window with the mean quality of all its answers. */
    private record Truth(double mean, double meanOfMeasured, QualityWindow window) {}

    private Truth window(Random random, int weightOfGoodHalf) {
        ClassWindows state = new ClassWindows();
        double sum = 0;
        double sumOfMeasured = 0;
        int measured = 0;
        for (int second = 0; second < SECONDS; second++) {
            boolean isBad = second < SECONDS / 2;
            int weight = isBad ? WEIGHT : weightOfGoodHalf;
            for (int query = 0; query < QUERIES; query++) {
                boolean isDegraded = query % 2 == 0;
                double quality = !isDegraded ? 1 : isBad ? 0.6 * random.nextDouble() : 1 - 0.4 * random.nextDouble();
                sum += quality;
                if (random.nextInt(weight) == 0) {
                    sumOfMeasured += quality;
                    measured++;
                    QualityWindows.add(state, policy, measurement(T0 + 1_000L * second, isDegraded, quality, weight));
                }
            }
            var unused = QualityWindows.add(
                    state,
                    policy,
                    ObservationBuilder.builder()
                            .service("shop")
                            .tier("front")
                            .server("fe-1")
                            .queryClass("high")
                            .secondMillis(T0 + 1_000L * second)
                            .offered(QUERIES)
                            .answered(QUERIES)
                            .timedOut(QUERIES / 2)
                            .bill(MeasurementBill.NOTHING)
                            .admittedFraction(1)
                            .build());
        }
        QualityWindow window = QualityWindows.closeSlide(state, policy, "shop", "high", T0 + SECONDS * 1_000)
                .get(0);
        return new Truth(sum / (SECONDS * QUERIES), sumOfMeasured / measured, window);
    }

    private static Measurement measurement(long at, boolean isDegraded, double quality, int weight) {
        return Measurement.builder()
                .service("shop")
                .queryId("q")
                .queryClass("high")
                .startedAtMillis(at)
                .measuredAtMillis(at)
                .completeness(Completeness.COMPLETE)
                .degraded(isDegraded)
                .topK(4)
                .scores(List.of(new Score("tpr@4", quality, quality), new Score("ndcg@4", quality, quality)))
                .components(List.of(new ComponentShare(
                        "a", isDegraded ? Outcome.TIMED_OUT : Outcome.IN_TIME, 1, false, 1 - quality, 0)))
                .build()
                .ofWeight(weight);
    }

    @Test
    void theTruthIsWithinTheIntervalsOfNineteenInTwenty() {
        int contains = 0;
        double error = 0;
        double naive = 0;
        List<Double> halfWidths = new ArrayList<>();
        int runs = Effort.of(20, 400);
        for (int seed = 0; seed < runs; seed++) {
            Truth truth = window(new Random(seed), 1);
            Estimate estimate = truth.window.estimate().orElseThrow();
            contains += estimate.low() <= truth.mean && truth.mean <= estimate.high() ? 1 : 0;
            error += estimate.mean() - truth.mean;
            naive += truth.meanOfMeasured - truth.mean;
            halfWidths.add(estimate.halfWidth());
        }
        assertThat((double) contains / runs).isGreaterThan(0.93);
        assertThat(error / runs).as("no bias").isCloseTo(0, within(0.005));
        assertThat(naive / runs).as("without weights").isGreaterThan(0.08);
        assertThat(halfWidths).as("the interval says something").allMatch(width -> width < 0.06);
    }

    @Test
    void aWindowStatesItsRate() {
        QualityWindow window = window(new Random(1), WEIGHT).window();
        assertThat(window.represented()).isEqualTo(10L * window.samples());
        assertThat(window.backlogRate()).isEqualTo(0.1);
        assertThat(window(new Random(1), 1).window().backlogRate()).isBetween(0.1, 0.9);
        assertThat(window.components().get(0).lostQuality())
                .as("of the samples, as without weights")
                .isCloseTo(window.samples() * (1 - window.plainMean()), within(1e-6));
    }
}
