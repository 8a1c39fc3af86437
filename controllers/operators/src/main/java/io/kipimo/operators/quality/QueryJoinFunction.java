package io.kipimo.operators.quality;

import static io.kipimo.operators.quality.QualityMetrics.JoinCount.COMPLETE_QUERIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.DUPLICATE_EVENTS;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.EXPIRED_QUERIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.JOINED_EVENTS;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.LATE_EVENTS;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.ORPHAN_QUERIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.REJECTED_EVENTS;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.REJECTED_POLICIES;
import static io.kipimo.operators.quality.QualityMetrics.JoinCount.STARTED_QUERIES;

import io.kipimo.core.quality.join.EventFate;
import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.quality.join.QueryJoin;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.operators.quality.QualityMetrics.JoinCount;
import io.kipimo.operators.types.CodecTypeInfo;
import io.kipimo.operators.types.FormatTypeInfo;
import io.kipimo.operators.types.QueryKeyFormat;
import io.kipimo.operators.types.SampledEventFormat;
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
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Runs {@link QueryJoin} keyed by {@link SampledEvent#key}: one state object a query, at most one
 * pending timer, coalesced to seconds. A measured query stays as a tombstone for {@link
 * #TOMBSTONE_SLACK_MILLIS} after its window, since its events may come through several partitions;
 * without it a second, partial measurement would appear.
 */
public final class QueryJoinFunction
        extends KeyedBroadcastProcessFunction<QueryKey, SampledEvent, Policy, Measurement>
        implements CheckpointedFunction {
    private static final long serialVersionUID = 1L;

    /** Events after their query's measurement or window. */
    public static final OutputTag<QueryEvent> LATE_EVENTS_OUTPUT =
            new OutputTag<>("late-events", CodecTypeInfo.of(Codecs.QUERY_EVENT));

    /** Events of unknown services. */
    public static final OutputTag<DeadLetter> DEAD_LETTERS_OUTPUT =
            new OutputTag<>("dead-letters", CodecTypeInfo.of(Codecs.DEAD_LETTER));

    /** Flink's type of the stream that is joined. */
    public static final TypeInformation<SampledEvent> EVENT_TYPE =
            FormatTypeInfo.of(new SampledEventFormat());

    /** Flink's type of the keys that it is joined by. */
    static final TypeInformation<QueryKey> KEY_TYPE = FormatTypeInfo.of(new QueryKeyFormat());

    /** By how much the starts that the events of one query know of may differ. */
    public static final long TOMBSTONE_SLACK_MILLIS = 10_000;

    private static final long TIMER_GRAIN_MILLIS = 1000;

    private final PolicyBook<QualitySettings> policies;
    private final String topicPrefix;
    private transient ValueState<OpenQuery> open;
    private transient ConservedCounters<JoinCount> counts;
    private transient QualityMetrics metrics;

    /**
     * @param knownPolicies at the time of submission, by service
     * @param topicPrefix names the topics in dead letters
     */
    public QueryJoinFunction(Map<String, Policy> knownPolicies, String topicPrefix) {
        this.policies = new PolicyBook<>(knownPolicies, QualitySettings::of);
        this.topicPrefix = topicPrefix;
    }

    /** A query's events together. */
    public static KeyedStream<SampledEvent, QueryKey> byQuery(DataStream<SampledEvent> events) {
        return events.keyBy(SampledEvent::key, KEY_TYPE);
    }

    static ValueStateDescriptor<OpenQuery> stateDescriptor() {
        return new ValueStateDescriptor<>(
                "open-query", FormatTypeInfo.of(new OpenQueryStateFormat()));
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        counts = new ConservedCounters<>(JoinCount.values());
        counts.initialize(context, "join-counts");
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        counts.snapshot();
    }

    @Override
    public void open(OpenContext openContext) {
        open = getRuntimeContext().getState(stateDescriptor());
        metrics = new QualityMetrics(getRuntimeContext().getMetricGroup(), counts);
    }

    @Override
    public void processElement(SampledEvent event, ReadOnlyContext ctx, Collector<Measurement> out)
            throws Exception {
        QueryKey key = event.key();
        QualitySettings settings =
                policies.find(ctx.getBroadcastState(PolicyBook.STATE), key.service());
        if (settings == null) {
            counts.increment(REJECTED_EVENTS);
            ctx.output(DEAD_LETTERS_OUTPUT, unknownService(event, ctx));
            return;
        }
        if (QueryJoin.isLateByItself(event, settings, ctx.currentWatermark())) {
            late(event, ctx);
            return;
        }
        OpenQuery query = open.value();
        boolean isNew = query == null;
        if (isNew) {
            query = new OpenQuery();
        }
        EventFate fate = QueryJoin.accept(query, event, settings);
        switch (fate) {
            case LATE -> late(event, ctx);
            case DUPLICATE -> counts.increment(DUPLICATE_EVENTS);
            case JOINED -> {
                counts.increment(JOINED_EVENTS);
                QueryJoin.measureIfComplete(key, query, settings).ifPresent(m -> emit(m, out));
                if (isNew) {
                    counts.increment(STARTED_QUERIES);
                    metrics.sampled(key.queryId());
                    ctx.timerService().registerEventTimeTimer(firstTimer(query, settings));
                }
                open.update(query);
            }
            case REJECTED -> throw new IllegalStateException("a decoded event was rejected");
        }
    }

    /** The end of the window, unless there is nothing to do then but to wait on. */
    private static long firstTimer(OpenQuery query, QualitySettings settings) {
        long expiry = QueryJoin.expiryMillis(query, settings);
        return onGrid(query.isMeasured() ? expiry + TOMBSTONE_SLACK_MILLIS : expiry);
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext ctx, Collector<Measurement> out)
            throws Exception {
        OpenQuery query = open.value();
        if (query == null) {
            return;
        }
        QueryKey key = ctx.getCurrentKey();
        QualitySettings settings =
                policies.find(ctx.getBroadcastState(PolicyBook.STATE), key.service());
        long expiry = QueryJoin.expiryMillis(query, settings);
        if (expiry > timestamp) {
            // The answer came after a partial result and knew of a later start.
            reschedule(query, expiry, ctx);
        } else if (timestamp < expiry + TOMBSTONE_SLACK_MILLIS) {
            QueryJoin.measureExpired(key, query, settings).ifPresent(m -> emit(m, out));
            reschedule(query, expiry + TOMBSTONE_SLACK_MILLIS, ctx);
        } else {
            open.clear();
        }
    }

    private void reschedule(OpenQuery query, long millis, OnTimerContext ctx) throws Exception {
        ctx.timerService().registerEventTimeTimer(onGrid(millis));
        open.update(query);
    }

    @Override
    public void processBroadcastElement(Policy policy, Context ctx, Collector<Measurement> out)
            throws Exception {
        String problem = policies.update(ctx.getBroadcastState(PolicyBook.STATE), policy);
        if (problem != null) {
            counts.increment(REJECTED_POLICIES);
        }
    }

    private void emit(Measurement measurement, Collector<Measurement> out) {
        counts.increment(
                switch (measurement.completeness()) {
                    case COMPLETE -> COMPLETE_QUERIES;
                    case EXPIRED -> EXPIRED_QUERIES;
                    case ORPHAN -> ORPHAN_QUERIES;
                });
        out.collect(measurement);
    }

    private void late(SampledEvent event, ReadOnlyContext ctx) {
        counts.increment(LATE_EVENTS);
        metrics.late(event.isAnswer() ? "answer" : event.component());
        ctx.output(LATE_EVENTS_OUTPUT, event.toQueryEvent());
    }

    private DeadLetter unknownService(SampledEvent event, ReadOnlyContext ctx) {
        return new DeadLetter(
                (event.isAnswer() ? Topic.ANSWERS : Topic.PARTIALS).name(topicPrefix),
                event.partition(),
                event.offset(),
                RejectionReason.UNKNOWN_SERVICE,
                "service is '" + event.key().service() + "'; allowed: one that has a policy",
                event.key().queryId().getBytes(StandardCharsets.UTF_8),
                event.wire(),
                ctx.currentProcessingTime());
    }

    private static long onGrid(long millis) {
        return (millis + TIMER_GRAIN_MILLIS - 1) / TIMER_GRAIN_MILLIS * TIMER_GRAIN_MILLIS;
    }
}
