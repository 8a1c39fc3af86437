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
 * Runs a {@link PartitionedJoin}. Each subtask joins the partitions that it owns ({@link LogPartitions#owner}),
 * whichever way their events come: chained to the source, which then reads what the subtask owns, or through a shuffle
 * by partition ({@link PartitionKeys#shuffle}). State is the same, so a savepoint fits both.
 *
 * <p>All events of a query should be in the partition of its id. An event in another one is a stray. Through a shuffle
 * it comes to its right subtask all the same. Chained, it leaves by {@link #STRAYS_OUTPUT} if another subtask owns its
 * right partition, to be written again to that partition. While a backlog is read, it arrives there long after its
 * window. Then it begins its query only if that query certainly was not there before.
 *
 * <p>The queries of a partition are keyed state in the partition's key group. So they follow the partition when the job
 * is rescaled. The key is set where state is restored and stored, and by no event. State is on the heap. Policies come
 * with the events. An operator with several inputs cannot be used: Flink 2.2 never completes a checkpoint of one that
 * has both a chained source and other inputs.
 */
public final class QueryJoinOperator extends AbstractStreamOperator<Measurement>
        implements OneInputStreamOperator<JoinInput, Measurement> {
    private static final Logger RATES = LoggerFactory.getLogger(QueryJoinOperator.class);

    /** Events outside the partition of their query, which another subtask owns. */
    public static final OutputTag<LoggedEvent> STRAYS_OUTPUT =
            new OutputTag<>("stray-events", EventFormats.EVENT.typeInfo());

    /** Events after their query's window. */
    public static final OutputTag<QueryEvent> LATE_EVENTS_OUTPUT =
            new OutputTag<>("late-events", Format.typeOf(Codecs.QUERY_EVENT));

    /** Events of unknown services. */
    public static final OutputTag<DeadLetter> DEAD_LETTERS_OUTPUT =
            new OutputTag<>("dead-letters", Format.typeOf(Codecs.DEAD_LETTER));

    /** Queries that were merged again for every deadline. */
    public static final OutputTag<QueryProfile> PROFILES_OUTPUT =
            new OutputTag<>("profiles", StateFormats.QUERY_PROFILE.typeInfo());

    /** The operator's uid, which savepoints have. Its name is {@value #NAME}. */
    public static final String UID = "partitioned-join";

    /** Uids of former joins, whose state this one does not read. */
    public static final Set<String> FORMER_UIDS = Set.of("query-join", "local-query-join");

    /** Name, which metrics have. */
    public static final String NAME = "query-join";

    /** Events between two looks at the heap, a power of two. */
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

    /** Behind a shuffle, where event time comes with the events; null before the first. */
    private transient FeedTimes feeds;

    private transient QueryMeasurer measurer;
    private transient PartitionedJoin join;
    private transient IdleBackStop backStop;
    private transient ListState<StoredPartition> stored;
    private transient ListState<StoredForgotten> storedForgotten;
    private transient ListState<StoredBacklog> storedBacklog;

    /** Rate of the queries that start now, in the partition where it is lowest. */
    private transient volatile double backlogRate;

    private transient long outputMillis;

    /** How long ago the record that is read now was appended. */
    private transient long behindMillis;

    QueryJoinOperator(
            JoinSettings settings, LogPartitions partitions, PartitionTime.Tolerance tolerance, boolean isShuffled) {
        this(settings, partitions, tolerance, isShuffled, HeapLimit::ofThisProcess);
    }

    /** An operator with another heap. */
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
     * @param input of a source whose subtasks read the partitions that they own, and all policies
     * @param isShuffled whether events go through the network to their query's partition; else the join is in the
     *     source's task
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

    /** Events have no key. */
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

    /** A subtask of the feed has come further, is idle now, or is not any more. */
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

    /** Reads the rest of an event, unless the job samples its backlog, and does not measure the query. */
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

    /** As {@link PartitionTime} bounds an event's time by its append time. */
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
     * Refuses a restored job whose state has another join: its open queries would be lost. Flink would ignore them if a
     * high-availability store restarted the job. Restarts are suppressed, since they would fail again.
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

    /** If partitions were added meanwhile, queries may move to another one of this subtask. */
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

    /** Which queries of a former partition were measured; without a record, all of them. */
    private static BacklogSampling.BacklogState samplingOf(StoredPartition part, List<StoredBacklog> backlog) {
        return backlog.stream()
                .filter(one -> one.partition() == part.partition() && one.partitions() == part.partitions())
                .map(StoredBacklog::sampling)
                .findFirst()
                .orElseGet(() -> BacklogSampling.BacklogState.full(part.eventTimeMillis()));
    }

    /** State is only where Flink has put it, so no query can move to another subtask. */
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

    /** The snapshot is written, so its copies of queries can go. */
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
     * Moves event time like a watermark of the input. Downstream the stream is marked as active first, since idle
     * streams cannot move time.
     */
    private void moveTimeTo(long millis) throws Exception {
        output.emitWatermarkStatus(WatermarkStatus.ACTIVE);
        processWatermark(new Watermark(millis));
        output.emitWatermarkStatus(WatermarkStatus.IDLE);
    }

    /** Whether there is no query. */
    boolean isIdle() {
        return join.nextDueMillis() == Long.MAX_VALUE;
    }
}
