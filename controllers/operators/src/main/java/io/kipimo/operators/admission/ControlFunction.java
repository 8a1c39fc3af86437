package io.kipimo.operators.admission;

import io.kipimo.operators.types.CodecTypeInfo;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;

/**
 * What all controllers have in common on Flink, keyed by service: a step for every window, and a
 * heartbeat every period of processing time, which renews the leases and notices that measurements
 * have stopped. Policies come keyed rather than broadcast, since only their own service's key needs
 * them; one that changes takes effect at once.
 *
 * @param <S> the controller's state
 */
abstract class ControlFunction<S>
        extends KeyedCoProcessFunction<String, QualityWindow, Policy, Decision> {
    private static final long serialVersionUID = 1L;

    private final EpochClaimer claimer;
    private final String controller;
    private transient Epoch epoch;
    private transient ValueState<Policy> policy;
    private transient ValueState<S> state;
    private transient ValueState<Long> heartbeatMillis;
    private transient ControlMetrics metrics;

    ControlFunction(EpochClaimer claimer, String controller) {
        this.claimer = claimer;
        this.controller = controller;
    }

    /** What a step of the controller comes to. */
    record Step<S>(S next, List<Decision> decisions) {}

    abstract ValueStateDescriptor<S> descriptor();

    abstract S initial();

    abstract Step<S> step(S state, Policy policy, QualityWindow window, long epoch, long nowMillis);

    abstract Step<S> heartbeat(S state, Policy policy, long epoch, long nowMillis);

    @Override
    public final void open(OpenContext openContext) {
        state = getRuntimeContext().getState(descriptor());
        policy =
                getRuntimeContext()
                        .getState(
                                new ValueStateDescriptor<>(
                                        "policy", CodecTypeInfo.of(Codecs.POLICY)));
        heartbeatMillis =
                getRuntimeContext()
                        .getState(new ValueStateDescriptor<>("heartbeat-millis", Long.class));
        metrics = new ControlMetrics(getRuntimeContext().getMetricGroup());
        epoch = new Epoch(claimer, controller, getRuntimeContext());
    }

    @Override
    public final void processElement1(QualityWindow window, Context ctx, Collector<Decision> out)
            throws Exception {
        Policy wanted = policy.value();
        if (wanted == null) {
            return;
        }
        long now = ctx.timerService().currentProcessingTime();
        emit(step(current(), wanted, window, epoch.at(now), now), out);
    }

    @Override
    public final void processElement2(Policy latest, Context ctx, Collector<Decision> out)
            throws Exception {
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
    public final void onTimer(long timestamp, OnTimerContext ctx, Collector<Decision> out)
            throws Exception {
        beat(policy.value(), ctx, out);
    }

    private void beat(Policy wanted, Context ctx, Collector<Decision> out) throws Exception {
        long now = ctx.timerService().currentProcessingTime();
        emit(heartbeat(current(), wanted, epoch.at(now), now), out);
        long next = now + wanted.admission().periodMillis();
        ctx.timerService().registerProcessingTimeTimer(next);
        heartbeatMillis.update(next);
    }

    private S current() throws Exception {
        S known = state.value();
        return known == null ? initial() : known;
    }

    private void emit(Step<S> step, Collector<Decision> out) throws Exception {
        state.update(step.next());
        for (Decision decision : step.decisions()) {
            metrics.decided(decision);
            out.collect(decision);
        }
    }
}
