package io.kipimo.core.quality.window;

import io.kipimo.core.quality.estimate.StratifiedEstimator;
import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.budget.BurnRate;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.budget.ErrorBudgetBuilder;
import io.kipimo.schemas.budget.LossCause;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Unmeasurable;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Error budgets and their burn rates.
 *
 * <p><b>Burn rate</b> of a window: {@code (1 - quality) / (1 - objective)}, from the window's stratified estimate; the
 * estimate's ends, in reverse, give its interval. At 1 the budget lasts exactly its period.
 *
 * <p><b>Verdict</b>, from two windows, so that an alarm starts and ends quickly (workbook, ch. 5, "Multiwindow,
 * Multi-Burn-Rate Alerts"):
 *
 * <ul>
 *   <li>EXHAUSTED: nothing of the period's budget is left;
 *   <li>NOT_ENOUGH: one of the windows has too few measurements or no estimate;
 *   <li>FAST_BURN: the <i>low ends</i> of both windows are at least 14.4 (2 % of 30 days' budget an hour, the
 *       workbook's page), or half of the burn rate at quality 0 if that is less: at an objective of 0.9 the burn rate
 *       is at most 10. It uses low ends, since it pages people;
 *   <li>SLOW_BURN: the long window's low end is at least 1, so the loss is certain, and the short window's rate is at
 *       least 1, so the loss continues;
 *   <li>NOT_ENOUGH, too, if less than half of the answers of a window are measurable;
 *   <li>FINE: otherwise.
 * </ul>
 *
 * <p><b>Remaining.</b> An hour with burn rate q takes q hours of the period's budget. Hours with an estimate are
 * weighted by their measurable answers, and the whole period is assumed to have as many answers an hour: {@code 1 -
 * lost / (1 - objective) / answers * covered / period}. Time without measurements spends nothing; an hour is covered
 * from its first measurement on.
 */
public final class Budgets {
    static final long MINUTE_MILLIS = 60_000;
    static final long HOUR_MILLIS = 60 * MINUTE_MILLIS;

    /**
     * Windows and period of an error budget.
     *
     * @param shortWindowMillis window that shows that the budget burns now; whole minutes
     * @param longWindowMillis window that shows that the loss matters; whole minutes, at least the short window
     * @param periodMillis time over which the objective must be kept; whole hours, at least the long window
     * @param minimumSamples measured queries that a window needs; at least 1
     */
    public record BudgetWindows(long shortWindowMillis, long longWindowMillis, long periodMillis, int minimumSamples)
            implements Serializable {

        /** Five minutes, an hour, four weeks. */
        public static final BudgetWindows DEFAULT =
                new BudgetWindows(5 * MINUTE_MILLIS, HOUR_MILLIS, 28 * 24 * HOUR_MILLIS, 20);

        /** @throws IllegalArgumentException if the times do not fit each other */
        public BudgetWindows {
            require(
                    shortWindowMillis >= MINUTE_MILLIS && shortWindowMillis % MINUTE_MILLIS == 0,
                    "short window is " + shortWindowMillis + " ms; allowed: whole minutes");
            require(
                    longWindowMillis >= shortWindowMillis && longWindowMillis % MINUTE_MILLIS == 0,
                    "long window is " + longWindowMillis + " ms; allowed: whole minutes, at least the short window");
            require(
                    periodMillis >= longWindowMillis && periodMillis % HOUR_MILLIS == 0,
                    "period is " + periodMillis + " ms; allowed: whole hours, at least the long window");
            require(minimumSamples >= 1, "minimum samples are " + minimumSamples + "; allowed: at least 1");
        }

        private static void require(boolean holds, String problem) {
            if (!holds) {
                throw new IllegalArgumentException(problem);
            }
        }
    }

    /** The workbook's burn rate for a page. */
    static final double FAST = 14.4;

    /** Allowance at an objective of 1, which allows no loss. */
    private static final double LEAST_ALLOWANCE = 1e-6;

    private Budgets() {}

    /** Adds the sums of measurements, by the policy's first metric. */
    public static void add(BudgetState state, String metric, Pane pane) {
        if (pane.unmeasurableSamples > 0) {
            BudgetPane minute = minuteOf(state, pane.startMillis);
            minute.addUnmeasurable(pane);
            hourOf(state, minute.startMillis).addUnmeasurable(pane);
        }
        MetricSums sums = pane.metrics.get(metric);
        if (sums == null) {
            return;
        }
        useMetric(state, metric);
        BudgetPane minute = minuteOf(state, pane.startMillis);
        minute.add(sums);
        minute.addLosses(pane.components);
        minute.sampledDeliberateLoss += pane.sampledDeliberateLoss;
        BudgetPane hour = hourOf(state, minute.startMillis);
        hour.add(sums);
        hour.sampledDeliberateLoss += pane.sampledDeliberateLoss;
        hour.measuredAt(Math.max(minute.startMillis, pane.startMillis));
    }

    /** Adds the counts of one second. */
    public static void add(BudgetState state, Observation observation) {
        if (observation.answered() > 0) {
            BudgetPane minute = minuteOf(state, observation.secondMillis());
            minute.add(observation);
            BudgetPane hour = hourOf(state, minute.startMillis);
            hour.add(observation);
            if (observation.measurable() > 0) {
                hour.measuredAt(Math.max(minute.startMillis, observation.secondMillis()));
            }
        }
    }

    private static void useMetric(BudgetState state, String metric) {
        if (!state.metric.isEmpty() && !state.metric.equals(metric)) {
            BudgetState fresh = new BudgetState();
            state.minutes = fresh.minutes;
            state.openHours = fresh.openHours;
            state.hourStarts = fresh.hourStarts;
            state.hourAnswers = fresh.hourAnswers;
            state.hourLosses = fresh.hourLosses;
            state.hourCoveredMillis = fresh.hourCoveredMillis;
        }
        state.metric = metric;
    }

    /** The minute in which input of this time counts: the oldest open minute if its own is closed. */
    private static BudgetPane minuteOf(BudgetState state, long millis) {
        return paneOf(
                state.minutes, Math.max(Math.floorDiv(millis, MINUTE_MILLIS) * MINUTE_MILLIS, state.closedUntilMillis));
    }

    private static BudgetPane hourOf(BudgetState state, long minuteStart) {
        return paneOf(state.openHours, Math.floorDiv(minuteStart, HOUR_MILLIS) * HOUR_MILLIS);
    }

    private static BudgetPane paneOf(List<BudgetPane> panes, long start) {
        for (BudgetPane pane : panes) {
            if (pane.startMillis == start) {
                return pane;
            }
        }
        BudgetPane pane = new BudgetPane(start);
        panes.add(pane);
        panes.sort(Comparator.comparingLong(p -> p.startMillis));
        return pane;
    }

    /**
     * Time of the next call of {@link #close}, epoch milliseconds of event time. While the long window has content,
     * {@code close} is due every minute, then at the end of the open hour, then when the last hour leaves the period.
     * Empty if the state is empty.
     */
    public static OptionalLong nextMillis(BudgetState state, BudgetWindows settings) {
        if (!state.minutes.isEmpty()) {
            return OptionalLong.of(Math.max(state.closedUntilMillis, state.minutes.get(0).startMillis) + MINUTE_MILLIS);
        }
        if (!state.openHours.isEmpty()) {
            return OptionalLong.of(state.openHours.get(0).startMillis + HOUR_MILLIS);
        }
        int hours = state.hourStarts.length;
        return hours == 0
                ? OptionalLong.empty()
                : OptionalLong.of(state.hourStarts[hours - 1] + HOUR_MILLIS + settings.periodMillis());
    }

    /**
     * Closes the minute that ends at {@code endMillis}, which event time has passed.
     *
     * @return the budget at that time; empty if the long window is empty
     */
    public static Optional<ErrorBudget> close(
            BudgetState state,
            BudgetWindows settings,
            String service,
            String queryClass,
            String metric,
            double objective,
            long endMillis) {
        state.closedUntilMillis = Math.max(state.closedUntilMillis, endMillis);
        state.minutes.removeIf(p -> p.startMillis < endMillis - settings.longWindowMillis());
        closeHours(state, endMillis);
        forgetHours(state, endMillis - settings.periodMillis());
        if (state.minutes.isEmpty()) {
            return Optional.empty();
        }
        BudgetPane narrow = sum(state, endMillis - settings.shortWindowMillis(), endMillis);
        BudgetPane wide = sum(state, endMillis - settings.longWindowMillis(), endMillis);
        double allowance = Math.max(LEAST_ALLOWANCE, 1 - objective);
        BurnRate shortBurn = burn(narrow, settings.shortWindowMillis(), allowance);
        BurnRate longBurn = burn(wide, settings.longWindowMillis(), allowance);
        SpentBudget spent = spent(state, endMillis, settings.periodMillis());
        double remaining = spent.answers == 0
                ? 1
                : 1 - spent.lost / allowance / spent.answers * spent.coveredMillis / settings.periodMillis();
        return Optional.of(ErrorBudgetBuilder.builder()
                .service(service)
                .queryClass(queryClass)
                .metric(metric)
                .endMillis(endMillis)
                .objective(objective)
                .shortWindow(shortBurn)
                .longWindow(longBurn)
                .remaining(remaining)
                .periodMillis(settings.periodMillis())
                .coveredMillis(spent.coveredMillis)
                .verdict(verdict(
                        shortBurn,
                        longBurn,
                        Math.min(narrow.measurableShare(), wide.measurableShare()),
                        remaining,
                        allowance,
                        settings))
                .causes(causes(wide))
                .build());
    }

    /** Reduces each ended hour with an estimate to a few numbers. */
    private static void closeHours(BudgetState state, long endMillis) {
        while (!state.openHours.isEmpty() && state.openHours.get(0).startMillis + HOUR_MILLIS <= endMillis) {
            BudgetPane hour = state.openHours.remove(0);
            Optional<Estimate> estimate = StratifiedEstimator.estimate(hour.counts());
            if (estimate.isPresent()) {
                int hours = state.hourStarts.length;
                state.hourStarts = Arrays.copyOf(state.hourStarts, hours + 1);
                state.hourAnswers = Arrays.copyOf(state.hourAnswers, hours + 1);
                state.hourLosses = Arrays.copyOf(state.hourLosses, hours + 1);
                state.hourStarts[hours] = hour.startMillis;
                state.hourAnswers[hours] = hour.counts().answered();
                state.hourLosses[hours] =
                        hour.counts().answered() * (1 - estimate.get().mean());
                state.hourCoveredMillis = Arrays.copyOf(state.hourCoveredMillis, hours + 1);
                state.hourCoveredMillis[hours] = hour.coveredMillis(hour.startMillis + HOUR_MILLIS);
            }
        }
    }

    private static void forgetHours(BudgetState state, long beforeMillis) {
        int old = 0;
        while (old < state.hourStarts.length && state.hourStarts[old] + HOUR_MILLIS <= beforeMillis) {
            old++;
        }
        int all = state.hourStarts.length;
        state.hourStarts = Arrays.copyOfRange(state.hourStarts, old, all);
        state.hourAnswers = Arrays.copyOfRange(state.hourAnswers, old, all);
        state.hourLosses = Arrays.copyOfRange(state.hourLosses, old, all);
        state.hourCoveredMillis = Arrays.copyOfRange(state.hourCoveredMillis, old, all);
    }

    private record SpentBudget(double lost, long answers, long coveredMillis) {}

    /** Spent budget of ended hours and of the elapsed part of open hours, each from its first measurement on. */
    private static SpentBudget spent(BudgetState state, long endMillis, long periodMillis) {
        double lost = 0;
        long answers = 0;
        long covered = Arrays.stream(state.hourCoveredMillis).sum();
        for (int i = 0; i < state.hourStarts.length; i++) {
            lost += state.hourLosses[i];
            answers += state.hourAnswers[i];
        }
        for (BudgetPane hour : state.openHours) {
            Optional<Estimate> estimate = StratifiedEstimator.estimate(hour.counts());
            if (hour.startMillis < endMillis && estimate.isPresent()) {
                lost += hour.counts().answered() * (1 - estimate.get().mean());
                answers += hour.counts().answered();
                covered += hour.coveredMillis(endMillis);
            }
        }
        return new SpentBudget(lost, answers, Math.min(covered, periodMillis));
    }

    private static BudgetPane sum(BudgetState state, long fromMillis, long untilMillis) {
        BudgetPane sum = new BudgetPane(fromMillis);
        for (BudgetPane pane : state.minutes) {
            if (pane.startMillis >= fromMillis && pane.startMillis < untilMillis) {
                sum.add(pane);
            }
        }
        return sum;
    }

    private static BurnRate burn(BudgetPane pane, long windowMillis, double allowance) {
        int samples = pane.counts().samples();
        Optional<Estimate> estimate = samples == 0 ? Optional.empty() : StratifiedEstimator.estimate(pane.counts());
        return estimate.map(e -> new BurnRate(
                        windowMillis,
                        (1 - e.high()) / allowance,
                        (1 - e.mean()) / allowance,
                        (1 - e.low()) / allowance,
                        pane.answered,
                        samples))
                .orElse(new BurnRate(windowMillis, 0, 0, 0, pane.answered, 0));
    }

    static BudgetVerdict verdict(
            BurnRate shortBurn,
            BurnRate longBurn,
            double measurableShare,
            double remaining,
            double allowance,
            BudgetWindows settings) {
        if (remaining <= 0) {
            return BudgetVerdict.EXHAUSTED;
        }
        if (Math.min(shortBurn.samples(), longBurn.samples()) < settings.minimumSamples()) {
            return BudgetVerdict.NOT_ENOUGH;
        }
        double fast = fastBurn(allowance);
        if (shortBurn.low() >= fast && longBurn.low() >= fast) {
            return BudgetVerdict.FAST_BURN;
        }
        if (longBurn.low() >= 1 && shortBurn.rate() >= 1) {
            return BudgetVerdict.SLOW_BURN;
        }
        return measurableShare < Unmeasurable.LEAST_MEASURABLE_SHARE ? BudgetVerdict.NOT_ENOUGH : BudgetVerdict.FINE;
    }

    /** Least burn rate of FAST_BURN at an objective of answer quality, 0..1. */
    public static double fastBurnRate(double objective) {
        return fastBurn(Math.max(LEAST_ALLOWANCE, 1 - objective));
    }

    private static double fastBurn(double allowance) {
        return Math.min(FAST, 0.5 / allowance);
    }

    private static List<LossCause> causes(BudgetPane pane) {
        double all =
                pane.lost.values().stream().mapToDouble(l -> Math.max(0, l)).sum();
        List<LossCause> causes = new ArrayList<>();
        if (all > 0) {
            pane.lost.forEach((component, lost) -> {
                if (lost > 0) {
                    causes.add(new LossCause(component, Math.min(1, lost / all)));
                }
            });
        }
        causes.sort(Comparator.comparingDouble((LossCause c) -> -c.share()).thenComparing(LossCause::component));
        return List.copyOf(causes);
    }
}
