package io.kipimo.core.quality;

import static io.kipimo.core.quality.SampleMeasurements.METRIC;
import static io.kipimo.core.quality.SampleMeasurements.clean;
import static io.kipimo.core.quality.SampleMeasurements.degraded;
import static io.kipimo.core.quality.SampleMeasurements.late;
import static io.kipimo.core.quality.SampleMeasurements.second;
import static io.kipimo.core.quality.SampleMeasurements.sums;
import static io.kipimo.core.quality.SampleMeasurements.unmeasurable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.admission.SampleWindows;
import io.kipimo.core.quality.deadline.DeadlinePane;
import io.kipimo.core.quality.merge.CompletenessLearning;
import io.kipimo.core.quality.merge.CompletenessState;
import io.kipimo.core.quality.window.BudgetState;
import io.kipimo.core.quality.window.Budgets;
import io.kipimo.core.quality.window.ClassWindows;
import io.kipimo.core.quality.window.Gate;
import io.kipimo.core.quality.window.GateEvidence;
import io.kipimo.core.quality.window.GateResult;
import io.kipimo.core.quality.window.GateRule;
import io.kipimo.core.quality.window.GateVerdict;
import io.kipimo.core.quality.window.QualityWindows;
import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Answers that are not measurable count neither as good nor as bad, in any figure. */
class UnmeasurableTest {
    private static final Policy POLICY = SampleWindows.policy(SampleWindows.pid(), 60_000);
    private static final String TPR = POLICY.metrics().get(0);
    private static final GateEvidence NOTHING = GateEvidence.of("shop", "high", METRIC, 0, Long.MAX_VALUE);

    private static QualityWindow batch(ClassWindows state) {
        List<QualityWindow> windows = QualityWindows.closeSlide(state, POLICY, "search", "high", 60_000);
        assertThat(windows).hasSize(1);
        return windows.get(0);
    }

    @Test
    void aWindowOfUnmeasurableAnswersHasNoEstimate() {
        ClassWindows state = new ClassWindows();
        QualityWindows.add(state, POLICY, second(1_000, 100, 0, Map.of(Unmeasurable.NO_COMPONENTS, 100L)));
        QualityWindows.add(state, POLICY, unmeasurable(1_500, Unmeasurable.NO_COMPONENTS));
        QualityWindow window = batch(state);

        assertThat(window.estimate()).isEmpty();
        assertThat(window.samples()).isZero();
        assertThat(window.unmeasurable()).containsExactly(Map.entry(Unmeasurable.NO_COMPONENTS, 100L));
        assertThat(window.unmeasurableSamples()).isEqualTo(1);
        assertThat(window.measurableShare()).isZero();
    }

    @Test
    void stateOfWindowsThatKnewOfNoneIsGoneOnFrom() {
        ClassWindows state = new ClassWindows();
        QualityWindows.add(state, POLICY, second(1_000, 100, 0));
        state.batch.unmeasurable = null;
        state.panes.forEach(pane -> pane.unmeasurable = null);

        QualityWindows.add(state, POLICY, second(2_000, 100, 0, Map.of(Unmeasurable.CUT, 50L)));

        assertThat(batch(state).measurableShare()).isCloseTo(0.75, within(1e-9));
    }

    @Test
    void samplesTellWhereFrontEndsDoNotCount() {
        ClassWindows state = new ClassWindows();
        QualityWindows.add(state, POLICY, second(1_000, 1_000, 0));
        QualityWindows.add(state, POLICY, unmeasurable(1_500, Unmeasurable.NO_COMPONENTS));
        QualityWindow window = batch(state);

        assertThat(window.estimate()).isEmpty();
        assertThat(window.measurableShare()).isZero();
    }

    /** Half of the seemingly clean answers are not clean. Of the other 600, 200 lost half of their quality. */
    @Test
    void theCleanStratumShrinksByTheSampledShare() {
        ClassWindows state = new ClassWindows();
        QualityWindows.add(state, POLICY, second(1_000, 1_000, 200));
        for (int i = 0; i < 200; i++) {
            QualityWindows.add(state, POLICY, SampleMeasurements.by(TPR, degraded(1_500, late("a", 0.5))));
        }
        for (int i = 0; i < 20; i++) {
            QualityWindows.add(state, POLICY, SampleMeasurements.by(TPR, clean(1_600)));
            QualityWindows.add(state, POLICY, unmeasurable(1_700, Unmeasurable.CUT));
        }
        QualityWindow window = batch(state);

        assertThat(window.estimate().orElseThrow().mean()).isCloseTo(1 - 0.5 * 200 / 600, within(1e-9));
        assertThat(window.measurable()).isEqualTo(600);
        assertThat(window.timeOutShare()).isCloseTo(200 / 600.0, within(1e-9));
    }

