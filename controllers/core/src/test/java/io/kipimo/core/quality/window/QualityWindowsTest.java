package io.kipimo.core.quality.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.estimate.StratifiedEstimator;
import io.kipimo.core.quality.estimate.StratumCounts;
import io.kipimo.core.quality.join.Events;
import io.kipimo.schemas.observation.ComponentCount;
import io.kipimo.schemas.observation.MissingCount;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentAttribution;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Estimator;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.MeasurementBuilder;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Score;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.WindowKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The policy's averaging window is 60 s, its slide 10 s; a batch has 100 queries or lasts 10 s. */
class QualityWindowsTest {
    private static final long T0 = 1_000_000;

    private final Policy policy = Events.policy();
    private final ClassWindows state = new ClassWindows();

    private static Measurement measurement(long measuredAt, Completeness completeness, double low, double high) {
        boolean degraded = !(low == 1 && high == 1);
        return Measurement.builder()
                .service("shop")
                .queryId("q")
                .queryClass("high")
                .startedAtMillis(measuredAt)
                .measuredAtMillis(measuredAt)
                .completeness(completeness)
                .degraded(degraded)
                .topK(4)
                .scores(List.of(new Score("tpr@4", low, high), new Score("ndcg@4", low, high)))
                .components(List.of(new ComponentShare("a", Outcome.TIMED_OUT, 1, false, degraded ? 1 - high : 0, 0)))
                .build();
    }

    private static Observation second(long second, long answered, long timedOut) {
        return ObservationBuilder.builder()
                .service("shop")
                .tier("front")
                .server("fe-1")
                .queryClass("high")
                .secondMillis(second)
                .offered(answered + 5)
                .rejected(5)
                .answered(answered)
                .timedOut(timedOut)
                .components(List.of(new ComponentCount("a", answered, timedOut)))
                .bill(new MeasurementBill(1, 2_000, 300, 0, 40_000))
                .admittedFraction(1)
                .build();
    }

    private QualityWindow batch(long second, long answered, long timedOut) {
        List<QualityWindow> windows = QualityWindows.add(state, policy, second(second, answered, timedOut));
        assertThat(windows).extracting(QualityWindow::metric).containsExactly("tpr@4", "ndcg@4");
        return windows.get(0);
    }

    @Test
    void aBatchEndsWithNQueriesAndTheFirstOneSooner() {
        assertThat(QualityWindows.add(state, policy, second(T0 - 2000, 9, 0))).isEmpty();
        assertThat(batch(T0 - 1000, 1, 0).answered()).isEqualTo(10);
        assertThat(QualityWindows.add(state, policy, second(T0, 60, 0))).isEmpty();
        QualityWindow batch = batch(T0 + 1000, 60, 0);

        assertThat(batch.kind()).isEqualTo(WindowKind.BATCH);
        assertThat(batch.answered()).isEqualTo(120);
        assertThat(batch.offered()).isEqualTo(130);
        assertThat(batch.rejected()).isEqualTo(10);
        assertThat(batch.startMillis()).isEqualTo(T0);
        assertThat(batch.endMillis()).isEqualTo(T0 + 2000);
    }

    @Test
    void aBatchEndsAfterItsPeriodHoweverFewQueriesCame() {
        for (int s = 0; s < 9; s++) {
            assertThat(QualityWindows.add(state, policy, second(T0 + s * 1000L, 0, 0)))
                    .isEmpty();
        }
        QualityWindow batch = batch(T0 + 9000, 0, 0);

        assertThat(batch.estimate()).as("NOT-ENOUGH").isEmpty();
        assertThat(batch.objective()).isEqualTo(0.9);
    }

    @Test
    void thereIsAtMostOneBatchASecondHoweverManyFrontEndsReport() {
        assertThat(QualityWindows.add(state, policy, second(T0, 100, 0))).hasSize(2);
        assertThat(QualityWindows.add(state, policy, second(T0, 100, 0))).isEmpty();
        assertThat(QualityWindows.add(state, policy, second(T0 + 1000, 1, 0))).hasSize(2);
    }

