package io.kipimo.operators.quality;

import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.core.quality.join.JoinEngine;
import io.kipimo.core.quality.join.SnapshotRhythm;
import io.kipimo.core.quality.join.WriteBehindQueryStore;
import io.kipimo.operators.types.EventFormats;
import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.StateFormats;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.QueryKey;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
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
 * Runs a {@link JoinEngine} keyed by {@link LoggedEvent#key}. Queries are in keyed state. Event time is in the state
 * too, so it continues after a restart.
 *
 * <p>It is an operator instead of a process function because it then gets every watermark and needs no timer for each
 * query, which would take a third of the join's time. If no input moves event time any more, its {@link IdleBackStop}
 * does.
 */
public final class QueryJoinOperator extends AbstractStreamOperator<Measurement>
        implements TwoInputStreamOperator<LoggedEvent, Policy, Measurement> {
    /** Events after their query's window. */
    public static final OutputTag<QueryEvent> LATE_EVENTS_OUTPUT =
            new OutputTag<>("late-events", Format.typeOf(Codecs.QUERY_EVENT));

    /** Events of unknown services. */
    public static final OutputTag<DeadLetter> DEAD_LETTERS_OUTPUT =
            new OutputTag<>("dead-letters", Format.typeOf(Codecs.DEAD_LETTER));

    /** Queries that were merged again for every deadline. */
    public static final OutputTag<QueryProfile> PROFILES_OUTPUT =
            new OutputTag<>("profiles", StateFormats.QUERY_PROFILE.typeInfo());

    /** The operator's uid. */
    public static final String UID = "query-join";

    /** Flink's type of the keys of the join. */
    static final TypeInformation<QueryKey> KEY_TYPE = EventFormats.KEY.typeInfo();

    /**
     * Limit of changes that a state backend with bytes has not got yet when a checkpoint is due. It waits for them:
     * some microseconds each.
     */
    private static final int MOST_CHANGES = 4_096;

    /** As above, while the next checkpoint is far. */
    private static final int MOST_GATHERED_CHANGES = 100_000;

    /** Limit of queries and components' places that are kept as objects beside such a backend. */
    private static final int MOST_OBJECTS = 200_000;

    /** Events between two looks at the clock, a power of two. */
    private static final int PACE_EVENTS = 1_024;

    private final JoinSettings settings;
    private final int mostChanges;
    private final int mostObjects;
    private transient QueryMeasurer measurer;
    private transient JoinEngine engine;

    /** Null on the heap, where state is the object itself. */
    private transient WriteBehindQueryStore cache;

    private transient SnapshotRhythm rhythm;
    private transient int events;

    private transient IdleBackStop backStop;
    private transient ListState<Long> storedWatermark;

    QueryJoinOperator(JoinSettings settings) {
        this(settings, MOST_CHANGES, MOST_OBJECTS);
    }

    /** An operator with another cache. */
    QueryJoinOperator(JoinSettings settings, int mostChanges, int mostObjects) {
        this.settings = settings;
        this.mostChanges = mostChanges;
        this.mostObjects = mostObjects;
    }

    /** Adds the join, which measures the queries of {@code events}. */
    public static SingleOutputStreamOperator<Measurement> join(
            DataStream<LoggedEvent> events, DataStream<Policy> policies, JoinSettings settings) {
        return events.keyBy(LoggedEvent::key, KEY_TYPE)
                .connect(policies.broadcast())
                .transform(UID, Format.typeOf(Codecs.MEASUREMENT), new QueryJoinOperator(settings))
                .uid(UID);
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        measurer = new QueryMeasurer(settings, context, output, getProcessingTimeService());
        KeyedQueryStore store = new KeyedQueryStore(getKeyedStateBackend(), context);
        cache = store.keepsObjects() ? null : new WriteBehindQueryStore(store, mostChanges, mostObjects);
        rhythm = new SnapshotRhythm(
                getProcessingTimeService().getCurrentProcessingTime(),
                getContainingTask()
                        .getEnvironment()
                        .getJobConfiguration()
                        .getOptional(CheckpointingOptions.CHECKPOINTING_INTERVAL)
                        .map(Duration::toMillis)
                        .orElse(0L));
        engine = measurer.engine(cache == null ? store : cache);
        storedWatermark = context.getOperatorStateStore()
                .getUnionListState(new ListStateDescriptor<>("join-watermark", Types.LONG));
        // Values agree unless the checkpoint was unaligned. Then a subtask has yet to read events
        // that were stored on their way to it, and the time of others would make them late.
        long restoredMillis = Long.MAX_VALUE;
        for (long millis : storedWatermark.get()) {
            restoredMillis = Math.min(restoredMillis, millis);
        }
        if (restoredMillis != Long.MAX_VALUE) {
            engine.advance(restoredMillis);
        }
        if (context.isRestored()) {
            store.restore((key, query) -> {
                if (cache != null) {
                    cache.restore(key);
                }
                engine.restore(key, query);
            });
        }
        backStop = new IdleBackStop(settings.backStopMillis(), engine, getProcessingTimeService(), this::moveTimeTo);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        measurer.snapshot();
        if (cache != null) {
            cache.flush();
            rhythm = rhythm.after(getProcessingTimeService().getCurrentProcessingTime());
        }
        storedWatermark.update(List.of(engine.eventTimeMillis()));
    }

    @Override
    public void open() throws Exception {
        super.open();
        measurer.open(getMetricGroup());
    }

    @Override
    public void processElement1(StreamRecord<LoggedEvent> element) throws Exception {
        LoggedEvent event = element.getValue();
        if (!engine.accept(event)) {
            measurer.reject(event);
        }
        if (cache != null && (++events & PACE_EVENTS - 1) == 0) {
            pace();
        }
    }

    /** Lets changes gather, or writes them down before the next checkpoint. */
    private void pace() {
        long nowMillis = getProcessingTimeService().getCurrentProcessingTime();
        cache.bound(rhythm.changes(nowMillis, mostChanges, MOST_GATHERED_CHANGES));
    }

    @Override
    public void processElement2(StreamRecord<Policy> element) throws Exception {
        measurer.update(element.getValue());
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (mark.getTimestamp() < engine.eventTimeMillis()) {
            // The input's own time is behind the time that the back-stop has set.
            return;
        }
        engine.advance(mark.getTimestamp());
        if (cache != null) {
            pace();
        }
        super.processWatermark(mark);
    }

    @Override
    protected void processWatermarkStatus(WatermarkStatus status, int input) throws Exception {
        super.processWatermarkStatus(status, input);
        backStop.update(combinedWatermark.isIdle());
    }

    /**
     * Moves event time like a watermark of the input. Downstream the stream is marked as active first, since idle
     * streams cannot move time.
     */
    private void moveTimeTo(long millis) throws Exception {
        output.emitWatermarkStatus(WatermarkStatus.ACTIVE);
        processWatermark(new Watermark(millis));
        output.emitWatermarkStatus(WatermarkStatus.IDLE);
    }

    /** Number of events with a join result. */
    long fates() {
        return measurer.fates();
    }

    /** Whether there is no open query. */
    boolean isIdle() {
        return engine.nextDueMillis() == Long.MAX_VALUE;
    }
}
