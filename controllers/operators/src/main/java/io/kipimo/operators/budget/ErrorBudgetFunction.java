package io.kipimo.operators.budget;

import io.kipimo.core.quality.window.BudgetState;
import io.kipimo.core.quality.window.Budgets;
import io.kipimo.core.quality.window.ClassPane;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.operators.types.StateFormats;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.types.Either;
import org.apache.flink.util.Collector;

/**
 * Runs {@link Budgets}, keyed by service/class, for the classes in policies. Other classes have no objective and so no
 * budget.
 *
 * <p>For its metrics see {@link BudgetMetrics}.
 */
public final class ErrorBudgetFunction
        extends KeyedBroadcastProcessFunction<String, Either<ClassPane, Observation>, Policy, ErrorBudget> {
    private static final long serialVersionUID = 1L;

    private final PolicyBook<Policy> policies;
    private final long shortWindowMillis;
    private final long longWindowMillis;
    private final long periodMillis;
    private final int minimumSamples;
    private transient Budgets.BudgetWindows settings;
    private transient ValueState<BudgetState> budgets;
    private transient BudgetMetrics metrics;
    private transient Isolation isolation;

    /** @param knownPolicies policies at the time of submission, by service */
    public ErrorBudgetFunction(Map<String, Policy> knownPolicies, Budgets.BudgetWindows settings) {
        this.policies = new PolicyBook<>(knownPolicies, policy -> policy);
        this.shortWindowMillis = settings.shortWindowMillis();
        this.longWindowMillis = settings.longWindowMillis();
        this.periodMillis = settings.periodMillis();
        this.minimumSamples = settings.minimumSamples();
    }

    static ValueStateDescriptor<BudgetState> stateDescriptor() {
        return new ValueStateDescriptor<>("error-budget", StateFormats.BUDGET.typeInfo());
    }

    @Override
    public void open(OpenContext openContext) {
        isolation = new Isolation(getRuntimeContext().getMetricGroup());
        settings = new Budgets.BudgetWindows(shortWindowMillis, longWindowMillis, periodMillis, minimumSamples);
        budgets = getRuntimeContext().getState(stateDescriptor());
        metrics = new BudgetMetrics(getRuntimeContext().getMetricGroup());
    }

    @Override
    public void processElement(Either<ClassPane, Observation> input, ReadOnlyContext ctx, Collector<ErrorBudget> out)
            throws Exception {
        isolation.run(ctx.getCurrentKey(), () -> add(input, ctx, out));
    }

    private void add(Either<ClassPane, Observation> input, ReadOnlyContext ctx, Collector<ErrorBudget> out)
            throws Exception {
        Policy policy = policy(ctx.getBroadcastState(PolicyBook.STATE), ctx.getCurrentKey());
        if (policy == null || classPolicy(policy, ctx.getCurrentKey()).isEmpty()) {
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
    public void onTimer(long timestamp, OnTimerContext ctx, Collector<ErrorBudget> out) throws Exception {
        isolation.run(ctx.getCurrentKey(), () -> publish(timestamp, ctx, out));
    }

    private void publish(long timestamp, OnTimerContext ctx, Collector<ErrorBudget> out) throws Exception {
        BudgetState state = budgets.value();
        if (state == null) {
            return;
        }
        String key = ctx.getCurrentKey();
        int slash = key.indexOf('/');
        Policy policy = policy(ctx.getBroadcastState(PolicyBook.STATE), key);
        Optional<ClassPolicy> classPolicy = policy == null ? Optional.empty() : classPolicy(policy, key);
        if (classPolicy.isEmpty()) {
            budgets.clear();
            return;
        }
        Budgets.close(
                        state,
                        settings,
                        key.substring(0, slash),
                        key.substring(slash + 1),
                        policy.metrics().get(0),
                        classPolicy.get().objective(),
                        timestamp)
                .ifPresent(budget -> {
                    metrics.onPublished(budget);
                    out.collect(budget);
                });
        keep(state, ctx);
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

    @Override
    public void processBroadcastElement(Policy policy, Context ctx, Collector<ErrorBudget> out) throws Exception {
        policies.update(ctx.getBroadcastState(PolicyBook.STATE), policy);
    }

    private static Optional<ClassPolicy> classPolicy(Policy policy, String key) {
        return policy.classPolicy(key.substring(key.indexOf('/') + 1));
    }

    private Policy policy(ReadOnlyBroadcastState<String, Policy> state, String key) throws Exception {
        return policies.find(state, key.substring(0, key.indexOf('/')));
    }
}