    /** Quality = (90 * 1 + 10 * 0.5) / 100: the weights are the unsampled counts, not the samples. */
    @Test
    void theEstimateIsStratifiedByTheUnsampledCounts() {
        for (int i = 0; i < 10; i++) {
            QualityWindows.add(state, policy, measurement(T0, Completeness.COMPLETE, 0.5, 0.5));
            QualityWindows.add(state, policy, measurement(T0, Completeness.COMPLETE, 1, 1));
        }
        QualityWindow batch = batch(T0, 100, 10);

        assertThat(batch.estimate().orElseThrow().mean()).isCloseTo(0.95, within(1e-9));
        assertThat(batch.plainMean()).isCloseTo(0.75, within(1e-9));
        assertThat(batch.samples()).isEqualTo(20);
        assertThat(batch.degradedSamples()).isEqualTo(10);
        assertThat(batch.belowObjective()).isEqualTo(0.5);
        assertThat(batch.minimum()).isEqualTo(0.5);
        assertThat(batch.lossPerTimeOut()).hasValueSatisfying(l -> assertThat(l).isEqualTo(0.5));
        assertThat(batch.maturePer100Queries()).isEqualTo(20);
        assertThat(batch.bill()).isEqualTo(new MeasurementBill(1, 2_000, 300, 0, 40_000));
        assertThat(batch.components()).containsExactly(new ComponentAttribution("a", 100, 10, 5));
    }

    private static Measurement trimmed(double loss, double quality) {
        boolean degraded = quality < 1;
        double score = (1 - loss) * quality;
        return measurement(T0, Completeness.COMPLETE, score, score).toBuilder()
                .degraded(degraded)
                .components(List.of(
                        new ComponentShare(
                                "a",
                                degraded ? Outcome.TIMED_OUT : Outcome.IN_TIME,
                                1,
                                false,
                                (1 - loss) * (1 - quality),
                                0),
                        new ComponentShare("b", Outcome.NOT_ASKED, 0, false, 0, 0)))
                .notAskedLoss(Optional.of(loss))
                .build();
    }

    private static Observation trimmedSecond(long answered, long timedOut, long notAsked) {
        return ObservationBuilder.builder(second(T0, answered, timedOut))
                .notAsked(notAsked)
                .notAskedLossSum(notAsked * 0.2)
                .notAskedComponents(List.of(new MissingCount("b", notAsked)))
                .build();
    }

    /**
     * Half of the answers lose 0.2 on purpose, a tenth loses 0.4 of the rest by lateness: 1 - 0.1 - 0.1 * 0.8 * 0.4.
     */
    @Test
    void deliberateLossIsCountedAndLateLossIsEstimated() {
        for (int i = 0; i < 10; i++) {
            QualityWindows.add(state, policy, trimmed(0.2, 1));
            QualityWindows.add(state, policy, trimmed(0.2, 0.6));
        }
        QualityWindow batch =
                QualityWindows.add(state, policy, trimmedSecond(100, 10, 50)).get(0);

        assertThat(batch.estimate().orElseThrow().mean()).isCloseTo(0.868, within(1e-9));
        assertThat(batch.deliberateLoss()).isCloseTo(0.1, within(1e-9));
        assertThat(batch.notAsked()).isEqualTo(50);
        assertThat(batch.plainMean()).as("as users got them").isCloseTo(0.64, within(1e-9));
        assertThat(batch.lossPerTimeOut().orElseThrow()).isCloseTo(0.32, within(1e-9));
        assertThat(batch.components())
                .extracting(ComponentAttribution::component, ComponentAttribution::notAsked)
                .containsExactly(tuple("a", 0L), tuple("b", 50L));
        assertThat(batch.components().get(1).lostQuality()).isZero();
    }

    /** One of two front ends reads its answers: what the other one's are is not known. */
    @Test
    void answersWithoutItemsAreAShareOfThoseThatWereRead() {
        QualityWindows.add(state, policy, second(T0, 30, 0));
        QualityWindows.add(
                state,
                policy,
                ObservationBuilder.builder(second(T0, 10, 0)).listed(8).empty(2).build());

        assertThat(QualityWindows.closeSlide(state, policy, "shop", "high", T0 + 10_000))
                .hasSize(2)
                .allSatisfy(window -> assertThat(window.zeroResultRate()).contains(0.25));
    }

    @Test
    void whetherAnswersHaveItemsIsUnknownWhereNobodyReadsThem() {
        assertThat(batch(T0, 100, 0).zeroResultRate()).isEmpty();
    }

    /** Otherwise a front end that trims without counting it would look healthy. */
    @Test
    void deliberateLossThatNobodyCountsIsTakenFromTheSamples() {
        for (int i = 0; i < 10; i++) {
            QualityWindows.add(state, policy, trimmed(0.2, 1));
            QualityWindows.add(state, policy, measurement(T0, Completeness.COMPLETE, 1, 1));
        }
        QualityWindow batch = batch(T0, 100, 0);

        assertThat(batch.estimate().orElseThrow().mean()).isCloseTo(0.9, within(1e-9));
        assertThat(batch.deliberateLoss()).isCloseTo(0.1, within(1e-9));
    }

