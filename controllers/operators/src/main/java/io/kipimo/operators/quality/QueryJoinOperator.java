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

import io.kipimo.core.quality.deadline.ProfileBudget;
import io.kipimo.core.quality.deadline.ProfileSettings;
import io.kipimo.core.quality.deadline.ProfileSubject;
import io.kipimo.core.quality.deadline.Profiling;
import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.core.quality.join.EventFate;
import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.quality.join.QueryJoin;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.operators.metrics.ConservedCounters;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.operators.quality.DueQueries.Due;
import io.kipimo.operators.quality.QualityMetrics.JoinCount;
import io.kipimo.operators.types.CodecTypeInfo;
import io.kipimo.operators.types.FormatTypeInfo;
import io.kipimo.operators.types.QueryKeyFormat;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.SampledEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.topics.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.OutputTag;

/**
 * Runs {@link QueryJoin} keyed by {@link SampledEvent#key}: one state object a query, looked at
 * when an event comes and when its window ends, in whole seconds. A measured query stays as a
 * tombstone for {@link QueryJoin#TOMBSTONE_SLACK_MILLIS} after its window, since its events may
 * come through several partitions; without it a second, partial measurement would appear. Event
 * time is part of the state for the same reason: after a restart it goes on where it was.
 *
 * <p>An operator, not a process function, for one reason: it is told of every watermark, and so
 * needs no timer a query, which would cost a third of the join (see {@link DueQueries}).
 *
 * <p>When nothing comes any more that would move event time, it moves it once by itself, late
 * enough that whatever comes afterwards is not late by that (see {@link #processWatermarkStatus}).
 */
