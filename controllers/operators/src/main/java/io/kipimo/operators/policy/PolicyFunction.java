package io.kipimo.operators.policy;

import io.kipimo.operators.isolation.Isolation;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.policy.Policy;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Base of functions that are keyed by service/class and process the inputs of a class by the service's policy. A step
 * that fails does not affect other services.
 */
public abstract class PolicyFunction<I, O> extends KeyedBroadcastProcessFunction<String, I, Policy, O> {
    private final PolicyBook<Policy> policies;
    private transient Isolation isolation;

    /** @param knownPolicies policies at the time of submission, by service */
    protected PolicyFunction(Map<String, Policy> knownPolicies) {
        this.policies = new PolicyBook<>(knownPolicies, policy -> policy);
    }

    /** Adds an input to the state of its class. Inputs whose policy has not reached the subtask yet are dropped. */
    protected abstract void add(I input, Policy policy, ReadOnlyContext ctx, Collector<O> out) throws Exception;

    /** Handles a timer of the class that is due. */
    protected abstract void close(long timestamp, Policy policy, OnTimerContext ctx, Collector<O> out) throws Exception;

    /**
     * Clears the state of a class after {@link #close} failed or the policy was gone, so that it does not fail at every
     * later timer, too.
     */
    protected void forget() {}

    @Override
    public void open(OpenContext openContext) {
        isolation = new Isolation(getRuntimeContext().getMetricGroup());
    }

    @Override
    public final void processElement(I input, ReadOnlyContext ctx, Collector<O> out) throws Exception {
        isolation.run(ctx.getCurrentKey(), () -> {
            Policy policy = policy(ctx);
            if (policy != null) {
                add(input, policy, ctx, out);
            }
        });
    }

    @Override
    public final void onTimer(long timestamp, OnTimerContext ctx, Collector<O> out) throws Exception {
        boolean isDone = isolation.run(ctx.getCurrentKey(), () -> {
            Policy policy = policy(ctx);
            if (policy != null) {
                close(timestamp, policy, ctx, out);
            } else {
                forget();
            }
        });
        if (!isDone) {
            forget();
        }
    }

    @Override
    public final void processBroadcastElement(Policy policy, Context ctx, Collector<O> out) throws Exception {
        policies.update(ctx.getBroadcastState(PolicyBook.STATE), policy);
    }

    private Policy policy(ReadOnlyContext ctx) throws Exception {
        return policies.find(
                ctx.getBroadcastState(PolicyBook.STATE),
                ServiceClass.of(ctx.getCurrentKey()).service());
    }
}
