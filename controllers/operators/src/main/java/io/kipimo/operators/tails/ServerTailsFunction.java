package io.kipimo.operators.tails;

import static io.kipimo.operators.tails.TailsMetrics.ObservationCount.ADDED_OBSERVATIONS;
import static io.kipimo.operators.tails.TailsMetrics.ObservationCount.DUPLICATE_OBSERVATIONS;
import static io.kipimo.operators.tails.TailsMetrics.ObservationCount.LATE_OBSERVATIONS;
import static io.kipimo.operators.tails.TailsMetrics.ObservationCount.REJECTED_OBSERVATIONS;
import static io.kipimo.operators.tails.TailsMetrics.ObservationCount.REJECTED_POLICIES;
import static io.kipimo.operators.tails.TailsMetrics.ObservationCount.UNMEASURED_OBSERVATIONS;

import io.kipimo.core.tails.ServerWindows;
import io.kipimo.core.tails.TailScope;
import io.kipimo.core.tails.TailSpans;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.operators.metrics.ConservedCounters;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.operators.tails.TailsMetrics.ObservationCount;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowKind;
import io.kipimo.schemas.topics.Topic;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Computes the windows of each server ({@link ServerWindows}), keyed by server. An observation covers one second, and
 * each second counts once. An observation becomes a dead letter if its window has ended, its service has no policy, or
 * its service has too many servers.
 */