public final class QueryJoinOperator extends AbstractStreamOperator<Measurement>
        implements TwoInputStreamOperator<SampledEvent, Policy, Measurement> {
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

    /** Flink's type of the keys that it is joined by. */
    static final TypeInformation<QueryKey> KEY_TYPE = FormatTypeInfo.of(new QueryKeyFormat());

    private static final String UID = "query-join";

    private final PolicyBook<QualitySettings> policies;
    private final PolicyBook<ProfileSettings> profileSettings;
    private final ClassFold classes;
    private final String topicPrefix;
    private final int profilesPerSecond;
    private final long backStopMillis;
    private transient BroadcastState<String, Policy> policyState;
    private transient ValueState<OpenQuery> open;
    private transient DueQueries due;
    private transient ProfileBudget profileBudget;
    private transient ConservedCounters<JoinCount> counts;
    private transient QualityMetrics qualityMetrics;
    private transient long watermarkMillis;
    private transient ListState<Long> storedWatermark;
    private transient EventFate.Listener fates;

    /** Runs while all input is idle; null otherwise. */
    private transient ScheduledFuture<?> backStop;

    /**
     * State on the heap is the very object that was asked for; others have to be told of changes.
     */
    private transient boolean stateIsChangedInPlace;

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
     * The measurements of these events' queries.
     *
     * @param knownPolicies at the time of submission, by service
     * @param topicPrefix names the topics in dead letters
     * @param profilesPerSecond most queries a second that are profiled by a subtask; 0: none
     * @param backStop for how long all input is idle, beyond the windows of the open queries,
     *     before they are measured with what there is
     */
    public static SingleOutputStreamOperator<Measurement> join(
            DataStream<SampledEvent> events,
            DataStream<Policy> policies,
            Map<String, Policy> knownPolicies,
            String topicPrefix,
            int profilesPerSecond,
            Duration backStop) {
        return events.keyBy(SampledEvent::key, KEY_TYPE)
                .connect(policies.broadcast())
                .transform(
                        UID,
                        CodecTypeInfo.of(Codecs.MEASUREMENT),
                        new QueryJoinOperator(
                                knownPolicies, topicPrefix, profilesPerSecond, backStop))
                .uid(UID);
    }

    static ValueStateDescriptor<OpenQuery> stateDescriptor() {
        return new ValueStateDescriptor<>(
                "open-query", FormatTypeInfo.of(new OpenQueryStateFormat()));
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        watermarkMillis = Long.MIN_VALUE;
        storedWatermark =
                context.getOperatorStateStore()
                        .getUnionListState(new ListStateDescriptor<>("join-watermark", Types.LONG));
        // Subtasks get all watermarks of before a checkpoint, so they agree.
        for (long millis : storedWatermark.get()) {
            watermarkMillis = Math.max(watermarkMillis, millis);
        }
        fates = this::count;
        counts = new ConservedCounters<>(JoinCount.values());
        counts.initialize(context, "join-counts");
        policyState = context.getOperatorStateStore().getBroadcastState(PolicyBook.STATE);
        open = context.getKeyedStateStore().getState(stateDescriptor());
        stateIsChangedInPlace = getKeyedStateBackend() instanceof HeapKeyedStateBackend;
        due = new DueQueries();
        profileBudget = new ProfileBudget(profilesPerSecond);
        if (context.isRestored()) {
            this.<QueryKey>getKeyedStateBackend()
                    .applyToAllKeys(
                            VoidNamespace.INSTANCE,
                            VoidNamespaceSerializer.INSTANCE,
                            stateDescriptor(),
                            (key, state) -> due.add(new Due(key, null), state.value().dueMillis()));
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        counts.snapshot();
        storedWatermark.update(List.of(watermarkMillis));
    }

    @Override
    public void open() throws Exception {
        super.open();
        qualityMetrics = new QualityMetrics(getMetricGroup(), counts);
        classes.open(getMetricGroup());
    }

    @Override
    public void processElement1(StreamRecord<SampledEvent> element) throws Exception {
        SampledEvent event = element.getValue();
        QueryKey key = event.key();
        QualitySettings settings = policies.find(policyState, key.service());
        if (settings == null) {
            counts.increment(REJECTED_EVENTS);
            output.collect(DEAD_LETTERS_OUTPUT, new StreamRecord<>(unknownService(event)));
            return;
        }
        if (QueryJoin.isLateByItself(event, settings, watermarkMillis)) {
            late(event);
            return;
        }
        OpenQuery query = open.value();
        boolean isNew = query == null;
        if (isNew) {
            query = new OpenQuery();
        }
        boolean hadBegun = query.hasBegun();
        int unnamedBefore = query.isMeasured() ? query.unnamedResults() : 0;
        if (!QueryJoin.accept(query, event, settings, watermarkMillis, fates)) {
            return;
        }
        if (query.isMeasured()) {
            counts.add(UNNAMED_RESULTS, query.unnamedResults() - unnamedBefore);
        }
        Optional<Measurement> measurement = QueryJoin.measureIfComplete(key, query, settings);
        if (measurement.isPresent()) {
            emit(measurement.get(), query, settings);
        }
        if (query.isMeasured()) {
            profile(key, query, measurement);
        }
        if (!hadBegun && query.hasBegun()) {
            counts.increment(STARTED_QUERIES);
            qualityMetrics.sampled(key);
        }
        long settled = QueryJoin.settledMillis(query, settings);
        long dueMillis =
                DueQueries.onGrid(
                        query.isMeasured() ? settled + QueryJoin.TOMBSTONE_SLACK_MILLIS : settled);
        // Results may have come before the event that knows of an earlier start.
        if (isNew || dueMillis < query.dueMillis()) {
            query.setDueMillis(dueMillis);
            due.add(new Due(key, stateIsChangedInPlace ? query : null), dueMillis);
        }
        if (isNew || !stateIsChangedInPlace) {
            open.update(query);
        }
    }

    private void count(SampledEvent event, EventFate fate) {
        switch (fate) {
            case LATE -> late(event);
            case DUPLICATE -> counts.increment(DUPLICATE_EVENTS);
            case JOINED -> counts.increment(JOINED_EVENTS);
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
        if (mark.getTimestamp() < watermarkMillis) {
            // The input's own time, after the back-stop went ahead of it.
            return;
        }
        watermarkMillis = mark.getTimestamp();
        for (Map.Entry<Long, List<Due>> second = due.poll(watermarkMillis);
                second != null;
                second = due.poll(watermarkMillis)) {
            for (Due query : second.getValue()) {
                lookAt(query, second.getKey());
            }
        }
        super.processWatermark(mark);
    }

    /**
     * All input going idle starts the clock of the back-stop, any input stops it. A site's silence
     * and a log that cannot be reached look alike from here, so it waits; and it settles no query
     * that was not open when the silence began.
     */
    @Override
    protected void processWatermarkStatus(WatermarkStatus status, int input) throws Exception {
        super.processWatermarkStatus(status, input);
        if (!combinedWatermark.isIdle()) {
            if (backStop != null) {
                backStop.cancel(false);
                backStop = null;
            }
        } else if (backStop == null && !due.isEmpty()) {
            long settledMillis = due.latestMillis() + QueryJoin.TOMBSTONE_SLACK_MILLIS;
            // Just restored, there is no event time yet.
            long aheadMillis =
                    watermarkMillis == Long.MIN_VALUE ? 0 : settledMillis - watermarkMillis;
            ProcessingTimeService clock = getProcessingTimeService();
            backStop =
                    clock.registerTimer(
                            clock.getCurrentProcessingTime() + backStopMillis + aheadMillis,
                            firedAtMillis -> moveTimeTo(settledMillis));
        }
    }

    /** As if the input had moved it; what is idle for those behind could not. */
    private void moveTimeTo(long settledMillis) throws Exception {
        LOG.info(
                "All input is idle for {} ms after the last windows: measuring what is open",
                backStopMillis);
        output.emitWatermarkStatus(WatermarkStatus.ACTIVE);
        processWatermark(new Watermark(settledMillis));
        output.emitWatermarkStatus(WatermarkStatus.IDLE);
    }

    /** Event time has come to where the query wanted to be looked at. */
    private void lookAt(Due query, long nowMillis) throws Exception {
        QualitySettings settings = policies.find(policyState, query.key().service());
        if (isSettled(query.seen())) {
            long forgottenMillis =
                    QueryJoin.settledMillis(query.seen(), settings)
                            + QueryJoin.TOMBSTONE_SLACK_MILLIS;
            if (nowMillis < forgottenMillis) {
                due.add(query, DueQueries.onGrid(forgottenMillis));
            } else {
                setCurrentKey(query.key());
                open.clear();
            }
            return;
        }
        setCurrentKey(query.key());
        lookAtOpen(query, settings, nowMillis);
    }

    /** Measured, and nothing else is awaited: neither changes any more, nor does the start. */
    private static boolean isSettled(OpenQuery seen) {
        return seen != null && seen.isMeasured() && !seen.holdsResults();
    }

    private void lookAtOpen(Due dueQuery, QualitySettings settings, long nowMillis)
            throws Exception {
        QueryKey key = dueQuery.key();
        OpenQuery query = open.value();
        if (query == null) {
            // It was due twice, since its start turned out to be earlier.
            return;
        }
        long settled = QueryJoin.settledMillis(query, settings);
        long forgotten = settled + QueryJoin.TOMBSTONE_SLACK_MILLIS;
        if (nowMillis >= settled) {
            Optional<Measurement> measurement =
                    QueryJoin.measureExpired(key, query, settings, fates);
            if (measurement.isPresent()) {
                emit(measurement.get(), query, settings);
            }
            if (measurement.isPresent() || query.holdsResults()) {
                profile(key, query, measurement);
                // What a clean query's results have not brought by now will not come any more.
                query.letGoOfResults();
                open.update(query);
            }
        }
        if (nowMillis >= forgotten) {
            open.clear();
            return;
        }
        // An answer after a partial result may have known of a later start. The stored time stays:
        // who is restored with it looks once too often.
        due.add(dueQuery, DueQueries.onGrid(nowMillis < settled ? settled : forgotten));
    }

    /**
     * Profiles a measured query once all its results are there, and lets go of them: at its
     * measurement if it is degraded, else when they have come, if they do.
     */
    private void profile(QueryKey key, OpenQuery query, Optional<Measurement> measurement)
            throws Exception {
        if (profilesPerSecond == 0) {
            query.letGoOfResults();
        }
        if (!query.holdsResults() || !(query.isDegraded() || query.hasAllResults())) {
            return;
        }
        ProfileSettings settings = profileSettings.find(policyState, key.service());
        if (settings.mergesPartials()
                && profileBudget.admits(
                        ConsistentSampling.randomness(key),
                        getProcessingTimeService().getCurrentProcessingTime())) {
            Optional<ProfileSubject> subject = ProfileSubject.of(key, query, measurement);
            if (subject.isPresent()) {
                counts.increment(PROFILED_QUERIES);
                QueryProfile profile =
                        Profiling.profile(subject.get(), settings)
                                .ofClass(
                                        classes.fold(
                                                policyState,
                                                key.service(),
                                                subject.get().queryClass()));
                output.collect(
                        PROFILES_OUTPUT, new StreamRecord<>(profile, profile.profiledAtMillis()));
            }
        }
        query.letGoOfResults();
    }

    /** Events whose fate is decided. */
    long fates() {
        return counts.get(JOINED_EVENTS) + counts.get(LATE_EVENTS) + counts.get(DUPLICATE_EVENTS);
    }

    /** Whether no query waits for anything. */
    boolean isIdle() {
        return due.isEmpty();
    }

    /** The record's time is what {@link ExpiredBoundsFunction} asks for. */
    private void emit(Measurement measured, OpenQuery query, QualitySettings settings)
            throws Exception {
        Measurement measurement =
                measured.ofClass(
                        classes.fold(policyState, measured.service(), measured.queryClass()));
        counts.increment(
                switch (measurement.completeness()) {
                    case COMPLETE -> COMPLETE_QUERIES;
                    case EXPIRED -> EXPIRED_QUERIES;
                    case ORPHAN -> ORPHAN_QUERIES;
                    case NOT_MEASURABLE -> UNMEASURABLE_QUERIES;
                });
        counts.add(UNNAMED_RESULTS, query.unnamedResults());
        output.collect(
                new StreamRecord<>(
                        measurement, QueryJoin.measuredBeforeMillis(measurement, settings)));
    }

    private void late(SampledEvent event) {
        counts.increment(LATE_EVENTS);
        qualityMetrics.late(event.isAnswer() ? "answer" : event.component());
        output.collect(
                LATE_EVENTS_OUTPUT,
                new StreamRecord<>(event.toQueryEvent(), event.eventTimeMillis()));
    }

    private DeadLetter unknownService(SampledEvent event) {
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
