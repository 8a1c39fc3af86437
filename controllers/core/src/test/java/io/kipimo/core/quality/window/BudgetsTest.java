package io.kipimo.core.quality.window;

import static io.kipimo.core.quality.SampleMeasurements.METRIC;
import static io.kipimo.core.quality.SampleMeasurements.clean;
import static io.kipimo.core.quality.SampleMeasurements.degraded;
import static io.kipimo.core.quality.SampleMeasurements.expired;
import static io.kipimo.core.quality.SampleMeasurements.late;
import static io.kipimo.core.quality.SampleMeasurements.missing;
import static io.kipimo.core.quality.SampleMeasurements.second;
import static io.kipimo.core.quality.SampleMeasurements.sums;
import static io.kipimo.core.quality.window.Budgets.HOUR_MILLIS;
import static io.kipimo.core.quality.window.Budgets.MINUTE_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.budget.BurnRate;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.budget.LossCause;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class BudgetsTest {
    private static final Offset<Double> EXACTLY = within(1e-9);

    /** The start of an hour. */
    private static final long START = 500_000 * HOUR_MILLIS;

    private static final Budgets.BudgetWindows SETTINGS = Budgets.BudgetWindows.DEFAULT;

    private final BudgetState state = new BudgetState();

    /** A minute of 100 measured answers, some of which lack the given contribution. */
    private Optional<ErrorBudget> minute(int index, int degraded, double lost, double objective) {
        long start = START + index * MINUTE_MILLIS;
        Budgets.add(state, second(start, 100, degraded));
        for (int i = 0; i < 100; i++) {
            long at = start + i * 600L;
            Budgets.add(state, METRIC, sums(i < degraded ? degraded(at, late("slow", lost)) : clean(at)).pane);
        }
        return close(start + MINUTE_MILLIS, objective);
    }

    private Optional<ErrorBudget> close(long endMillis, double objective) {
        return Budgets.close(state, SETTINGS, "shop", "high", METRIC, objective, endMillis);
    }

    private ErrorBudget minutes(int from, int until, int degraded, double lost, double objective) {
        ErrorBudget last = null;
        for (int i = from; i < until; i++) {
            last = minute(i, degraded, lost, objective).orElseThrow();
        }
        return last;
    }

    @Test
    void burnIsLostQualityOverAllowedQuality() {
        ErrorBudget budget = minutes(0, 10, 10, 0.5, 0.9);

        assertThat(budget.shortWindow())
                .satisfies(b -> assertThat(b.rate()).isCloseTo(0.5, EXACTLY))
                .extracting(BurnRate::answered, BurnRate::samples)
                .containsExactly(500L, 500);
        assertThat(budget.longWindow().answered()).isEqualTo(1000);
        assertThat(budget.verdict()).isEqualTo(BudgetVerdict.FINE);
        // Ten minutes at half the pace of four weeks.
        assertThat(budget.remaining()).isCloseTo(1 - 0.5 * 10 / (28 * 24 * 60), EXACTLY);
        assertThat(budget.coveredMillis()).isEqualTo(10 * MINUTE_MILLIS);
        assertThat(budget.causes()).containsExactly(new LossCause("slow", 1));
    }

    @Test
    void anHourIsCoveredFromItsFirstMeasurementOn() {
        ErrorBudget demo = minutes(50, 53, 50, 1, 0.9);

        assertThat(demo.coveredMillis()).isEqualTo(3 * MINUTE_MILLIS);
        assertThat(demo.remaining()).isCloseTo(1 - 5.0 * 3 / (28 * 24 * 60), EXACTLY);

        ErrorBudget later = minutes(53, 70, 50, 1, 0.9);
        assertThat(later.coveredMillis()).as("an hour is over").isEqualTo(20 * MINUTE_MILLIS);
        assertThat(state.hourCoveredMillis).containsExactly(10 * MINUTE_MILLIS);
    }

    @Test
    void slowBurnTakesBothWindows() {
        minutes(0, 50, 0, 0, 0.9);
        assertThat(minutes(50, 56, 50, 0.5, 0.9).verdict())
                .as("short window alone")
                .isEqualTo(BudgetVerdict.FINE);
        assertThat(minutes(56, 90, 50, 0.5, 0.9).verdict()).isEqualTo(BudgetVerdict.SLOW_BURN);
        assertThat(minutes(90, 96, 0, 0, 0.9).verdict()).as("long window alone").isEqualTo(BudgetVerdict.FINE);
    }

    @Test
    void fastBurnIsTheWorkbooksWhereThatCanBeReached() {
        // 0.3 lost of 0.02 allowed: 15 times.
        assertThat(minutes(0, 60, 50, 0.6, 0.98).verdict()).isEqualTo(BudgetVerdict.FAST_BURN);
        assertThat(Budgets.fastBurnRate(0.98)).isEqualTo(14.4);
    }

    @Test
    void fastBurnIsHalfOfTheMaximumIfTheWorkbooksRateIsImpossible() {
        assertThat(minutes(0, 60, 49, 1, 0.9).verdict()).isEqualTo(BudgetVerdict.SLOW_BURN);
        assertThat(minutes(60, 180, 51, 1, 0.9).verdict()).isEqualTo(BudgetVerdict.FAST_BURN);
        assertThat(Budgets.fastBurnRate(0.9)).isCloseTo(5, within(1e-9));
    }

    @Test
    void fewMeasurementsAreNoVerdict() {
        Budgets.add(state, second(START, 1000, 300));
        for (int i = 0; i < 19; i++) {
            Budgets.add(state, METRIC, sums(degraded(START + i, late("slow", 1))).pane);
        }
        ErrorBudget budget = close(START + MINUTE_MILLIS, 0.9).orElseThrow();

        assertThat(budget.verdict()).isEqualTo(BudgetVerdict.NOT_ENOUGH);
        assertThat(budget.shortWindow().samples()).isEqualTo(19);
    }

    @Test
    void countsWithoutMeasurementsAreUnknownNotFine() {
        Budgets.add(state, second(START, 1000, 0));
        ErrorBudget budget = close(START + MINUTE_MILLIS, 0.9).orElseThrow();

        assertThat(budget.verdict()).isEqualTo(BudgetVerdict.NOT_ENOUGH);
        assertThat(budget.shortWindow()).isEqualTo(new BurnRate(5 * MINUTE_MILLIS, 0, 0, 0, 1000, 0));
    }

    /** They are degraded answers of any quality: none of the clean ones is taken for one. */
    @Test
    void answersThatAreNotThePolicysMergeBurnBetweenNothingAndAll() {
        Budgets.add(state, second(START, 1000, 200));
        for (int i = 0; i < 80; i++) {
            Budgets.add(state, METRIC, sums(clean(START + i)).pane);
        }
        Pane differing = new Pane(START);
        differing.unmeasurableSamples = 10;
        differing.differingSamples = 10;
        Budgets.add(state, METRIC, differing);
        for (int i = 0; i < 10; i++) {
            Budgets.add(state, METRIC, sums(degraded(START + i, late("slow", 0.5))).pane);
        }
        BurnRate burn = close(START + MINUTE_MILLIS, 0.9).orElseThrow().shortWindow();

        // A fifth of the answers loses half, or half of it loses all or nothing.
        assertThat(burn.samples()).isEqualTo(100);
        assertThat(burn.low()).isLessThanOrEqualTo(0.2 * 0.25 / 0.1 + 1e-9);
        assertThat(burn.high()).isGreaterThanOrEqualTo(0.2 * 0.75 / 0.1 - 1e-9);
    }

    @Test
    void aBudgetThatIsSpentIsExhausted() {
        Budgets.BudgetWindows day = new Budgets.BudgetWindows(300_000, HOUR_MILLIS, 24 * HOUR_MILLIS, 20);
        ErrorBudget last = null;
        for (int i = 0; i < 4 * 60; i++) {
            minute(i, 0, 0, 0.9);
            // Losing everything for four hours uses 40 of a day's 24 hours of budget.
            for (int n = 0; n < 10; n++) {
                Budgets.add(state, METRIC, sums(degraded(START + i * MINUTE_MILLIS, late("slow", 1))).pane);
            }
            Budgets.add(state, second(START + i * MINUTE_MILLIS, 900, 900));
            last = Budgets.close(state, day, "shop", "high", METRIC, 0.9, START + (i + 1) * MINUTE_MILLIS)
                    .orElseThrow();
        }
        assertThat(last.remaining()).isLessThan(0);
        assertThat(last.verdict()).isEqualTo(BudgetVerdict.EXHAUSTED);
    }

    @Test
    void anHourOfLossIsSpentUntilItsPeriodIsOver() {
        minutes(0, 60, 100, 0.5, 0.9);
        ErrorBudget quiet = minutes(60, 180, 0, 0, 0.9);

        // Five hours' budget in one of three covered hours.
        assertThat(quiet.remaining()).isCloseTo(1 - 5.0 / (28 * 24), EXACTLY);
        assertThat(quiet.coveredMillis()).isEqualTo(3 * HOUR_MILLIS);
        assertThat(state.hourStarts).hasSize(3);

        int later = 28 * 24 * 60 + 120;
        ErrorBudget after = minute(later, 0, 0, 0.9).orElseThrow();
        assertThat(after.remaining()).isEqualTo(1);
        assertThat(state.hourStarts).hasSize(1);
    }

    @Test
    void missingResultsAreACause() {
        Budgets.add(state, second(START, 2, 2));
        Budgets.add(state, METRIC, sums(expired(START, 0.1, 0.7, missing("dead"), late("slow", 0.3))).pane);
        Budgets.add(state, METRIC, sums(degraded(START, late("slow", 0.1))).pane);

        assertThat(close(START + MINUTE_MILLIS, 0.9).orElseThrow().causes())
                .extracting(LossCause::component)
                .containsExactly("dead", "slow");
    }

    @Test
    void aStateThatHearsNothingMoreEmptiesItself() {
        minutes(0, 90, 10, 0.5, 0.9);
        int timers = 0;
        for (var next = Budgets.nextMillis(state, SETTINGS);
                next.isPresent();
                next = Budgets.nextMillis(state, SETTINGS)) {
            close(next.getAsLong(), 0.9);
            timers++;
        }
        assertThat(timers).isLessThan(70);
        assertThat(state.minutes).isEmpty();
        assertThat(state.openHours).isEmpty();
        assertThat(state.hourStarts).isEmpty();
    }

    @Test
    void anHourIsNotForgottenWhenTheLongWindowIsShorter() {
        Budgets.BudgetWindows quick = new Budgets.BudgetWindows(MINUTE_MILLIS, 5 * MINUTE_MILLIS, 24 * HOUR_MILLIS, 20);
        minute(0, 10, 0.5, 0.9);
        for (int i = 1; i < 10; i++) {
            Budgets.close(state, quick, "shop", "high", METRIC, 0.9, START + (i + 1) * MINUTE_MILLIS);
        }
        assertThat(state.minutes).isEmpty();
        assertThat(Budgets.nextMillis(state, quick)).hasValue(START + HOUR_MILLIS);
    }

    @Test
    void inputForAClosedMinuteCountsInTheNext() {
        minute(0, 0, 0, 0.9);
        Budgets.add(state, METRIC, sums(degraded(START, late("slow", 1))).pane);

        assertThat(state.minutes).hasSize(2);
        assertThat(state.minutes.get(1).degradedLow.count()).isEqualTo(1);
    }

    @Test
    void timesThatDoNotFitAreRefused() {
        assertThatThrownBy(() -> new Budgets.BudgetWindows(1, HOUR_MILLIS, HOUR_MILLIS, 20))
                .hasMessage("short window is 1 ms; allowed: whole minutes");
        assertThatThrownBy(() -> new Budgets.BudgetWindows(2 * MINUTE_MILLIS, MINUTE_MILLIS, HOUR_MILLIS, 20))
                .hasMessageContaining("at least the short window");
    }
}
