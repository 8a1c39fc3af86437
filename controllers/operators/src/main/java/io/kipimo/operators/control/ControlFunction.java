package io.kipimo.operators.control;

import io.kipimo.core.admission.AdmissionLoop;
import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.guard.MoverTurn;
import io.kipimo.core.guard.ServiceController;
import io.kipimo.core.guard.Step;
import io.kipimo.core.guard.StepContext;
import io.kipimo.core.replication.ReplicationLoop;
import io.kipimo.core.replication.ReplicationState;
import io.kipimo.core.sampling.SamplingLoop;
import io.kipimo.core.sampling.SamplingMemory;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.operators.metrics.NewestGauges;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.operators.policy.PolicyBook.SerializableFunction;
import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.StateFormats;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.tails.TailWindow;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.types.Either;
import org.apache.flink.util.Collector;

/**
 * Runs a {@link ServiceController} on Flink, keyed by service: one step for every input, and one heartbeat per period
 * of processing time. Policies are keyed instead of broadcast, since only the key of their service needs them, and a
 * changed policy applies at once. Admission and replication share an actuation lock ({@link MoverTurn}), so that only
 * one of them moves a service at a time; the decisions of the other controller take and release it.
 *
 * @param <I> input of the controller: windows
 * @param <O> the other controller's decisions
 * @param <D> this controller's decisions
 * @param <S> the controller's state
 */
public final class ControlFunction<I, O, D, S> extends KeyedCoProcessFunction<String, I, Either<Policy, O>, D> {
    private final ServiceController<S, I, O, D> controller;
    private final EpochClaimer claimer;
    private final NewestPolicies policies;
    private final String name;
    private final String stateName;
    private final TypeInformation<S> stateType;
    private final SerializableFunction<MetricGroup, Consumer<D>> metrics;
    private transient Consumer<D> count;
    private transient long epoch;

    /**
     * Policies in force when this attempt started, by service, until each is compared with the state. Null before the
     * first use.
     */
    private transient Map<String, Policy> atStart;

    private transient Isolation isolation;
    private transient ValueState<Policy> policy;
    private transient ValueState<MoverTurn> lock;
    private transient ValueState<S> state;
    private transient ValueState<Long> heartbeatMillis;

    /**
     * @param name the controller's name in its decisions
     * @param metrics registers the controller's metrics, and returns the function that updates them with a decision
     */
    private ControlFunction(
            ServiceController<S, I, O, D> controller,
            EpochClaimer claimer,
            NewestPolicies policies,
            String name,
            String stateName,
            Format<S> format,
            SerializableFunction<MetricGroup, Consumer<D>> metrics) {
        this.controller = controller;
        this.claimer = claimer;
        this.policies = policies;
        this.name = name;
        this.stateName = stateName;
        this.stateType = format.typeInfo();
        this.metrics = metrics;
    }

    /** Creates the admission controller. Trials of the replication controller hold its actuation lock. */
    public static ControlFunction<QualityWindow, ReplicationDecision, Decision, AdmissionState> admission(
            EpochClaimer claimer, NewestPolicies policies) {
        return new ControlFunction<>(
                new AdmissionLoop(),
                claimer,
                policies,
                Decision.ADMISSION,
                "admission-state",
                StateFormats.ADMISSION,
                group -> new ControlMetrics(group)::decided);
    }

    public static ControlFunction<QualityWindow, ReplicationDecision, Decision, SamplingMemory> sampling(
            EpochClaimer claimer, NewestPolicies policies) {
        return new ControlFunction<>(
                new SamplingLoop(),
                claimer,
                policies,
                Decision.SAMPLING,
                "sampling-state",
                StateFormats.SAMPLING,
                group -> new ControlMetrics(group)::decided);
    }

    /** Creates the replication controller. Moves of the admission controller hold its actuation lock. */
    public static ControlFunction<TailWindow, Decision, ReplicationDecision, ReplicationState> replication(
            EpochClaimer claimer, NewestPolicies policies) {
        return new ControlFunction<>(
                new ReplicationLoop(),
                claimer,
                policies,
                ReplicationDecision.CONTROLLER,
                "replication-state",
                StateFormats.REPLICATION,
                group -> new ReplicationMetrics(group)::decided);
    }

    @Override
    public void open(OpenContext openContext) {
        state = getRuntimeContext().getState(new ValueStateDescriptor<>(stateName, stateType));
        policy = getRuntimeContext().getState(new ValueStateDescriptor<>("policy", Format.typeOf(Codecs.POLICY)));
        lock = getRuntimeContext().getState(new ValueStateDescriptor<>("turn", StateFormats.MOVER_TURN.typeInfo()));
        heartbeatMillis = getRuntimeContext().getState(new ValueStateDescriptor<>("heartbeat-millis", Long.class));
        count = metrics.apply(getRuntimeContext().getMetricGroup().addGroup("kipimo"));
        isolation = new Isolation(getRuntimeContext().getMetricGroup());
    }

    @Override
    public void processElement1(I input, Context ctx, Collector<D> out) throws Exception {
        Policy wanted = newest(ctx.getCurrentKey());
        if (wanted == null || controller.periodMillis(wanted) == 0) {
            return;
        }
        StepContext<Policy> context = context(wanted, ctx);
        isolation.run(ctx.getCurrentKey(), () -> emit(controller.step(current(), input, context), out));
    }

