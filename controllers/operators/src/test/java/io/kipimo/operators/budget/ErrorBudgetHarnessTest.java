package io.kipimo.operators.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.SampleMeasurements;
import io.kipimo.core.quality.join.Events;
import io.kipimo.core.quality.window.Budgets;
import io.kipimo.core.quality.window.ClassPane;
import io.kipimo.operators.KeyedState;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.apache.flink.types.Either;
import org.junit.jupiter.api.Test;

/** Windows of one and five minutes, a period of two hours. */
class ErrorBudgetHarnessTest {
    private static final int MAX_PARALLELISM = 128;
    private static final long MINUTE = 60_000;
    private static final long START = 3_600_000_000L;
    private static final Budgets.BudgetWindows SETTINGS =
            new Budgets.BudgetWindows(MINUTE, 5 * MINUTE, 120 * MINUTE, 20);

    private static KeyedBroadcastOperatorTestHarness<String, Either<ClassPane, Observation>, Policy, ErrorBudget>
            harness(int parallelism, int subtask) throws Exception {
        return new KeyedBroadcastOperatorTestHarness<>(
                new CoBroadcastWithKeyedOperator<>(
                        new ErrorBudgetFunction(Map.of("shop", Events.policy()), SETTINGS), List.of(PolicyBook.STATE)),
                i -> i.isLeft()
                        ? i.left().service + '/' + i.left().queryClass
                        : i.right().service() + '/' + i.right().queryClass(),
                Types.STRING,
                MAX_PARALLELISM,
                parallelism,
                subtask);
    }

    /** A minute in which a fifth of the quality is lost. */
    private static void feed(
            KeyedBroadcastOperatorTestHarness<String, Either<ClassPane, Observation>, Policy, ErrorBudget> harness)
            throws Exception {
        harness.processElement(Either.Right(SampleMeasurements.second(START, 50, 20)), START);
        for (int i = 0; i < 50; i++) {
            harness.processElement(
                    Either.Left(SampleMeasurements.sums(
                            i < 20
                                    ? SampleMeasurements.degraded(START + i, SampleMeasurements.late("slow", 0.5))
                                    : SampleMeasurements.clean(START + i))),
                    START);
        }
    }

    @Test
    void aBudgetComesEveryMinuteOfTheLongWindowAndThePeriodIsForgotten() throws Exception {
        try (var harness = harness(1, 0)) {
            harness.open();
            harness.processBroadcastWatermark(Long.MAX_VALUE);
            feed(harness);
            assertThat(harness.numEventTimeTimers()).isEqualTo(1);

            harness.processWatermark(START + 20 * MINUTE);
            List<ErrorBudget> budgets = harness.extractOutputValues();
            assertThat(budgets).hasSize(5);
            assertThat(budgets.get(0)).satisfies(b -> {
                assertThat(b.objective()).isEqualTo(0.9);
                assertThat(b.shortWindow().rate()).isCloseTo(2, within(1e-9));
                assertThat(b.verdict()).isEqualTo(BudgetVerdict.SLOW_BURN);
                assertThat(b.endMillis()).isEqualTo(START + MINUTE);
            });
            assertThat(budgets.get(4).verdict()).isEqualTo(BudgetVerdict.NOT_ENOUGH);
            assertThat(KeyedState.entries(harness)).as("the hour").isPositive();

            harness.processWatermark(START + 200 * MINUTE);
            assertThat(KeyedState.entries(harness)).as("state").isZero();
            assertThat(harness.numEventTimeTimers()).as("timers").isZero();
        }
    }

    @Test
    void aRemovedPolicyLeavesNoState() throws Exception {
        try (var harness = harness(1, 0)) {
            harness.open();
            harness.processBroadcastWatermark(Long.MAX_VALUE);
            feed(harness);
            harness.processBroadcastElement(PolicyBook.removal("shop"), START);

            harness.processWatermark(START + MINUTE);
            assertThat(harness.extractOutputValues()).isEmpty();
            assertThat(KeyedState.entries(harness)).as("state").isZero();
            assertThat(harness.numEventTimeTimers()).as("timers").isZero();
        }
    }

    @Test
    void aSavepointKeepsWhatIsSpent() throws Exception {
        OperatorSubtaskState snapshot;
        try (var harness = harness(1, 0)) {
            harness.open();
            harness.processBroadcastWatermark(Long.MAX_VALUE);
            feed(harness);
            snapshot = harness.snapshot(1, 1);
        }
        List<ErrorBudget> budgets = new ArrayList<>();
        for (int subtask = 0; subtask < 3; subtask++) {
            try (var harness = harness(3, subtask)) {
                harness.setup();
                harness.initializeState(AbstractStreamOperatorTestHarness.repartitionOperatorState(
                        snapshot, MAX_PARALLELISM, 1, 3, subtask));
                harness.open();
                harness.processBroadcastWatermark(Long.MAX_VALUE);
                harness.processWatermark(START + 400 * MINUTE);
                budgets.addAll(harness.extractOutputValues());
                assertThat(KeyedState.entries(harness)).isZero();
                assertThat(harness.numEventTimeTimers()).isZero();
            }
        }
        assertThat(budgets).hasSize(5);
        assertThat(budgets.get(0).shortWindow().samples()).isEqualTo(50);
    }
}
