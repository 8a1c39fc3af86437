package io.kipimo.operators.budget;

import io.kipimo.core.quality.window.BudgetState;
import io.kipimo.core.quality.window.Budgets;
import io.kipimo.core.quality.window.ClassPane;
import io.kipimo.operators.metrics.NewestGauges;
import io.kipimo.operators.policy.PolicyFunction;
import io.kipimo.operators.types.StateFormats;
import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.types.Either;
import org.apache.flink.util.Collector;

/**
 * Runs {@link Budgets}, keyed by service/class, for the classes in policies. Classes that no policy names have no
 * objective and so no budget.
 *
 * <p>For its metrics see {@link BudgetMetrics}.
 */
public final class ErrorBudgetFunction extends PolicyFunction<Either<ClassPane, Observation>, ErrorBudget> {
    private final Budgets.BudgetWindows settings;
    private transient ValueState<BudgetState> budgets;
    private transient BudgetMetrics metrics;

    /** @param knownPolicies policies at the time of submission, by service */
    public ErrorBudgetFunction(Map<String, Policy> knownPolicies, Budgets.BudgetWindows settings) {
        super(knownPolicies);
        this.settings = settings;
    }

    static ValueStateDescriptor<BudgetState> stateDescriptor() {
        return new ValueStateDescriptor<>("error-budget", StateFormats.BUDGET.typeInfo());
    }

    @Override
    public void open(OpenContext openContext) {
        super.open(openContext);
        budgets = getRuntimeContext().getState(stateDescriptor());
        metrics = new BudgetMetrics(getRuntimeContext().getMetricGroup());
    }

    @Override
    protected void add(
            Either<ClassPane, Observation> input, Policy policy, ReadOnlyContext ctx, Collector<ErrorBudget> out)
            throws Exception {
        if (policy.classPolicy(ServiceClass.of(ctx.getCurrentKey()).queryClass())
                .isEmpty()) {
            return;
        }
        BudgetState state = budgets.value();
        if (state == null) {
            state = new BudgetState();
        }
        if (input.isLeft()) {
            Budgets.add(state, policy.metrics().get(0), input.left().pane);
        } else {
            Budgets.add(state, input.right());
        }
        keep(state, ctx);
    }

    @Override
    protected void close(long timestamp, Policy policy, OnTimerContext ctx, Collector<ErrorBudget> out)
            throws Exception {
        BudgetState state = budgets.value();
        if (state == null) {
            return;
        }
        ServiceClass key = ServiceClass.of(ctx.getCurrentKey());
        Optional<ClassPolicy> classPolicy = policy.classPolicy(key.queryClass());
        if (classPolicy.isEmpty()) {
            budgets.clear();
            return;
        }
        Budgets.close(
                        state,
                        settings,
                        key.service(),
                        key.queryClass(),
                        policy.metrics().get(0),
                        classPolicy.get().objective(),
                        timestamp)
                .ifPresent(budget -> {
                    metrics.onPublished(budget);
                    out.collect(budget);
                });
        keep(state, ctx);
    }

    @Override
    protected void forget() {
        budgets.clear();
    }

    private void keep(BudgetState state, ReadOnlyContext ctx) throws Exception {
        OptionalLong next = Budgets.nextMillis(state, settings);
        if (next.isPresent()) {
            ctx.timerService().registerEventTimeTimer(next.getAsLong());
            budgets.update(state);
        } else {
            budgets.clear();
        }
    }

    /**
     * Metrics of the error budgets, in group {@code kipimo} of their operator: {@code verdict.<verdict>.budgets}, the
     * number of budgets with that verdict, and for each service/class {@code scope.<scope>.<name>}:
     *
     * <ul>
     *   <li>{@code burnRateShort} and {@code burnRateLong}, the low ends of the burn rates in the short and the long
     *       window; at a burn rate of 1 the budget lasts for exactly the period;
     *   <li>{@code fastBurnRate}, the burn rate from which the two windows count as burning fast: 14.4, or less if the
     *       objective makes that rate impossible;
     *   <li>{@code budgetRemaining}, the share of the budget that remains, below 0 if the budget is overspent;
     *   <li>{@code tooFewSamples}, 1 while there are too few measurements for a verdict.
     * </ul>
     */
    static final class BudgetMetrics {
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
}
