package io.kipimo.operators.admission;

import io.kipimo.core.admission.AdmissionLoop;
import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.admission.AdmissionStep;
import io.kipimo.operators.types.CodecTypeInfo;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Runs {@link AdmissionLoop}, keyed by service: a control step for every batch of the highest class, a heartbeat every
 * period of processing time, which renews the leases and notices that measurements have stopped. Policies come keyed
 * rather than broadcast, since only their own service's key needs them; one that changes takes effect at once.
 */
public final class AdmissionFunction
        extends KeyedCoProcessFunction<String, QualityWindow, Policy, Decision> {
    private static final long serialVersionUID = 1L;

    private final EpochClaimer epochs;
    private transient Epoch epoch;
    private transient ValueState<Policy> policy;
    private transient ValueState<AdmissionState> state;
    private transient ValueState<Long> heartbeatMillis;
    private transient ControlMetrics metrics;

    public AdmissionFunction(EpochClaimer epochs) {
        this.epochs = epochs;
    }

    static ValueStateDescriptor<AdmissionState> stateDescriptor() {
        return new ValueStateDescriptor<>(
                "admission-state", TypeInformation.of(AdmissionState.class));
    }

    @Override
    public void open(OpenContext openContext) {
        policy =
                getRuntimeContext()
                        .getState(
                                new ValueStateDescriptor<>(
                                        "policy", CodecTypeInfo.of(Codecs.POLICY)));
        state = getRuntimeContext().getState(stateDescriptor());
        heartbeatMillis =
                getRuntimeContext()
                        .getState(new ValueStateDescriptor<>("heartbeat-millis", Long.class));
        metrics = new ControlMetrics(getRuntimeContext().getMetricGroup());
        epoch = new Epoch(epochs, Decision.ADMISSION, getRuntimeContext());
    }

    @Override
    public void processElement1(QualityWindow batch, Context ctx, Collector<Decision> out)
            throws Exception {
        Policy wanted = policy.value();
        if (wanted == null || !AdmissionLoop.isControlling(wanted, batch)) {
            return;
        }
        long now = ctx.timerService().currentProcessingTime();
        emit(AdmissionLoop.step(current(), wanted, batch, epoch.at(now), now), out);
    }

    @Override
    public void processElement2(Policy latest, Context ctx, Collector<Decision> out)
            throws Exception {
        Policy known = policy.value();
        if (known != null && known.version() > latest.version()) {
            return;
        }
        policy.update(latest);
        long now = ctx.timerService().currentProcessingTime();
        emit(AdmissionLoop.heartbeat(current(), latest, epoch.at(now), now), out);
        Long pending = heartbeatMillis.value();
        if (pending != null) {
            ctx.timerService().deleteProcessingTimeTimer(pending);
        }
        schedule(latest, now, ctx);
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext ctx, Collector<Decision> out)
            throws Exception {
        Policy wanted = policy.value();
        long now = ctx.timerService().currentProcessingTime();
        emit(AdmissionLoop.heartbeat(current(), wanted, epoch.at(now), now), out);
        schedule(wanted, now, ctx);
    }

    private void schedule(Policy wanted, long now, Context ctx) throws Exception {
        long next = now + wanted.admission().periodMillis();
        ctx.timerService().registerProcessingTimeTimer(next);
        heartbeatMillis.update(next);
    }

    private AdmissionState current() throws Exception {
        AdmissionState known = state.value();
        return known == null ? AdmissionState.initial() : known;
    }

    private void emit(AdmissionStep step, Collector<Decision> out) throws Exception {
        state.update(step.next());
        for (Decision decision : step.decisions()) {
            metrics.decided(decision);
            out.collect(decision);
        }
    }
}
