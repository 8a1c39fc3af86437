package io.kipimo.operators.budget;

import io.kipimo.core.quality.window.Budgets;
import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.field.ServiceClass;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
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
    /** Further scopes have no gauges, so that names in the data cannot fill the registry. */
    private static final int MOST_SCOPES = 1000;

    private final MetricGroup group;
    private final Map<BudgetVerdict, Counter> verdicts = new EnumMap<>(BudgetVerdict.class);
    private final Map<ServiceClass, Newest> newest = new HashMap<>();

    /** The newest budget of a scope, for its gauges. */
    private static final class Newest {
        private volatile ErrorBudget budget;
    }

    BudgetMetrics(MetricGroup operatorGroup) {
        group = operatorGroup.addGroup("kipimo");
        for (BudgetVerdict verdict : BudgetVerdict.values()) {
            verdicts.put(verdict, group.addGroup("verdict", verdict.name()).counter("budgets"));
        }
    }

    void onPublished(ErrorBudget budget) {
        verdicts.get(budget.verdict()).inc();
        ServiceClass scope = budget.serviceClass();
        Newest known = newest.get(scope);
        if (known == null) {
            if (newest.size() >= MOST_SCOPES) {
                return;
            }
            known = new Newest();
            known.budget = budget;
            newest.put(scope, known);
            register(group.addGroup("scope", scope.toString()), known);
        }
        known.budget = budget;
    }

    private static void register(MetricGroup ofScope, Newest scope) {
        gauge(ofScope, "burnRateShort", scope, b -> b.shortWindow().low());
        gauge(ofScope, "burnRateLong", scope, b -> b.longWindow().low());
        gauge(ofScope, "fastBurnRate", scope, b -> Budgets.fastBurnRate(b.objective()));
        gauge(ofScope, "budgetRemaining", scope, ErrorBudget::remaining);
        gauge(ofScope, "tooFewSamples", scope, b -> b.verdict() == BudgetVerdict.NOT_ENOUGH ? 1 : 0);
    }

    private static void gauge(MetricGroup group, String name, Newest scope, ToDoubleFunction<ErrorBudget> figure) {
        Gauge<Double> gauge = () -> figure.applyAsDouble(scope.budget);
        group.gauge(name, gauge);
    }
}
