package io.kipimo.operators.quality;

import static io.kipimo.operators.quality.QualityMetrics.JoinCount.STRAY_EVENTS;

import io.kipimo.core.quality.join.PartitionedJoin;
import io.kipimo.core.quality.join.PartitionedJoin.PartitionSnapshot;
import io.kipimo.operators.metrics.SourceMetrics;
import io.kipimo.operators.types.CodecTypeInfo;
import io.kipimo.operators.types.FormatTypeInfo;
import io.kipimo.operators.types.SampledEventFormat;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.MultipleConnectedStreams;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.AbstractInput;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorV2;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.Input;
import org.apache.flink.streaming.api.operators.MultipleInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.transformations.MultipleInputTransformation;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.types.Either;
import org.apache.flink.util.OutputTag;
import org.apache.flink.util.function.ThrowingConsumer;

/**
 * Runs a {@link PartitionedJoin} in the task of the source, so events are neither serialized nor
 * sent to another subtask. Each subtask joins the partitions that its source reads: partition p of
 * all topics belongs to subtask p modulo parallelism ({@link LogPartitions#owner}).
 *
 * <p>All events of a query must be in the partition of its id. An event in another one is a stray.
 * It leaves by {@link #STRAYS_OUTPUT}, to be written again to the right partition.
 *
 * <p>State is a union list with the queries of each partition, so that they follow their partition
 * when the job is rescaled. It is on the heap. Policies, and the event time of observations, come
 * as further inputs.
 */
