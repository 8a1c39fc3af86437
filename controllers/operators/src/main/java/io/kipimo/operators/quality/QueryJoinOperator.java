package io.kipimo.operators.quality;

import static io.kipimo.operators.quality.QualityMetrics.JoinCount.STRAY_EVENTS;

import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.core.quality.join.BacklogSampling;
import io.kipimo.core.quality.join.FeedTimes;
import io.kipimo.core.quality.join.ForgottenQueries.ForgottenPart;
import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.core.quality.join.PartitionedJoin;
import io.kipimo.core.quality.join.PartitionedJoin.PartitionSnapshot;
import io.kipimo.operators.flink.FinalFailure;
import io.kipimo.operators.flink.KeyGroups;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.operators.types.Coder;
import io.kipimo.operators.types.EventFormats;
import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.StateFormats;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.quality.JoinInput;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.SampledEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.OutputTag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins the events of each query and measures it ({@link PartitionedJoin}). Each subtask joins the partitions that it
 * owns ({@link LogPartitions#owner}). Events reach it in one of two ways. Either the operator is chained to the source,
 * which then reads the partitions that the subtask owns, or a shuffle distributes events by partition
 * ({@link PartitionKeys#shuffle}). State is the same in both cases, so a savepoint fits both.
 *
 * <p>All events of a query should be in the partition of its id. An event in another partition is a stray. A shuffle
 * brings a stray to its right subtask all the same. A chained operator sends it to {@link #STRAYS_OUTPUT} if another
 * subtask owns its right partition, so that it is written again to that partition. While a backlog is read, a stray may
 * arrive there long after its window. Then it starts its query only if that query certainly did not exist before.
 *
 * <p>The queries of a partition are keyed state in the partition's key group. So they move with the partition when the
 * job is rescaled. The operator sets the key itself when it restores and stores state; events set none. State is on the
 * heap. Policies arrive in the same input as events. Separate inputs are not possible: Flink 2.2 never completes a
 * checkpoint of an operator that has both a chained source and other inputs.
 */
public final class QueryJoinOperator extends AbstractStreamOperator<Measurement>
        implements OneInputStreamOperator<JoinInput, Measurement> {
    private static final Logger RATES = LoggerFactory.getLogger(QueryJoinOperator.class);

    /** Side output of stray events, whose query's partition another subtask owns. */
    public static final OutputTag<LoggedEvent> STRAYS_OUTPUT =
            new OutputTag<>("stray-events", EventFormats.EVENT.typeInfo());

    /** Side output of events that came after their query's window. */
    public static final OutputTag<QueryEvent> LATE_EVENTS_OUTPUT =
            new OutputTag<>("late-events", Format.typeOf(Codecs.QUERY_EVENT));

    /** Side output of events of unknown services, as dead letters. */
    public static final OutputTag<DeadLetter> DEAD_LETTERS_OUTPUT =
            new OutputTag<>("dead-letters", Format.typeOf(Codecs.DEAD_LETTER));

    /** Side output of profiles: queries whose results were merged again for every deadline. */
    public static final OutputTag<QueryProfile> PROFILES_OUTPUT =
            new OutputTag<>("profiles", StateFormats.QUERY_PROFILE.typeInfo());

    /** The operator's uid, which savepoints store. The operator's name is {@value #NAME}. */
    public static final String UID = "partitioned-join";

    /** Uids of former joins, whose state this one does not read. */
    public static final Set<String> FORMER_UIDS = Set.of("query-join", "local-query-join");

    /** The operator's name, which appears in metrics. */
    public static final String NAME = "query-join";

    /** Number of events between two checks of the heap, a power of two. */
    private static final int LOOK_EVENTS = 1_024;

    private final JoinSettings settings;
    private final LogPartitions partitions;
    private final PartitionTime.Tolerance tolerance;
    private final boolean isShuffled;

    private final HeapLimit.HeapUse heapUse;

    private transient HeapLimit heap;
    private transient int events;
    private transient TaskInfo task;
    private transient PartitionKeys keys;

    /** Keys with state from the last snapshot. */
    private transient Set<Integer> used;

    /** By partition, event time that its events have reached, epoch milliseconds. */
    private transient long[] reachedMillis;

    private transient int address;

    /** Times of the feed's subtasks, which arrive as inputs behind a shuffle; null before the first. */
    private transient FeedTimes feeds;

    private transient QueryMeasurer measurer;
    private transient PartitionedJoin join;
    private transient IdleBackStop backStop;
    private transient ListState<StoredPartition> stored;
    private transient ListState<StoredForgotten> storedForgotten;
    private transient ListState<StoredBacklog> storedBacklog;

    /** Share of the queries starting now that are measured, 0 to 1, in the partition where this share is lowest. */
    private transient volatile double backlogRate;

    private transient long outputMillis;

    /** Time from the append of the current record until it was read, milliseconds. */
    private transient long behindMillis;

    QueryJoinOperator(
            JoinSettings settings, LogPartitions partitions, PartitionTime.Tolerance tolerance, boolean isShuffled) {
        this(settings, partitions, tolerance, isShuffled, HeapLimit::ofThisProcess);
    }

    /** Creates an operator that takes its heap use from {@code heapUse}. */
    QueryJoinOperator(
            JoinSettings settings,
            LogPartitions partitions,
            PartitionTime.Tolerance tolerance,
            boolean isShuffled,
            HeapLimit.HeapUse heapUse) {
        this.heapUse = heapUse;
        this.settings = settings;
        this.partitions = partitions;
        this.tolerance = tolerance;
        this.isShuffled = isShuffled;
    }

    /**
     * Adds the join, which measures the queries of {@code input}.
     *
     * @param input output of a source whose subtasks each read the partitions that they own, and all policies
     * @param isShuffled whether events go over the network to the subtask of their query's partition; otherwise the
     *     join runs in the source's task
     */
    public static SingleOutputStreamOperator<Measurement> join(
            DataStream<JoinInput> input,
            JoinSettings settings,
            LogPartitions partitions,
            PartitionTime.Tolerance tolerance,
            boolean isShuffled) {
        DataStream<JoinInput> feed = isShuffled
                ? PartitionKeys.shuffle(
                        input, partitions, input.getExecutionEnvironment().getMaxParallelism())
                : input;
        SingleOutputStreamOperator<Measurement> joined = feed.transform(
                        NAME,
                        Format.typeOf(Codecs.MEASUREMENT),
                        new QueryJoinOperator(settings, partitions, tolerance, isShuffled))
                .uid(UID);
        KeyGroups.keepState(joined);
        return joined;
    }

    static ListStateDescriptor<StoredPartition> stateDescriptor() {
        return new ListStateDescriptor<>("partitions", QualityFormats.STORED_PARTITION.typeInfo());
    }

    /** Sets no key, since events have none. */
    @Override
    @SuppressWarnings("rawtypes") // As Flink declares it.
    public void setKeyContextElement1(StreamRecord element) {}

    @Override
    public void processElement(StreamRecord<JoinInput> element) throws Exception {
        JoinInput input = element.getValue();
        if (input instanceof LoggedEvent event) {
            join(event);
        } else if (input instanceof DeferredEvent deferred) {
            joinIfMeasured(deferred);
        } else if (input instanceof PolicyInput policy) {
            if (policy.key() == address) {
                measurer.update(policy.policy());
            }
        } else if (input instanceof FeedTime time) {
            if (time.key() == address) {
                follow(time);
            }
        }
    }

    /** Updates event time and idleness with the report of a subtask of the feed. */
    private void follow(FeedTime time) throws Exception {
        if (feeds == null) {
            feeds = new FeedTimes(time.feeds());
        }
        boolean wereIdle = feeds.areIdle();
        feeds.update(time.feed(), time.eventTimeMillis(), time.isIdle());
        if (feeds.areIdle() != wereIdle) {
            processWatermarkStatus(wereIdle ? WatermarkStatus.ACTIVE : WatermarkStatus.IDLE);
        }
        if (feeds.reachedMillis() > outputMillis) {
            processWatermark(new Watermark(feeds.reachedMillis()));
        }
    }

    /**
     * Joins an event of which only the head was read. Leaves it out if the job samples its backlog and does not measure
     * the event's query.
     */
    private void joinIfMeasured(DeferredEvent deferred) throws Exception {
        int partition = deferred.partition();
        behindMillis = deferred.behindMillis();
        // What a partition has that was added meanwhile are strays.
        if (partition < partitions.count()) {
            join.backlog(partition).see(behindMillis);
            if (join.isSampledOut(partition, deferred.head())
                    && partitions.partitionOf(deferred.head().key()) == partition) {
                reachedMillis[partition] = Math.max(reachedMillis[partition], deferred.leaveOut());
                measurer.onSampledOut();
                return;
            }
        }
        LoggedEvent event = deferred.read();
        if (event != null) {
            join(event);
        }
    }

    private void join(LoggedEvent event) throws Exception {
        int partition = partitions.partitionOf(event.key());
        if (partition != event.partition() && !isShuffled) {
            measurer.count(STRAY_EVENTS);
            if (!keys.isOwned(partition)) {
                output.collect(STRAYS_OUTPUT, new StreamRecord<>(event, event.eventTimeMillis()));
                return;
            }
            if (settings.backlog().isOn()) {
                join.backlog(partition).seeStray(behindMillis);
            }
        }
        reach(partition, event);
        if (!join.accept(partition, event)) {
            measurer.reject(event);
        }
        // While event time stands still, queries only begin.
        if ((++events & (LOOK_EVENTS - 1)) == 0) {
            heap.require(join::queries);
        }
    }

    /**
     * Advances the event time of a partition. An event counts with at most its append time, as in
     * {@link PartitionTime}.
     */
    private void reach(int partition, LoggedEvent event) {
        long append = event.appendWatermarkMillis() == SampledEvent.NO_LOG
                ? event.eventTimeMillis()
                : event.appendWatermarkMillis() + tolerance.outOfOrderMillis() + 1;
        reachedMillis[partition] = Math.max(reachedMillis[partition], Math.min(event.eventTimeMillis(), append));
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        task = getRuntimeContext().getTaskInfo();
        keys = new PartitionKeys(partitions, task);
        used = new HashSet<>();
        refuseOtherJoin(context);
        measurer = new QueryMeasurer(settings, context, output, getProcessingTimeService());
        reachedMillis = new long[partitions.count()];
        feeds = null;
        address = keys.address();
        join = new PartitionedJoin(measurer::engine, settings.backlog());
        outputMillis = Long.MIN_VALUE;
        stored = context.getKeyedStateStore().getListState(stateDescriptor());
        storedForgotten = context.getKeyedStateStore()
                .getListState(
                        new ListStateDescriptor<>("forgotten-queries", QualityFormats.STORED_FORGOTTEN.typeInfo()));
        storedBacklog = context.getKeyedStateStore()
                .getListState(new ListStateDescriptor<>("backlog-sampling", QualityFormats.STORED_BACKLOG.typeInfo()));
        restore();
        // A collection in between finds queries both as bytes and as objects.
        heap = new HeapLimit(heapUse);
        backStop = new IdleBackStop(settings.backStopMillis(), join, getProcessingTimeService(), this::moveTimeTo);
    }

    /**
     * Refuses a restored job whose state is of another join, since its open queries would be lost. Flink does not check
     * this itself when a high-availability store restarts the job. The failure suppresses restarts, since they would
     * fail again.
     */
    private static void refuseOtherJoin(StateInitializationContext context) {
        if (context.isRestored()
                && !context.getOperatorStateStore()
                        .getRegisteredBroadcastStateNames()
                        .contains(PolicyBook.STATE.getName())) {
            throw FinalFailure.of("the savepoint or checkpoint is of a job with another join, which this"
                    + " version does not read; allowed: one of this version, or none,"
                    + " and the job continues at its committed offsets");
        }
    }

    /**
     * Restores the state of this subtask's partitions. If partitions were added meanwhile, queries may move to another
     * partition of this subtask.
     */
    private void restore() throws Exception {
        Deque<StoredPartition> parts = new ArrayDeque<>();
        List<StoredForgotten> forgotten = new ArrayList<>();
        List<StoredBacklog> backlog = new ArrayList<>();
        for (int key : keys.own().toArray()) {
            setCurrentKey(key);
            stored.get().forEach(parts::add);
            // The bytes of queries that are objects already can go.
            stored.clear();
            storedForgotten.get().forEach(forgotten::add);
            storedForgotten.clear();
            storedBacklog.get().forEach(backlog::add);
            storedBacklog.clear();
        }
        for (StoredPartition part : parts) {
            for (int partition = 0; partition < partitions.count(); partition++) {
                if (partitions.mayContinue(part.partition(), part.partitions(), partition)) {
                    checkOwned(part, partition);
                    join.restore(partition, part.eventTimeMillis());
                    join.backlog(partition).restore(samplingOf(part, backlog));
                }
            }
        }
        for (int partition = 0; partition < partitions.count(); partition++) {
            int own = partition;
            List<ForgottenPart> known = forgotten.stream()
                    .filter(part -> partitions.mayContinue(part.partition(), part.partitions(), own))
                    .map(StoredForgotten::part)
                    .toList();
            if (!known.isEmpty()) {
                join.restore(partition, known);
            }
        }
        Coder<OpenQuery> coder = QualityFormats.OPEN_QUERY.coder();
        while (!parts.isEmpty()) {
            parts.poll().forEach(coder, (key, query) -> join.restore(partitions.partitionOf(key), key, query));
        }
    }

    /** Returns which queries of a former partition were measured. If the state does not say so, all of them were. */
    private static BacklogSampling.BacklogState samplingOf(StoredPartition part, List<StoredBacklog> backlog) {
        return backlog.stream()
                .filter(one -> one.partition() == part.partition() && one.partitions() == part.partitions())
                .map(StoredBacklog::sampling)
                .findFirst()
                .orElseGet(() -> BacklogSampling.BacklogState.full(part.eventTimeMillis()));
    }

    /**
     * Fails if another subtask owns a partition to which restored queries belong, because queries cannot move between
     * subtasks.
     */
    private void checkOwned(StoredPartition part, int partition) {
        if (!keys.isOwned(partition)) {
            throw FinalFailure.of("the savepoint has open queries of partition %d of %d, which may be in"
                            .formatted(part.partition(), part.partitions())
                    + " partition %d of %d now, in another subtask at parallelism"
                            .formatted(partition, partitions.count())
                    + " %d; allowed: parallelism %d for the first start, then a"
                            .formatted(
                                    task.getNumberOfParallelSubtasks(),
                                    partitions.greatestParallelism(
                                            part.partitions(),
                                            task.getNumberOfParallelSubtasks(),
                                            task.getMaxNumberOfParallelSubtasks()))
                    + " savepoint of this start with any parallelism");
        }
    }

    private void setCurrentKey(int partition, int part) {
        int key = keys.key(partition, part);
        used.add(key);
        setCurrentKey(key);
    }

    private void clear(ListState<?> state) {
        for (int key : used) {
            setCurrentKey(key);
            state.clear();
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        measurer.snapshot();
        clear(stored);
        clear(storedForgotten);
        clear(storedBacklog);
        used.clear();
        for (PartitionSnapshot snapshot : join.snapshot(partition -> reachedMillis[partition])) {
            int part = 0;
            setCurrentKey(snapshot.partition(), part);
            storedBacklog.add(new StoredBacklog(snapshot.partition(), partitions.count(), snapshot.backlog()));
            for (StoredPartition queries : StoredPartition.of(snapshot, partitions.count())) {
                setCurrentKey(snapshot.partition(), part++);
                stored.add(queries);
            }
            for (ForgottenPart removed : snapshot.forgotten()) {
                setCurrentKey(snapshot.partition(), part++);
                storedForgotten.add(new StoredForgotten(snapshot.partition(), partitions.count(), removed));
            }
        }
    }

    /** Clears the copies of queries that were made for the snapshot, which is written now. */
    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        super.notifyCheckpointComplete(checkpointId);
        clear(stored);
        clear(storedForgotten);
    }

    @Override
    public void open() throws Exception {
        super.open();
        measurer.open(getMetricGroup());
        backlogRate = 1;
        getMetricGroup().addGroup(QualityMetrics.GROUP).gauge("backlogRate", () -> backlogRate);
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (mark.getTimestamp() < outputMillis) {
            // The input's own time is behind the time that the back-stop has set.
            return;
        }
        outputMillis = mark.getTimestamp();
        join.advance(outputMillis);
        declareRate(1.0 / join.greatestWeight());
        super.processWatermark(mark);
    }

    private void declareRate(double rate) {
        if (rate != backlogRate) {
            RATES.info(
                    "from now on, queries that start are measured at a rate of {}; before, at {}", rate, backlogRate);
            backlogRate = rate;
        }
    }

    @Override
    public void processWatermarkStatus(WatermarkStatus status) throws Exception {
        super.processWatermarkStatus(status);
        backStop.update(status.isIdle());
    }

    /**
     * Advances event time like a watermark of the input. It marks the stream as active downstream meanwhile, since an
     * idle stream cannot advance time.
     */
    private void moveTimeTo(long millis) throws Exception {
        output.emitWatermarkStatus(WatermarkStatus.ACTIVE);
        processWatermark(new Watermark(millis));
        output.emitWatermarkStatus(WatermarkStatus.IDLE);
    }

    /** Returns whether there are no open queries. */
    boolean isIdle() {
        return join.nextDueMillis() == Long.MAX_VALUE;
    }
}
