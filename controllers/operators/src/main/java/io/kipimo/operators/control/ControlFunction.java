package io.kipimo.operators.control;

import io.kipimo.core.guard.Controller;
import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.StateFormats;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.Policy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.types.Either;
import org.apache.flink.util.Collector;

/**
 * Runs a {@link Controller} on Flink, keyed by service: a step for every input, and a heartbeat every period of
 * processing time. Policies are keyed instead of broadcast, since only the key of their service needs them, and a
 * changed policy applies at once. Decisions of the other controller of the same service take and release the actuation
 * lock.
 *
 * @param <I> input of the controller: windows
 * @param <O> the other controller's decisions
 * @param <D> this controller's decisions
 * @param <S> the controller's state
 */
public abstract class ControlFunction<I, O, D, S> extends KeyedCoProcessFunction<String, I, Either<Policy, O>, D> {
    private static final long serialVersionUID = 1L;

    private final EpochClaimer claimer;
    private final String name;
    private transient Controller<S, I, D, Policy> controller;
    private transient Epoch epoch;
    private transient Isolation isolation;
    private transient ValueState<Policy> policy;
    private transient ValueState<MoverTurn> lock;
    private transient ValueState<S> state;
    private transient ValueState<Long> heartbeatMillis;

    /** @param name name of the controller in its decisions */
    protected ControlFunction(EpochClaimer claimer, String name) {
        this.claimer = claimer;
        this.name = name;
    }

    protected abstract Controller<S, I, D, Policy> controller();

    protected abstract ValueStateDescriptor<S> descriptor();

    protected abstract S initial();

    /** The actuation lock after a decision of the other controller. */
    protected abstract MoverTurn lockAfter(MoverTurn before, O decision, Policy policy);

    /** Period of heartbeats, milliseconds; 0: the policy does not use this controller. */
    protected abstract long periodMillis(Policy policy);

    protected abstract void registerMetrics(MetricGroup group);

    protected abstract void count(D decision);

    @Override
    public final void open(OpenContext openContext) {
        controller = controller();
        state = getRuntimeContext().getState(descriptor());
        policy = getRuntimeContext().getState(new ValueStateDescriptor<>("policy", Format.typeOf(Codecs.POLICY)));
        lock = getRuntimeContext().getState(new ValueStateDescriptor<>("turn", StateFormats.MOVER_TURN.typeInfo()));
        heartbeatMillis = getRuntimeContext().getState(new ValueStateDescriptor<>("heartbeat-millis", Long.class));
        registerMetrics(getRuntimeContext().getMetricGroup().addGroup("kipimo"));
        isolation = new Isolation(getRuntimeContext().getMetricGroup());
        epoch = new Epoch(claimer, name, getRuntimeContext());
    }

    @Override
    public final void processElement1(I input, Context ctx, Collector<D> out) throws Exception {
        Policy wanted = policy.value();
        if (wanted == null || periodMillis(wanted) == 0) {
            return;
        }
        StepContext<Policy> context = context(wanted, ctx);
        isolation.run(ctx.getCurrentKey(), () -> emit(controller.step(current(), input, context), out));
    }

    @Override
    public final void processElement2(Either<Policy, O> message, Context ctx, Collector<D> out) throws Exception {
        if (message.isLeft()) {
            updatePolicy(message.left(), ctx, out);
        } else if (policy.value() != null) {
            isolation.run(ctx.getCurrentKey(), () -> lock.update(lockAfter(lock(), message.right(), policy.value())));
        }
    }

    private void updatePolicy(Policy latest, Context ctx, Collector<D> out) throws Exception {
        Policy known = policy.value();
        if (known != null && known.version() > latest.version()) {
            return;
        }
        policy.update(latest);
        Long pending = heartbeatMillis.value();
        if (pending != null) {
            ctx.timerService().deleteProcessingTimeTimer(pending);
        }
        heartbeat(latest, ctx, out);
    }

    @Override
    public final void onTimer(long timestamp, OnTimerContext ctx, Collector<D> out) throws Exception {
        heartbeat(policy.value(), ctx, out);
    }

    private void heartbeat(Policy wanted, Context ctx, Collector<D> out) throws Exception {
        long periodMillis = periodMillis(wanted);
        if (periodMillis == 0) {
            heartbeatMillis.clear();
            return;
        }
        StepContext<Policy> context = context(wanted, ctx);
        isolation.run(ctx.getCurrentKey(), () -> emit(controller.heartbeat(current(), context), out));
        long next = context.nowMillis() + periodMillis;
        ctx.timerService().registerProcessingTimeTimer(next);
        heartbeatMillis.update(next);
    }

    private StepContext<Policy> context(Policy wanted, Context ctx) throws Exception {
        long now = ctx.timerService().currentProcessingTime();
        return new StepContext<>(wanted, lock(), epoch.at(now), now);
    }

    private MoverTurn lock() throws Exception {
        MoverTurn known = lock.value();
        return known == null ? MoverTurn.FREE : known;
    }

    private S current() throws Exception {
        S known = state.value();
        return known == null ? initial() : known;
    }

    private void emit(Step<S, D> step, Collector<D> out) throws Exception {
        state.update(step.next());
        for (D decision : step.decisions()) {
            count(decision);
            out.collect(decision);
        }
    }
}
