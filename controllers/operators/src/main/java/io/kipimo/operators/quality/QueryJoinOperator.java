package io.kipimo.operators.quality;

import static io.kipimo.operators.quality.QualityMetrics.JoinCount.COMPLETE_QUERIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.DUPLICATE_EVENTS;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.EXPIRED_QUERIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.JOINED_EVENTS;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.LATE_EVENTS;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.ORPHAN_QUERIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.PROFILED_QUERIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.REJECTED_EVENTS;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.REJECTED_POLICIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.STARTED_QUERIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.UNMEASURABLE_QUERIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.UNNAMED_RESULTS;
import static org.apache.flink.util.function.FunctionUtils.uncheckedFunction;
import static org.apache.flink.util.function.FunctionUtils.uncheckedSupplier;

import io.kipimo.core.quality.deadline.ProfileBudget;
import io.kipimo.core.quality.deadline.ProfileSettings;
import io.kipimo.core.quality.deadline.ProfileSubject;
import io.kipimo.core.quality.deadline.Profiling;
import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.core.quality.join.JoinEngine;
import io.kipimo.core.quality.join.JoinOutput;
import io.kipimo.core.quality.join.JoinResult;
import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.operators.metrics.ConservedCounters;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.operators.quality.QualityMetrics.JoinCount;
import io.kipimo.operators.types.CodecTypeInfo;
import io.kipimo.operators.types.FormatTypeInfo;
import io.kipimo.operators.types.QueryKeyFormat;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import io.kipimo.schemas.topics.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.OutputTag;

/**
 * Runs a {@link JoinEngine} keyed by {@link LoggedEvent#key}. Queries are in keyed state. Event
 * time is in the state too, so it continues after a restart.
 *
 * <p>It is an operator instead of a process function because it then gets every watermark and needs
 * no timer for each query, which would take a third of the join's time. If no input moves event
 * time any more, its {@link IdleBackStop} does.
 */
