package io.kipimo.operators.control;

import io.kipimo.core.guard.MoverTurn;
import io.kipimo.operators.types.CodecTypeInfo;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.Policy;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.types.Either;
import org.apache.flink.util.Collector;

/**
 * What all controllers have in common on Flink, keyed by service: a step for every window, and a
 * heartbeat every period of processing time, which renews the leases and notices that measurements
 * have stopped. Policies come keyed rather than broadcast, since only their own service's key needs
 * them; one that changes takes effect at once. So do the decisions of another controller of the
 * same service: they tell whose turn it is to move it.
 *
 * @param <W> windows
 * @param <O> the other controller's decisions
 * @param <D> this one's
 * @param <S> the controller's state
 */
public abstract class ControlFunction<W, O, D, S>
        extends KeyedCoProcessFunction<String, W, Either<Policy, O>, D> {
    private static final long serialVersionUID = 1L;

    private final EpochClaimer claimer;
    private final String controller;
    private transient Epoch epoch;
    private transient ValueState<Policy> policy;
    private transient ValueState<MoverTurn> turn;
    private transient ValueState<S> state;
    private transient ValueState<Long> heartbeatMillis;

    protected ControlFunction(EpochClaimer claimer, String controller) {
        this.claimer = claimer;
        this.controller = controller;
    }

    /** What a step of the controller comes to. */
    public record Step<S, D>(S next, List<D> decisions) {}

    /**
     * Where and when a step happens.
     *
     * @param turn whose it is to move the service
     * @param epoch of this attempt
     * @param nowMillis processing time, epoch milliseconds
     */
    public record Moment(Policy policy, MoverTurn turn, long epoch, long nowMillis) {}

    protected abstract ValueStateDescriptor<S> descriptor();

    protected abstract S initial();

    protected abstract Step<S, D> step(S state, W window, Moment moment);

    protected abstract Step<S, D> heartbeat(S state, Moment moment);

    /** Whose turn it is after another controller's decision. */
    protected abstract MoverTurn hear(MoverTurn before, O decision, Policy policy);

    /** Of heartbeats; 0: the policy does not ask for this controller. */
    protected abstract long periodMillis(Policy policy);

    protected abstract void registerMetrics(MetricGroup group);

    protected abstract void count(D decision);

    @Override
    public final void open(OpenContext openContext) {
        state = getRuntimeContext().getState(descriptor());
        policy =
                getRuntimeContext()
                        .getState(
                                new ValueStateDescriptor<>(
                                        "policy", CodecTypeInfo.of(Codecs.POLICY)));
        turn =
                getRuntimeContext()
                        .getState(
                                new ValueStateDescriptor<>(
                                        "turn", TypeInformation.of(MoverTurn.class)));
        heartbeatMillis =
                getRuntimeContext()
                        .getState(new ValueStateDescriptor<>("heartbeat-millis", Long.class));
        registerMetrics(getRuntimeContext().getMetricGroup().addGroup("kipimo"));
        epoch = new Epoch(claimer, controller, getRuntimeContext());
    }

    @Override
    public final void processElement1(W window, Context ctx, Collector<D> out) throws Exception {
        Policy wanted = policy.value();
        if (wanted == null || periodMillis(wanted) == 0) {
            return;
        }
        emit(step(current(), window, moment(wanted, ctx)), out);
    }

    @Override
    public final void processElement2(Either<Policy, O> word, Context ctx, Collector<D> out)
            throws Exception {
        if (word.isLeft()) {
            follow(word.left(), ctx, out);
        } else if (policy.value() != null) {
            turn.update(hear(turn(), word.right(), policy.value()));
        }
    }

    private void follow(Policy latest, Context ctx, Collector<D> out) throws Exception {
        Policy known = policy.value();
        if (known != null && known.version() > latest.version()) {
            return;
        }
        policy.update(latest);
        Long pending = heartbeatMillis.value();
        if (pending != null) {
            ctx.timerService().deleteProcessingTimeTimer(pending);
        }
        beat(latest, ctx, out);
    }

    @Override
    public final void onTimer(long timestamp, OnTimerContext ctx, Collector<D> out)
            throws Exception {
        beat(policy.value(), ctx, out);
    }

    private void beat(Policy wanted, Context ctx, Collector<D> out) throws Exception {
        long periodMillis = periodMillis(wanted);
        if (periodMillis == 0) {
            heartbeatMillis.clear();
            return;
        }
        Moment moment = moment(wanted, ctx);
        emit(heartbeat(current(), moment), out);
        long next = moment.nowMillis() + periodMillis;
        ctx.timerService().registerProcessingTimeTimer(next);
        heartbeatMillis.update(next);
    }

    private Moment moment(Policy wanted, Context ctx) throws Exception {
        long now = ctx.timerService().currentProcessingTime();
        return new Moment(wanted, turn(), epoch.at(now), now);
    }

    private MoverTurn turn() throws Exception {
        MoverTurn known = turn.value();
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