    @Test
    void anErrorBudgetIsNotFineWhereTooLittleIsMeasurable() {
        assertThat(budget(40).verdict()).isEqualTo(BudgetVerdict.FINE);
        assertThat(budget(60).verdict()).isEqualTo(BudgetVerdict.NOT_ENOUGH);
        ErrorBudget none = budget(100);
        assertThat(none.verdict()).isEqualTo(BudgetVerdict.NOT_ENOUGH);
        assertThat(none.coveredMillis()).isZero();
    }

    private static ErrorBudget budget(long unmeasurable) {
        BudgetState state = new BudgetState();
        Budgets.BudgetWindows settings = new Budgets.BudgetWindows(300_000, 3_600_000, 2_592_000_000L, 10);
        for (int i = 0; i < 60; i++) {
            Budgets.add(state, second(i * 1_000L, 100, 0, Map.of(Unmeasurable.FAILED_ANSWER, unmeasurable)));
            Budgets.add(
                    state,
                    METRIC,
                    sums(unmeasurable == 100 ? unmeasurable(i * 1_000L, Unmeasurable.FAILED_ANSWER) : clean(i * 1_000L))
                            .pane);
        }
        return Budgets.close(state, settings, "shop", "high", METRIC, 0.9, 60_000)
                .orElseThrow();
    }

    @Test
    void theGateGivesNoVerdictOnUnmeasurableAnswers() {
        GateEvidence evidence = NOTHING.with(second(1_000, 100, 0, Map.of(Unmeasurable.CUT, 60L)));
        for (int i = 0; i < 100; i++) {
            evidence = evidence.with(clean(i));
        }
        GateResult result = Gate.verdict(evidence, new GateRule(0.9, 0, 20));

        assertThat(result.verdict()).isEqualTo(GateVerdict.NOT_ENOUGH);
        assertThat(result.reason()).isEqualTo("40.00 % measurable answers, wanted at least 50 %");
    }

    /** Answers that are not measurable may have any quality, so they count against either verdict. */
    @Test
    void theGateCountsTheUnmeasurableAgainstAPass() {
        GateEvidence evidence = NOTHING.with(second(1_000, 1_000, 0, Map.of(Unmeasurable.FAILED_ANSWER, 10L)));
        for (int i = 0; i < 100; i++) {
            evidence = evidence.with(clean(i));
        }

        assertThat(Gate.verdict(evidence, new GateRule(0.98, 0, 20)).verdict()).isEqualTo(GateVerdict.PASS);
        assertThat(Gate.verdict(evidence, new GateRule(0.995, 0, 20)).verdict()).isEqualTo(GateVerdict.NOT_ENOUGH);
        assertThat(Gate.verdict(evidence, evidence, new GateRule(0.98, 0, 20)).verdict())
                .as("the same share as the baseline is no drop")
                .isEqualTo(GateVerdict.PASS);
    }

    @Test
    void recordedRowsAloneTellTheGateTheShare() {
        GateEvidence evidence = NOTHING.with(unmeasurable(1, Unmeasurable.NO_COMPONENTS));
        for (int i = 0; i < 3; i++) {
            evidence = evidence.with(clean(i));
        }

        assertThat(evidence.measurableShare()).isCloseTo(0.75, within(1e-9));
    }

    @Test
    void deadlinesAndCompletenessAreLearnedFromMeasurableAnswers() {
        DeadlinePane pane = new DeadlinePane();
        pane.add(second(1_000, 100, 20, Map.of(Unmeasurable.UNREADABLE, 30L)));
        CompletenessState state = new CompletenessState();

        assertThat(pane.answered).isEqualTo(70);
        assertThat(CompletenessLearning.learn(state, unmeasurable(1, Unmeasurable.CUT)))
                .isFalse();
        assertThat(CompletenessLearning.learn(state, degraded(1)))
                .as("a replay's measurement, which names no component")
                .isFalse();
        assertThat(state.queries).isZero();
    }
}
