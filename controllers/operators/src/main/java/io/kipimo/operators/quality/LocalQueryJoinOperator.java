package io.kipimo.operators.quality;

import static io.kipimo.operators.quality.QualityMetrics.JoinCount.STRAY_EVENTS;

import io.kipimo.core.quality.join.BacklogSampling;
import io.kipimo.core.quality.join.ForgottenQueries.ForgottenPart;
import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.core.quality.join.PartitionedJoin;
import io.kipimo.core.quality.join.PartitionedJoin.PartitionSnapshot;
import io.kipimo.core.quality.join.SnapshotQueryStore;
import io.kipimo.operators.metrics.SourceMetrics;
import io.kipimo.operators.types.EventFormats;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.quality.JoinInput;
import io.kipimo.schemas.quality.Measurement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.types.Either;
import org.apache.flink.util.OutputTag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link PartitionedJoin} in the task of the source, so events are neither serialized nor sent to another
 * subtask. Each subtask joins the partitions that its source reads: the partitions of both topics that it owns
 * ({@link LogPartitions#owner}).
 *
 * <p>All events of a query should be in the partition of its id. An event in another one is a stray. If another subtask
 * owns its right partition, it leaves by {@link #STRAYS_OUTPUT}, to be written again to that partition. While a backlog
 * is read, it arrives there long after its window. Then it begins its query only if that query certainly was not there
 * before.
 *
 * <p>The queries of a partition, and the event time that it has reached, are keyed state in the partition's key group.
 * So they follow the partition when the job is rescaled. No event has a key for Flink: the key is set where state is
 * restored and stored. State is on the heap. Policies, and the event time of observations, come from the same source.
 * An operator with several inputs cannot be used: Flink 2.2 never completes a checkpoint of one that has both a chained
 * source and other inputs.
 */
public final class LocalQueryJoinOperator extends AbstractStreamOperator<Measurement>
        implements OneInputStreamOperator<Either<DeadLetter, JoinInput>, Measurement> {
    private static final Logger RATES = LoggerFactory.getLogger(LocalQueryJoinOperator.class);

    /** Events outside the partition of their query, which another subtask owns. */
    public static final OutputTag<LoggedEvent> STRAYS_OUTPUT =
            new OutputTag<>("stray-events", EventFormats.EVENT.typeInfo());

    /** The operator's uid. */
    public static final String UID = "local-query-join";

    /** Type of the keys of partitions, {@link LogPartitions#keys}. */
    static final TypeInformation<Integer> KEY_TYPE = Types.INT;

    /**
     * Keys of a key group over which the queries of its partitions are spread. In a canonical savepoint Flink writes
     * each key as one array, which must have less than 2 GB.
     */
    private static final int KEYS = SnapshotQueryStore.SEGMENTS;

    /** Never called, see {@link #setKeyContextElement1}. */
    static final KeySelector<Either<DeadLetter, JoinInput>, Integer> NO_KEY = input -> 0;

    private final JoinSettings settings;
    private final LogPartitions partitions;
    private final PartitionTime.Tolerance tolerance;
    private transient TaskInfo task;
    private transient int[][] keys;

    /** Keys with state from the last snapshot. */
    private transient Set<Integer> used;

    private transient PartitionTimes times;
    private transient QueryMeasurer measurer;
    private transient SourceMetrics sourceMetrics;
    private transient PartitionedJoin join;
    private transient IdleBackStop backStop;
    private transient ListState<StoredPartition> stored;
    private transient ListState<StoredPartitionTime> storedTimes;
    private transient ListState<StoredForgotten> storedForgotten;
    private transient ListState<StoredBacklog> storedBacklog;

    /** Rate of the queries that start now, in the partition where it is lowest. */
    private transient volatile double backlogRate;

    private transient long outputMillis;

    /** How long ago the record that is read now was appended. */
    private transient long behindMillis;

    LocalQueryJoinOperator(JoinSettings settings, LogPartitions partitions, PartitionTime.Tolerance tolerance) {
        this.settings = settings;
        this.partitions = partitions;
        this.tolerance = tolerance;
    }

    /**
     * Adds the join, which measures the queries of {@code input}.
     *
     * @param input a source whose subtasks read the partitions that they own, and all policies
     */
    public static SingleOutputStreamOperator<Measurement> join(
            DataStream<Either<DeadLetter, JoinInput>> input,
            JoinSettings settings,
            LogPartitions partitions,
            PartitionTime.Tolerance tolerance) {
        SingleOutputStreamOperator<Measurement> joined = input.transform(
                        UID,
                        Format.typeOf(Codecs.MEASUREMENT),
                        new LocalQueryJoinOperator(settings, partitions, tolerance))
                .uid(UID);
        @SuppressWarnings("unchecked") // A transform of one input has this transformation.
        OneInputTransformation<Either<DeadLetter, JoinInput>, Measurement> node =
                (OneInputTransformation<Either<DeadLetter, JoinInput>, Measurement>) joined.getTransformation();
        // keyBy() would shuffle the input.
        node.setStateKeySelector(NO_KEY);
        node.setStateKeyType(KEY_TYPE);
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
    public void processElement(StreamRecord<Either<DeadLetter, JoinInput>> element) throws Exception {
        Either<DeadLetter, JoinInput> read = element.getValue();
        take(read.isRight() && read.right() instanceof UnreadEvent event ? readIfMeasured(event) : read);
    }

    /** Reads the rest of an event; null if the job samples its backlog, and does not measure the query. */
    private Either<DeadLetter, JoinInput> readIfMeasured(UnreadEvent event) {
        int partition = event.partition();
        behindMillis = event.behindMillis();
        // What a partition has that was added meanwhile are strays.
        if (partition < partitions.count()) {
            join.backlog(partition).see(behindMillis);
            if (join.isSampledOut(partition, event.head())
                    && partitions.partitionOf(event.head().key()) == partition) {
                sourceMetrics.letIn();
                times.pass(event);
                measurer.onSampledOut();
                return null;
            }
        }
        return event.rest().get();
    }

    private void take(Either<DeadLetter, JoinInput> read) throws Exception {
        if (read == null) {
            return;
        }
        if (read.isLeft()) {
            DeadLetter letter = read.left();
            sourceMetrics.reject(letter.reason());
            output.collect(QueryJoinOperator.DEAD_LETTERS_OUTPUT, new StreamRecord<>(letter));
        } else if (read.right() instanceof LoggedEvent event) {
            sourceMetrics.letIn();
            times.place(event);
            join(event);
        } else if (read.right() instanceof RewrittenInput rewritten) {
            sourceMetrics.letIn();
            join(rewritten.event());
        } else if (read.right() instanceof PolicyInput input) {
            measurer.update(input.policy());
        }
    }

    private void join(LoggedEvent event) throws Exception {
        int partition = partitions.partitionOf(event.key());
        if (partition != event.partition()) {
            measurer.count(STRAY_EVENTS);
            if (!isOwned(partition)) {
                output.collect(STRAYS_OUTPUT, new StreamRecord<>(event, event.eventTimeMillis()));
                return;
            }
            if (settings.backlog().isOn()) {
                join.backlog(partition).seeStray(behindMillis);
            }
        }
        if (!join.accept(partition, event)) {
            measurer.reject(event);
        }
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        task = getRuntimeContext().getTaskInfo();
        keys = LogPartitions.keys(task.getMaxNumberOfParallelSubtasks(), KEYS);
        used = new HashSet<>();
        FormerState.refuseList(
                context.getOperatorStateStore(), UID, stateDescriptor().getName());
        measurer = new QueryMeasurer(settings, context, output, getProcessingTimeService());
        times = new PartitionTimes(tolerance);
        join = new PartitionedJoin(measurer::engine, settings.backlog());
        outputMillis = Long.MIN_VALUE;
        stored = context.getKeyedStateStore().getListState(stateDescriptor());
        storedTimes = context.getKeyedStateStore().getListState(PartitionTimes.stateDescriptor());
        storedForgotten = context.getKeyedStateStore()
                .getListState(
                        new ListStateDescriptor<>("forgotten-queries", QualityFormats.STORED_FORGOTTEN.typeInfo()));
        storedBacklog = context.getKeyedStateStore()
                .getListState(new ListStateDescriptor<>("backlog-sampling", QualityFormats.STORED_BACKLOG.typeInfo()));
        restore();
        backStop = new IdleBackStop(settings.backStopMillis(), join, getProcessingTimeService(), this::moveTimeTo);
    }

    /** If partitions were added meanwhile, queries may move to another one of this subtask. */
    private void restore() throws Exception {
        Deque<StoredPartition> parts = new ArrayDeque<>();
        List<StoredForgotten> forgotten = new ArrayList<>();
        List<StoredBacklog> backlog = new ArrayList<>();
        for (int keyGroup : ownKeyGroups()) {
            for (int key : keys[keyGroup]) {
                setCurrentKey(key);
                stored.get().forEach(parts::add);
                // The bytes of queries that are objects already can go.
                stored.clear();
                for (StoredPartitionTime time : storedTimes.get()) {
                    // If partitions were added, another subtask may read it now, and it begins
                    // anew.
                    if (isOwned(time.partition())) {
                        times.restore(time);
                    }
                }
                storedTimes.clear();
                storedForgotten.get().forEach(forgotten::add);
                storedForgotten.clear();
                storedBacklog.get().forEach(backlog::add);
                storedBacklog.clear();
            }
        }
        for (StoredPartition part : parts) {
            for (int partition = 0; partition < partitions.count(); partition++) {
                if (partitions.mayContinue(part.partition(), part.partitions(), partition)) {
                    checkOwned(part, partition);
                    join.restore(partition, part.eventTimeMillis());
                    join.backlog(partition).restore(samplingOf(part, backlog, partition));
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
        while (!parts.isEmpty()) {
            parts.poll().forEach((key, query) -> join.restore(partitions.partitionOf(key), key, query));
        }
    }

    /** Which queries of a former partition were measured; without a record, all of them. */
    private BacklogSampling.BacklogState samplingOf(StoredPartition part, List<StoredBacklog> backlog, int partition) {
        return backlog.stream()
                .filter(one -> one.partition() == part.partition() && one.partitions() == part.partitions())
                .map(StoredBacklog::sampling)
                .findFirst()
                .orElseGet(() -> BacklogSampling.BacklogState.full(
                        Math.max(part.eventTimeMillis(), times.reachedMillis(partition))));
    }

    /** State is only where Flink has put it, so no query can move to another subtask. */
    private void checkOwned(StoredPartition part, int partition) {
        if (!isOwned(partition)) {
            throw new SuppressRestartsException(
                    new IllegalStateException("the savepoint has open queries of partition %d of %d, which may be in"
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
                            + " savepoint of this start with any parallelism"));
        }
    }

    private Iterable<Integer> ownKeyGroups() {
        return KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
                task.getMaxNumberOfParallelSubtasks(),
                task.getNumberOfParallelSubtasks(),
                task.getIndexOfThisSubtask());
    }

    /** The place among the keys of the partition's key group is {@code part}. */
    private void setCurrentKey(int partition, int part) {
        int keyGroup = LogPartitions.keyGroup(partition, partitions.count(), task.getMaxNumberOfParallelSubtasks());
        int key = keys[keyGroup][part % KEYS];
        used.add(key);
        setCurrentKey(key);
    }

    private void clear(ListState<?> state) {
        for (int key : used) {
            setCurrentKey(key);
            state.clear();
        }
    }

    private boolean isOwned(int partition) {
        return partitions.owner(partition, task.getNumberOfParallelSubtasks(), task.getMaxNumberOfParallelSubtasks())
                == task.getIndexOfThisSubtask();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        measurer.snapshot();
        clear(stored);
        clear(storedTimes);
        clear(storedForgotten);
        clear(storedBacklog);
        used.clear();
        for (PartitionSnapshot snapshot : join.snapshot(times::reachedMillis)) {
            int part = 0;
            if (!snapshot.backlog().isFull()) {
                setCurrentKey(snapshot.partition(), part);
                storedBacklog.add(new StoredBacklog(snapshot.partition(), partitions.count(), snapshot.backlog()));
            }
            for (StoredPartition queries : StoredPartition.of(snapshot, partitions.count())) {
                setCurrentKey(snapshot.partition(), part++);
                stored.add(queries);
            }
            for (ForgottenPart removed : snapshot.forgotten()) {
                setCurrentKey(snapshot.partition(), part++);
                storedForgotten.add(new StoredForgotten(snapshot.partition(), partitions.count(), removed));
            }
        }
        for (StoredPartitionTime time : times.toStored()) {
            setCurrentKey(time.partition(), 0);
            storedTimes.add(time);
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
        sourceMetrics = new SourceMetrics(getMetricGroup());
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
}