    @Test
    void expiredMeasurementsPullTheMeanToTheirLowEndsAndNotTheHighEnd() {
        for (int i = 0; i < 10; i++) {
            QualityWindows.add(state, policy, measurement(T0, Completeness.EXPIRED, 0.2, 0.9));
        }
        QualityWindow batch = batch(T0, 100, 10);

        assertThat(batch.estimate().orElseThrow().mean()).isCloseTo(0.92, within(1e-9));
        assertThat(batch.estimate().orElseThrow().high()).isGreaterThanOrEqualTo(0.99);
        assertThat(batch.expired()).isEqualTo(10);
        assertThat(batch.failedMature()).isEqualTo(1);
    }

    private void addDiffering(int answers) {
        for (int i = 0; i < answers; i++) {
            QualityWindows.add(
                    state,
                    policy,
                    MeasurementBuilder.builder(measurement(T0, Completeness.NOT_MEASURABLE, 1, 1))
                            .scores(List.of())
                            .components(List.of())
                            .degraded(true)
                            .unmeasurable(Optional.of(Unmeasurable.MERGE_DIFFERS))
                            .build());
        }
    }

    /** They are the degraded ones, so without them nothing is known of the class. */
    @Test
    void answersThatAreNotThePolicysMergeAreCountedAndTheRestIsNoEstimate() {
        addDiffering(4);
        for (int i = 0; i < 6; i++) {
            QualityWindows.add(state, policy, measurement(T0, Completeness.COMPLETE, 1, 1));
        }
        QualityWindow window = batch(T0, 100, 40);

        assertThat(window.unmeasurable()).containsExactly(Map.entry(Unmeasurable.MERGE_DIFFERS, 40L));
        assertThat(window.unmeasurableSamples()).isEqualTo(4);
        assertThat(window.measurableShare()).isEqualTo(0.6);
        assertThat(window.estimate()).isEmpty();
    }

    @Test
    void besideMeasuredOnesTheirQualityIsBetweenZeroAndOne() {
        addDiffering(20);
        for (int i = 0; i < 20; i++) {
            QualityWindows.add(state, policy, measurement(T0, Completeness.COMPLETE, 0.5, 0.5));
        }
        QualityWindow window = batch(T0, 100, 40);

        assertThat(window.unmeasurable()).containsExactly(Map.entry(Unmeasurable.MERGE_DIFFERS, 20L));
        assertThat(window.estimate().orElseThrow().low()).isCloseTo(0.7, within(1e-9));
        assertThat(window.estimate().orElseThrow().high()).isCloseTo(0.9, within(1e-9));
    }

    @Test
    void aBatchCarriesTheAveragedEstimateOfTheWindowBeforeIt() {
        QualityWindows.add(state, policy, measurement(T0, Completeness.COMPLETE, 0.5, 0.5));
        QualityWindow first = batch(T0, 100, 100);
        QualityWindow second = batch(T0 + 1000, 300, 0);

        assertThat(first.averaged().orElseThrow().mean()).isCloseTo(0.5, within(1e-9));
        assertThat(second.estimate().orElseThrow().mean()).isEqualTo(1);
        assertThat(second.averaged().orElseThrow().mean()).isCloseTo(0.875, within(1e-9));
        assertThat(second.averagedSamples()).isEqualTo(1);
    }

    private static Observation counted(long second, long answered, long timedOut, long withoutA) {
        Observation o = second(second, answered, timedOut);
        return ObservationBuilder.builder(o)
                .secondMillis(second)
                .answered(answered)
                .timedOut(timedOut)
                .missing(List.of(new MissingCount("a", withoutA)))
                .build();
    }

    private QualityWindow countedBatch(long second, long answered, long timedOut, long withoutA) {
        return QualityWindows.add(state, policy, counted(second, answered, timedOut, withoutA))
                .get(0);
    }

    private void learn(int samples) {
        for (int i = 0; i < samples; i++) {
            QualityWindows.add(state, policy, measurement(T0, Completeness.COMPLETE, 0.5, 0.5));
        }
    }