public final class LocalQueryJoinOperator extends AbstractStreamOperatorV2<Measurement>
        implements MultipleInputStreamOperator<Measurement> {
    /** Events outside the partition of their query. */
    public static final OutputTag<LoggedEvent> STRAYS_OUTPUT =
            new OutputTag<>("stray-events", SampledEventFormat.TYPE);

    /** The operator's uid. */
    public static final String UID = "local-query-join";

    private static final int EVENTS = 1;
    private static final int POLICIES = 2;
    private static final int OBSERVATIONS = 3;

    private final JoinSettings settings;
    private final LogPartitions partitions;
    private QueryMeasurer measurer;
    private SourceMetrics sourceMetrics;
    private PartitionedJoin join;
    private IdleBackStop backStop;
    private ListState<StoredPartition> stored;
    private long outputMillis = Long.MIN_VALUE;

    LocalQueryJoinOperator(
            StreamOperatorParameters<Measurement> parameters,
            JoinSettings settings,
            LogPartitions partitions) {
        super(parameters, OBSERVATIONS);
        this.settings = settings;
        this.partitions = partitions;
    }

    /**
     * Adds the join, which measures the queries of {@code events}.
     *
     * @param events a source whose subtasks read the partitions that they own
     * @param observations only their event time is used
     */
    public static SingleOutputStreamOperator<Measurement> join(
            DataStream<Either<DeadLetter, LoggedEvent>> events,
            DataStream<Policy> policies,
            DataStream<Observation> observations,
            JoinSettings settings,
            LogPartitions partitions) {
        StreamExecutionEnvironment env = events.getExecutionEnvironment();
        MultipleInputTransformation<Measurement> transformation =
                new MultipleInputTransformation<>(
                        UID,
                        new Factory(settings, partitions),
                        CodecTypeInfo.of(Codecs.MEASUREMENT),
                        env.getParallelism());
        transformation.addInput(events.getTransformation());
        transformation.addInput(policies.broadcast().getTransformation());
        transformation.addInput(observations.broadcast().getTransformation());
        transformation.setChainingStrategy(ChainingStrategy.HEAD_WITH_SOURCES);
        env.addOperator(transformation);
        return new MultipleConnectedStreams(env).transform(transformation).uid(UID);
    }

    static StreamOperatorFactory<Measurement> factory(
            JoinSettings settings, LogPartitions partitions) {
        return new Factory(settings, partitions);
    }

    static ListStateDescriptor<StoredPartition> stateDescriptor() {
        return new ListStateDescriptor<>(
                "partitions", FormatTypeInfo.of(new StoredPartitionFormat()));
    }

    @Override
    @SuppressWarnings("rawtypes") // Flink's signature.
    public List<Input> getInputs() {
        return List.of(
                new OperatorInput<>(this, EVENTS, this::process),
                new OperatorInput<Policy>(this, POLICIES, policy -> measurer.update(policy)),
                new OperatorInput<Observation>(this, OBSERVATIONS, observation -> {}));
    }

    private void process(Either<DeadLetter, LoggedEvent> read) {
        if (read.isLeft()) {
            DeadLetter letter = read.left();
            sourceMetrics.reject(letter.reason());
            output.collect(QueryJoinOperator.DEAD_LETTERS_OUTPUT, new StreamRecord<>(letter));
            return;
        }
        sourceMetrics.letIn();
        LoggedEvent event = read.right();
        int partition = partitions.partitionOf(event.key());
        if (partition != event.partition()) {
            measurer.count(STRAY_EVENTS);
            output.collect(STRAYS_OUTPUT, new StreamRecord<>(event, event.eventTimeMillis()));
        } else if (!join.accept(partition, event)) {
            measurer.reject(event);
        }
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        measurer = new QueryMeasurer(settings, context, output, getProcessingTimeService());
        join = new PartitionedJoin(measurer::engine);
        stored = context.getOperatorStateStore().getUnionListState(stateDescriptor());
        restore();
        backStop =
                new IdleBackStop(
                        settings.backStopMillis(),
                        join,
                        getProcessingTimeService(),
                        this::moveTimeTo);
    }

    /** If partitions were added meanwhile, queries may move to another one. */
    private void restore() throws Exception {
        int parallelism = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
        int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
        for (StoredPartition part : stored.get()) {
            if (part.partitions() == partitions.count()) {
                if (LogPartitions.owner(part.partition(), parallelism) == subtask) {
                    join.restore(part.partition(), part.eventTimeMillis());
                }
            } else {
                for (int p = subtask; p < partitions.count(); p += parallelism) {
                    join.restore(p, part.eventTimeMillis());
                }
            }
        }
        for (StoredPartition part : stored.get()) {
            if (part.partitions() != partitions.count()
                    || LogPartitions.owner(part.partition(), parallelism) == subtask) {
                part.forEach(
                        (key, query) -> {
                            int partition = partitions.partitionOf(key);
                            if (LogPartitions.owner(partition, parallelism) == subtask) {
                                join.restore(partition, key, query);
                            }
                        });
            }
        }
        stored.clear();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        measurer.snapshot();
        stored.clear();
        for (PartitionSnapshot part : join.snapshot()) {
            stored.addAll(StoredPartition.of(part, partitions.count()));
        }
    }

    /** The snapshot is written, so its copies of queries can go. */
    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        super.notifyCheckpointComplete(checkpointId);
        stored.clear();
    }

    @Override
    public void open() throws Exception {
        super.open();
        measurer.open(getMetricGroup());
        sourceMetrics = new SourceMetrics(getMetricGroup());
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (mark.getTimestamp() < outputMillis) {
            // The input's own time is behind the time that the back-stop has set.
            return;
        }
        outputMillis = mark.getTimestamp();
        join.advance(outputMillis);
        super.processWatermark(mark);
    }

    @Override
    public void processWatermarkStatus(WatermarkStatus status, int input) throws Exception {
        super.processWatermarkStatus(status, input);
        backStop.update(combinedWatermark.isIdle());
    }

    /**
     * Moves event time like a watermark of the input. Downstream the stream is marked as active
     * first, since idle streams cannot move time.
     */
    private void moveTimeTo(long millis) throws Exception {
        output.emitWatermarkStatus(WatermarkStatus.ACTIVE);
        processWatermark(new Watermark(millis));
        output.emitWatermarkStatus(WatermarkStatus.IDLE);
    }

    /** An input that passes its records on. */
    @SuppressWarnings("unchecked") // Flink's base class inherits a method with a raw type.
    private static final class OperatorInput<T> extends AbstractInput<T, Measurement> {
        private final ThrowingConsumer<T, Exception> consumer;

        OperatorInput(
                LocalQueryJoinOperator operator,
                int number,
                ThrowingConsumer<T, Exception> consumer) {
            super(operator, number);
            this.consumer = consumer;
        }

        @Override
        public void processElement(StreamRecord<T> element) throws Exception {
            consumer.accept(element.getValue());
        }
    }

    private static final class Factory extends AbstractStreamOperatorFactory<Measurement> {
        private static final long serialVersionUID = 1L;

        private final JoinSettings settings;
        private final LogPartitions partitions;

        Factory(JoinSettings settings, LogPartitions partitions) {
            this.settings = settings;
            this.partitions = partitions;
        }

        @Override
        // The type parameter is Flink's; it is this operator.
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
        public <T extends StreamOperator<Measurement>> T createStreamOperator(
                StreamOperatorParameters<Measurement> parameters) {
            return (T) new LocalQueryJoinOperator(parameters, settings, partitions);
        }

        @Override
        @SuppressWarnings("rawtypes") // Flink's signature.
        public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader loader) {
            return LocalQueryJoinOperator.class;
        }
    }
}