public final class QueryJoinOperator extends AbstractStreamOperator<Measurement>
        implements TwoInputStreamOperator<LoggedEvent, Policy, Measurement>, JoinOutput {
    private static final long serialVersionUID = 1L;

    /** Events after their query's window. */
    public static final OutputTag<QueryEvent> LATE_EVENTS_OUTPUT =
            new OutputTag<>("late-events", CodecTypeInfo.of(Codecs.QUERY_EVENT));

    /** Events of unknown services. */
    public static final OutputTag<DeadLetter> DEAD_LETTERS_OUTPUT =
            new OutputTag<>("dead-letters", CodecTypeInfo.of(Codecs.DEAD_LETTER));

    /** Queries that were merged again for every deadline. */
    public static final OutputTag<QueryProfile> PROFILES_OUTPUT =
            new OutputTag<>("profiles", TypeInformation.of(QueryProfile.class));

    /** Flink's type of the keys of the join. */
    static final TypeInformation<QueryKey> KEY_TYPE = FormatTypeInfo.of(new QueryKeyFormat());

    private static final String UID = "query-join";

    private final PolicyBook<QualitySettings> policies;
    private final PolicyBook<ProfileSettings> profileSettings;
    private final ClassFold classes;
    private final String topicPrefix;
    private final int profilesPerSecond;
    private final long backStopMillis;
    private transient BroadcastState<String, Policy> policyState;
    private transient JoinEngine engine;
    private transient IdleBackStop backStop;
    private transient ProfileBudget profileBudget;
    private transient ConservedCounters<JoinCount> counts;
    private transient QualityMetrics qualityMetrics;
    private transient ListState<Long> storedWatermark;

    QueryJoinOperator(
            Map<String, Policy> knownPolicies,
            String topicPrefix,
            int profilesPerSecond,
            Duration backStop) {
        this.policies = new PolicyBook<>(knownPolicies, QualitySettings::of);
        this.profileSettings = new PolicyBook<>(knownPolicies, ProfileSettings::of);
        this.classes = new ClassFold(knownPolicies);
        this.topicPrefix = topicPrefix;
        this.profilesPerSecond = profilesPerSecond;
        this.backStopMillis = backStop.toMillis();
    }

    /**
     * Adds the join, which measures the queries of {@code events}.
     *
     * @param knownPolicies policies at the time of submission, by service
     * @param topicPrefix prefix of the topic names in dead letters
     * @param profilesPerSecond greatest number of queries that a subtask profiles a second; 0: none
     * @param backStop idle time of all input, beyond the windows of the open queries, after which
     *     these are measured with the available events
     */
    public static SingleOutputStreamOperator<Measurement> join(
            DataStream<LoggedEvent> events,
            DataStream<Policy> policies,
            Map<String, Policy> knownPolicies,
            String topicPrefix,
            int profilesPerSecond,
            Duration backStop) {
        return events.keyBy(LoggedEvent::key, KEY_TYPE)
                .connect(policies.broadcast())
                .transform(
                        UID,
                        CodecTypeInfo.of(Codecs.MEASUREMENT),
                        new QueryJoinOperator(
                                knownPolicies, topicPrefix, profilesPerSecond, backStop))
                .uid(UID);
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        counts = new ConservedCounters<>(JoinCount.values());
        counts.initialize(context, "join-counts");
        policyState = context.getOperatorStateStore().getBroadcastState(PolicyBook.STATE);
        profileBudget = new ProfileBudget(profilesPerSecond);
        KeyedQueryStore store = new KeyedQueryStore(getKeyedStateBackend(), context);
        engine =
                new JoinEngine(
                        store,
                        uncheckedFunction(service -> policies.find(policyState, service)),
                        profilesPerSecond > 0,
                        this);
        storedWatermark =
                context.getOperatorStateStore()
                        .getUnionListState(new ListStateDescriptor<>("join-watermark", Types.LONG));
        // All subtasks have received all watermarks before the checkpoint, so their values agree.
        for (long millis : storedWatermark.get()) {
            engine.advance(millis);
        }
        if (context.isRestored()) {
            store.restore(engine);
        }
        backStop =
                new IdleBackStop(
                        backStopMillis, engine, getProcessingTimeService(), this::moveTimeTo);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        counts.snapshot();
        storedWatermark.update(List.of(engine.eventTimeMillis()));
    }

    @Override
    public void open() throws Exception {
        super.open();
        qualityMetrics = new QualityMetrics(getMetricGroup(), counts);
        classes.open(getMetricGroup());
    }

    @Override
    public void processElement1(StreamRecord<LoggedEvent> element) {
        LoggedEvent event = element.getValue();
        if (!engine.accept(event)) {
            counts.increment(REJECTED_EVENTS);
            output.collect(DEAD_LETTERS_OUTPUT, new StreamRecord<>(unknownService(event)));
        }
    }

    @Override
    public void processElement2(StreamRecord<Policy> element) throws Exception {
        if (policies.update(policyState, element.getValue()) != null) {
            counts.increment(REJECTED_POLICIES);
        }
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (mark.getTimestamp() < engine.eventTimeMillis()) {
            // The input's own time is behind the time that the back-stop has set.
            return;
        }
        engine.advance(mark.getTimestamp());
        super.processWatermark(mark);
    }

    @Override
    protected void processWatermarkStatus(WatermarkStatus status, int input) throws Exception {
        super.processWatermarkStatus(status, input);
        backStop.update(combinedWatermark.isIdle());
    }

    /**
     * Moves event time like a watermark of the input. Downstream the stream is marked as active
     * first, since idle streams cannot move time.
     */
    private void moveTimeTo(long millis) throws Exception {
        LOG.info(
                "All input has been idle for {} ms beyond the last windows: measuring open queries",
                backStopMillis);
        output.emitWatermarkStatus(WatermarkStatus.ACTIVE);
        processWatermark(new Watermark(millis));
        output.emitWatermarkStatus(WatermarkStatus.IDLE);
    }

    @Override
    public void onBegin(QueryKey key) {
        counts.increment(STARTED_QUERIES);
        qualityMetrics.sampled(key);
    }

    @Override
    public void onFate(SampledEvent event, JoinResult fate) {
        switch (fate) {
            case LATE -> late((LoggedEvent) event);
            case DUPLICATE -> counts.increment(DUPLICATE_EVENTS);
            case JOINED -> counts.increment(JOINED_EVENTS);
        }
    }

    private void late(LoggedEvent event) {
        counts.increment(LATE_EVENTS);
        qualityMetrics.late(event.isAnswer() ? "answer" : event.component());
        output.collect(
                LATE_EVENTS_OUTPUT,
                new StreamRecord<>(event.toQueryEvent(), event.eventTimeMillis()));
    }

    /** Sets the time of the record for {@link ExpiredBoundsFunction}. */
    @Override
    public void onMeasurement(Measurement measured, long measuredBeforeMillis) {
        counts.increment(
                switch (measured.completeness()) {
                    case COMPLETE -> COMPLETE_QUERIES;
                    case EXPIRED -> EXPIRED_QUERIES;
                    case ORPHAN -> ORPHAN_QUERIES;
                    case NOT_MEASURABLE -> UNMEASURABLE_QUERIES;
                });
        Measurement measurement =
                measured.ofClass(foldedClass(measured.service(), measured.queryClass()));
        output.collect(new StreamRecord<>(measurement, measuredBeforeMillis));
    }

    @Override
    public void onUnnamedResults(int results) {
        counts.add(UNNAMED_RESULTS, results);
    }

    @Override
    public void onResults(QueryKey key, OpenQuery query, Optional<Measurement> measurement) {
        ProfileSettings settings =
                uncheckedSupplier(() -> profileSettings.find(policyState, key.service())).get();
        if (settings.mergesPartials()
                && profileBudget.admits(
                        ConsistentSampling.randomness(key),
                        getProcessingTimeService().getCurrentProcessingTime())) {
            ProfileSubject.of(key, query, measurement)
                    .ifPresent(subject -> profile(subject, settings));
        }
    }

    private void profile(ProfileSubject subject, ProfileSettings settings) {
        counts.increment(PROFILED_QUERIES);
        QueryProfile profile =
                Profiling.profile(subject, settings)
                        .ofClass(foldedClass(subject.service(), subject.queryClass()));
        output.collect(PROFILES_OUTPUT, new StreamRecord<>(profile, profile.profiledAtMillis()));
    }

    private String foldedClass(String service, String queryClass) {
        return uncheckedSupplier(() -> classes.fold(policyState, service, queryClass)).get();
    }

    /** Number of events with a join result. */
    long fates() {
        return counts.get(JOINED_EVENTS) + counts.get(LATE_EVENTS) + counts.get(DUPLICATE_EVENTS);
    }

    /** Whether there is no open query. */
    boolean isIdle() {
        return engine.nextDueMillis() == Long.MAX_VALUE;
    }

    private DeadLetter unknownService(LoggedEvent event) {
        return new DeadLetter(
                (event.isAnswer() ? Topic.ANSWERS : Topic.PARTIALS).name(topicPrefix),
                event.partition(),
                event.offset(),
                RejectionReason.UNKNOWN_SERVICE,
                "service is '" + event.key().service() + "'; allowed: one that has a policy",
                event.key().queryId().getBytes(StandardCharsets.UTF_8),
                event.wire(),
                getProcessingTimeService().getCurrentProcessingTime());
    }
}