    @Test
    void withCountsOfMissingComponentsAndSamplesTheEstimateIsModelAssisted() {
        learn(40);
        QualityWindow first = countedBatch(T0, 100, 40, 40);
        QualityWindow second = countedBatch(T0 + 1000, 100, 40, 20);

        assertThat(first.estimator()).contains(Estimator.STRATIFIED_FEW_SAMPLES);
        assertThat(second.estimator()).contains(Estimator.MODEL_ASSISTED);
        assertThat(second.estimate().orElseThrow().mean())
                .as("20 of 100 lacked a component that costs 0.5")
                .isCloseTo(0.9, within(0.01));
        assertThat(QualityWindows.closeSlide(state, policy, "shop", "high", T0 + 10_000)
                        .get(0)
                        .estimator())
                .contains(Estimator.MODEL_ASSISTED);
    }

    @Test
    void oneFrontEndThatDoesNotCountThemMakesTheEstimateStratified() {
        learn(40);
        countedBatch(T0, 100, 40, 40);
        QualityWindows.add(state, policy, second(T0 + 1000, 50, 1));
        QualityWindow mixed = countedBatch(T0 + 1000, 50, 20, 20);

        assertThat(mixed.estimator()).contains(Estimator.STRATIFIED_NOT_COUNTED);
        assertThat(mixed.estimate())
                .isEqualTo(StratifiedEstimator.estimate(StratumCounts.NONE.plusCounted(100, 21), history(40)));
    }

    private static StratumCounts history(int samples) {
        StratumCounts history = StratumCounts.NONE;
        for (int i = 0; i < samples; i++) {
            history = history.plusDegraded(0.5, 0.5);
        }
        return history;
    }

    /** Flink restores fields that a savepoint has not as null or 0. */
    @Test
    void stateOfTheFirstVersionGoesOn() {
        batch(T0 - 1000, 10, 0);
        learn(40);
        QualityWindows.add(state, policy, second(T0, 50, 2));
        state.costs = null;
        state.batchCosts = null;
        for (Pane pane : List.of(state.batch, state.panes.get(0))) {
            pane.missing = null;
            pane.sampledMissing = null;
        }

        QualityWindow restored = countedBatch(T0 + 1000, 50, 10, 10);
        assertThat(restored.estimator()).contains(Estimator.STRATIFIED_NOT_COUNTED);
        QualityWindows.closeSlide(state, policy, "shop", "high", T0 + 10_000);
        learn(40);
        countedBatch(T0 + 11_000, 100, 40, 40);
        assertThat(countedBatch(T0 + 12_000, 100, 40, 40).estimator()).contains(Estimator.MODEL_ASSISTED);
    }

    @Test
    void slidingWindowsEndEverySlideUntilNothingIsInThemAnyMore() {
        QualityWindows.add(state, policy, second(T0, 10, 0));
        long end = QualityWindows.nextSlideEndMillis(state, policy).orElseThrow();
        assertThat(end).isEqualTo(T0 + 10_000);

        int windows = 0;
        for (var next = QualityWindows.nextSlideEndMillis(state, policy);
                next.isPresent();
                next = QualityWindows.nextSlideEndMillis(state, policy)) {
            windows += QualityWindows.closeSlide(state, policy, "shop", "high", next.get())
                            .size()
                    / 2;
        }
        assertThat(windows).as("60 s window, 10 s slide").isEqualTo(6);
        assertThat(state.panes).isEmpty();
    }

    @Test
    void aMeasurementBehindTheClosedPanesCountsInTheOldestOpenOne() {
        QualityWindows.add(state, policy, second(T0, 10, 0));
        QualityWindows.closeSlide(state, policy, "shop", "high", T0 + 10_000);
        QualityWindows.add(state, policy, measurement(T0 + 1, Completeness.COMPLETE, 1, 1));

        assertThat(QualityWindows.closeSlide(state, policy, "shop", "high", T0 + 20_000)
                        .get(0))
                .extracting(QualityWindow::samples)
                .isEqualTo(1);
    }

    @Test
    void orphansAreCountedWithoutAQuality() {
        QualityWindows.add(
                state,
                policy,
                Measurement.builder()
                        .service("shop")
                        .queryId("q")
                        .startedAtMillis(T0)
                        .measuredAtMillis(T0)
                        .completeness(Completeness.ORPHAN)
                        .build());

        assertThat(QualityWindows.closeSlide(state, policy, "shop", "unknown", T0 + 10_000)
                        .get(0))
                .satisfies(w -> {
                    assertThat(w.orphans()).isEqualTo(1);
                    assertThat(w.samples()).isZero();
                    assertThat(w.estimate()).isEmpty();
                });
    }
}