final class ServerTailsFunction extends KeyedBroadcastProcessFunction<String, ReceivedObservation, Policy, TailWindow>
        implements CheckpointedFunction {
    /** Side output of sums for the level above. */
    static final OutputTag<ScopePane> PANES = new OutputTag<>("panes", TailsFormats.SCOPE_PANE.typeInfo());

    static final OutputTag<DeadLetter> DEAD_LETTERS =
            new OutputTag<>("dead-letters", Format.typeOf(Codecs.DEAD_LETTER));

    /**
     * Greatest number of servers of a service in one subtask, so that names in the data cannot fill the state. A known
     * server keeps its place while it reports.
     */
    static final int MOST_SERVERS = 10_000;

    private final TailsSettings settings;
    private final PolicyBook<Policy> policies;
    private final String topic;
    private transient TailSpans spans;
    private transient ValueState<ServerWindows> state;
    private transient ConservedCounters<ObservationCount> counts;
    private transient Counter tooManyNames;

    /** Keys with state, by service. Restored keys are added with their next report. */
    private transient Map<String, Set<String>> servers;

    private transient Isolation isolation;

    ServerTailsFunction(TailsSettings settings, Map<String, Policy> knownPolicies, String topicPrefix) {
        this.settings = settings;
        this.policies = new PolicyBook<>(knownPolicies, policy -> policy);
        this.topic = Topic.SERVER_OBSERVATIONS.name(topicPrefix);
    }

    static ValueStateDescriptor<ServerWindows> stateDescriptor() {
        return new ValueStateDescriptor<>("server-windows", TailsFormats.SERVER_WINDOWS.typeInfo());
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        counts = new ConservedCounters<>(ObservationCount.values());
        counts.initialize(context, "observation-counts");
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        counts.snapshot();
    }

    @Override
    public void open(OpenContext context) {
        isolation = new Isolation(getRuntimeContext().getMetricGroup());
        spans = settings.spans();
        state = getRuntimeContext().getState(stateDescriptor());
        servers = new HashMap<>();
        MetricGroup group = getRuntimeContext().getMetricGroup().addGroup(TailsMetrics.GROUP);
        counts.register(group);
        tooManyNames = group.counter(TailsMetrics.TOO_MANY_NAMES);
    }

    @Override
    public void processElement(ReceivedObservation received, ReadOnlyContext ctx, Collector<TailWindow> out)
            throws Exception {
        isolation.run(received.observation().service(), () -> add(received, ctx, out));
    }

    private void add(ReceivedObservation received, ReadOnlyContext ctx, Collector<TailWindow> out) throws Exception {
        String service = received.observation().service();
        if (PolicyBook.isRemoved(ctx.getBroadcastState(PolicyBook.STATE), service)) {
            counts.increment(UNMEASURED_OBSERVATIONS);
            return;
        }
        if (policies.find(ctx.getBroadcastState(PolicyBook.STATE), service) == null) {
            counts.increment(REJECTED_OBSERVATIONS);
            deadLetter(
                    received,
                    RejectionReason.UNKNOWN_SERVICE,
                    "service is '" + service + "'; allowed: one that has a policy",
                    ctx);
            return;
        }
        ServerWindows windows = state.value();
        Set<String> known = servers.computeIfAbsent(service, s -> new HashSet<>());
        if (windows == null) {
            if (known.size() >= MOST_SERVERS) {
                counts.increment(REJECTED_OBSERVATIONS);
                tooManyNames.inc();
                deadLetter(
                        received,
                        RejectionReason.TOO_MANY_NAMES,
                        "server is '%s'; allowed: at most %s of a service in a subtask"
                                .formatted(received.server(), MOST_SERVERS),
                        ctx);
                return;
            }
            windows = new ServerWindows();
        } else {
            known.add(ctx.getCurrentKey());
        }
        // The watermark is the last finished millisecond.
        long now = Math.addExact(Math.max(ctx.currentWatermark(), -1), 1);
        switch (windows.add(received.observation(), spans, now)) {
            case ADDED -> {
                counts.increment(ADDED_OBSERVATIONS);
                known.add(ctx.getCurrentKey());
                state.update(windows);
                setTimer(windows, ctx.timerService());
            }
            case DUPLICATE -> counts.increment(DUPLICATE_OBSERVATIONS);
            case LATE -> {
                counts.increment(LATE_OBSERVATIONS);
                deadLetter(
                        received,
                        RejectionReason.LATE,
                        "second is %s ms; allowed: one whose window has not ended at %s"
                                .formatted(received.observation().secondMillis(), ctx.currentWatermark()),
                        ctx);
            }
        }
    }

    private void deadLetter(ReceivedObservation received, RejectionReason reason, String detail, ReadOnlyContext ctx) {
        ctx.output(
                DEAD_LETTERS,
                new DeadLetter(
                        topic,
                        received.partition(),
                        received.offset(),
                        reason,
                        detail,
                        received.recordKey(),
                        Codecs.SERVER_OBSERVATION.encode(received.observation()),
                        ctx.currentProcessingTime()));
    }

    private void setTimer(ServerWindows windows, TimerService timers) {
        OptionalLong next = windows.nextEndMillis(spans);
        if (next.isPresent()) {
            timers.registerEventTimeTimer(next.getAsLong() - 1);
        }
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext ctx, Collector<TailWindow> out) throws Exception {
        if (!isolation.run(TailScope.ofKey(ctx.getCurrentKey()).service(), () -> close(timestamp, ctx, out))) {
            state.clear();
        }
    }

    private void close(long timestamp, OnTimerContext ctx, Collector<TailWindow> out) throws Exception {
        ServerWindows windows = state.value();
        if (windows == null) {
            return;
        }
        TailScope scope = TailScope.ofKey(ctx.getCurrentKey());
        windows.close(spans, timestamp + 1, (kind, start, end, sums) -> {
            if (!scope.isSingleArbiter()) {
                out.collect(settings.window(scope, kind, start, end, sums));
            }
            if (kind == TailWindowKind.TUMBLING) {
                scope.whole().ifPresent(whole -> ctx.output(PANES, new ScopePane(whole, start, sums)));
            }
        });
        if (windows.isEmpty()) {
            state.clear();
            servers.getOrDefault(scope.service(), new HashSet<>()).remove(ctx.getCurrentKey());
        } else {
            state.update(windows);
            setTimer(windows, ctx.timerService());
        }
    }

    @Override
    public void processBroadcastElement(Policy policy, Context ctx, Collector<TailWindow> out) throws Exception {
        if (policies.update(ctx.getBroadcastState(PolicyBook.STATE), policy) != null) {
            counts.increment(REJECTED_POLICIES);
        }
    }
}
