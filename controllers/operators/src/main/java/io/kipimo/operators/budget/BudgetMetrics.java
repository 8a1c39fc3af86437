package io.kipimo.operators.budget;

import io.kipimo.core.quality.window.Budgets;
import io.kipimo.operators.metrics.NewestGauges;
import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.budget.ErrorBudget;
import java.util.EnumMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Metrics of the error budgets, in group {@code kipimo} of their operator: {@code verdict.<verdict>.budgets}, the
 * number of budgets with that verdict, and for each service/class {@code scope.<scope>.<name>}:
 *
 * <ul>
 *   <li>{@code burnRateShort} and {@code burnRateLong}, the low ends of the burn rates in the two windows; at 1 the
 *       budget lasts for exactly the period;
 *   <li>{@code fastBurnRate}, the threshold from which both count as fast: 14.4, or less if the objective makes that
 *       rate impossible;
 *   <li>{@code budgetRemaining}, the remaining share, below 0 if overspent;
 *   <li>{@code tooFewSamples}, 1 while there are too few measurements for a verdict.
 * </ul>
 */
final class BudgetMetrics {
    private final Map<BudgetVerdict, Counter> verdicts = new EnumMap<>(BudgetVerdict.class);
    private final NewestGauges<ErrorBudget> newest;

    BudgetMetrics(MetricGroup operatorGroup) {
        MetricGroup group = operatorGroup.addGroup("kipimo");
        for (BudgetVerdict verdict : BudgetVerdict.values()) {
            verdicts.put(verdict, group.addGroup("verdict", verdict.name()).counter("budgets"));
        }
        newest = new NewestGauges<ErrorBudget>(budget -> group.addGroup("scope", budget.scope()))
                .with("burnRateShort", budget -> budget.shortWindow().low())
                .with("burnRateLong", budget -> budget.longWindow().low())
                .with("fastBurnRate", budget -> Budgets.fastBurnRate(budget.objective()))
                .with("budgetRemaining", ErrorBudget::remaining)
                .with("tooFewSamples", budget -> budget.verdict() == BudgetVerdict.NOT_ENOUGH ? 1.0 : 0.0);
    }

    void onPublished(ErrorBudget budget) {
        verdicts.get(budget.verdict()).inc();
        newest.update(budget.scope(), budget);
    }
}