    @Override
    public void processElement2(Either<Policy, O> message, Context ctx, Collector<D> out) throws Exception {
        if (message.isLeft()) {
            updatePolicy(message.left(), ctx, out);
            return;
        }
        Policy wanted = newest(ctx.getCurrentKey());
        if (wanted != null) {
            isolation.run(
                    ctx.getCurrentKey(), () -> lock.update(controller.lockAfter(lock(), message.right(), wanted)));
        }
    }

    private void updatePolicy(Policy latest, Context ctx, Collector<D> out) throws Exception {
        if (!PolicyBook.isNewer(latest, newest(ctx.getCurrentKey()))) {
            return;
        }
        Long pending = heartbeatMillis.value();
        if (pending != null) {
            ctx.timerService().deleteProcessingTimeTimer(pending);
            heartbeatMillis.clear();
        }
        policy.update(latest);
        // After a removal the controller's state stays: it has the sequence of its decisions.
        if (!PolicyBook.isRemoval(latest)) {
            heartbeat(latest, ctx, out);
        }
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext ctx, Collector<D> out) throws Exception {
        Policy wanted = newest(ctx.getCurrentKey());
        if (wanted != null) {
            heartbeat(wanted, ctx, out);
        }
    }

    /**
     * Returns the newest known policy of the service, or null if there is none or it was removed. A policy from the
     * checkpoint may be older than the one that was read at the start of this attempt.
     */
    private Policy newest(String service) throws Exception {
        if (atStart == null) {
            atStart = new HashMap<>(policies.read());
        }
        Policy known = policy.value();
        Policy other = atStart.remove(service);
        if (other != null && PolicyBook.isNewer(other, known)) {
            policy.update(other);
            return other;
        }
        return known == null || PolicyBook.isRemoval(known) ? null : known;
    }

    private void heartbeat(Policy wanted, Context ctx, Collector<D> out) throws Exception {
        long periodMillis = controller.periodMillis(wanted);
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
        return new StepContext<>(wanted, lock(), epoch(now), now);
    }

    /** Returns the epoch of this subtask's attempt, which is claimed before its first decision. */
    private long epoch(long nowMillis) throws Exception {
        if (epoch == 0) {
            String job = getRuntimeContext().getJobInfo().getJobName();
            int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
            epoch = claimer.claim(name, job + "-" + subtask, nowMillis);
        }
        return epoch;
    }

    private MoverTurn lock() throws Exception {
        MoverTurn known = lock.value();
        return known == null ? MoverTurn.FREE : known;
    }

    private S current() throws Exception {
        S known = state.value();
        return known == null ? controller.initial() : known;
    }

    private void emit(Step<S, D> step, Collector<D> out) throws Exception {
        state.update(step.next());
        for (D decision : step.decisions()) {
            count.accept(decision);
            out.collect(decision);
        }
    }

    /**
     * Metrics of the admission and sampling operators, as {@code ….admission.0.kipimo.scope.<scope>.<name>}. The names
     * are {@code value}, the last decided fraction or rate; {@code measured}, the measured figure behind the decision;
     * and {@code sequence}, the decision's sequence number. {@code ….kipimo.decisions} counts emitted decisions.
     */
    static final class ControlMetrics {
        private final NewestGauges<Decision> newest;
        private final Counter decisions;

        ControlMetrics(MetricGroup group) {
            newest = new NewestGauges<Decision>(decision -> group.addGroup("scope", decision.scope()))
                    .with("value", Decision::value)
                    .with("measured", Decision::measured)
                    .with("sequence", Decision::sequence);
            decisions = group.counter("decisions");
        }

        void decided(Decision decision) {
            decisions.inc();
            newest.update(decision.scope(), decision);
        }
    }

    /**
     * Metrics of the replication operator. For each service, {@code ….kipimo.scope.<service>.<name>} has
     * {@code measuredMicros}, the target in the newest window in microseconds; {@code inTrial}, 1 during a trial, else
     * 0; and {@code sequence}, the sequence number of the last decision.
     * {@code ….kipimo.scope.<service>.tier.<tier>.factor} is a tier's replication factor. Three counters cover all
     * services: {@code ….kipimo.decisions} counts emitted decisions, {@code ….kipimo.trials} started trials,
     * {@code ….kipimo.rollBacks} trials that were rolled back.
     */
    static final class ReplicationMetrics {
        private final MetricGroup group;
        private final Map<String, ReplicationDecision> latest = new HashMap<>();
        private final Counter decisions;
        private final Counter trials;
        private final Counter rollBacks;

        ReplicationMetrics(MetricGroup group) {
            this.group = group;
            decisions = group.counter("decisions");
            trials = group.counter("trials");
            rollBacks = group.counter("rollBacks");
        }

        void decided(ReplicationDecision decision) {
            decisions.inc();
            ReplicationDecision before = latest.put(decision.service(), decision);
            if (before == null) {
                register(decision);
            }
            if (decision.inTrial() && (before == null || !before.inTrial())) {
                trials.inc();
            }
            if (decision.reason().startsWith("ROLLED_BACK")) {
                rollBacks.inc();
            }
        }

        private void register(ReplicationDecision first) {
            String service = first.service();
            MetricGroup ofScope = group.addGroup("scope", service);
            ofScope.gauge("measuredMicros", () -> latest.get(service).measuredMicros());
            ofScope.gauge("inTrial", () -> latest.get(service).inTrial() ? 1 : 0);
            ofScope.gauge("sequence", () -> latest.get(service).sequence());
            for (TierFactor tier : first.tiers()) {
                ofScope.addGroup("tier", tier.tier()).gauge("factor", () -> latest.get(service)
                        .tier(tier.tier())
                        .map(TierFactor::factor)
                        .orElse(1));
            }
        }
    }
}
