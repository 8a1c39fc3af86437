package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.JoinOutput;
import io.kipimo.core.quality.join.PartitionBounds;
import io.kipimo.core.quality.join.PartitionBounds.PartitionService;
import io.kipimo.operators.flink.KeyGroups;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Measurement;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Runs {@link PartitionBounds}, which computes the quality interval of expired measurements, in the task of the join.
 * The timestamp of a record is the {@code measuredBeforeMillis} of {@link JoinOutput#onMeasurement}.
 *
 * <p>State that is learned in a partition moves with the partition, as its queries do. So a measurement is the same at
 * every parallelism, and when it is computed again after a restart. Measurements need not be shuffled by service.
 */
public final class ExpiredBoundsOperator extends AbstractStreamOperator<Measurement>
        implements OneInputStreamOperator<Measurement, Measurement> {
    /** The operator's uid. */
    public static final String UID = "expired-bounds";

    private final LogPartitions partitions;
    private transient PartitionKeys keys;
    private transient PartitionBounds bounds;
    private transient ListState<StoredBounds> stored;
    private transient Isolation isolation;

    ExpiredBoundsOperator(LogPartitions partitions) {
        this.partitions = partitions;
    }

    /**
     * Adds the operator, which completes the measurements of a join with the low ends of their intervals.
     *
     * @param partitions the partitions that the join reads
     */
    public static SingleOutputStreamOperator<Measurement> of(
            DataStream<Measurement> measurements, LogPartitions partitions) {
        SingleOutputStreamOperator<Measurement> completed =
                measurements.transform(UID, Format.typeOf(Codecs.MEASUREMENT), new ExpiredBoundsOperator(partitions));
        KeyGroups.keepState(completed);
        return completed;
    }

    static ListStateDescriptor<StoredBounds> stateDescriptor() {
        return new ListStateDescriptor<>("contribution-bounds", QualityFormats.STORED_BOUNDS.typeInfo());
    }

    /** Sets no key, since measurements have none. */
    @Override
    @SuppressWarnings("rawtypes") // As Flink declares it.
    public void setKeyContextElement1(StreamRecord element) {}

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        keys = new PartitionKeys(partitions, getRuntimeContext().getTaskInfo());
        bounds = new PartitionBounds(partitions::partitionOf);
        stored = context.getKeyedStateStore().getListState(stateDescriptor());
        for (int key : keys.ownFirst().toArray()) {
            setCurrentKey(key);
            stored.get().forEach(this::restore);
        }
    }

    /**
     * Restores what was learned in a partition. If the number of partitions was multiplied, each part continues with
     * the state of the whole. If it changed otherwise, the partition begins anew.
     */
    private void restore(StoredBounds learned) {
        if (partitions.count() % learned.partitions() != 0) {
            return;
        }
        for (int partition = learned.partition(); partition < partitions.count(); partition += learned.partitions()) {
            if (keys.isOwned(partition)) {
                bounds.restore(
                        new PartitionService(partition, learned.service()),
                        learned.bounds().copy());
            }
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        for (int key : keys.ownFirst().toArray()) {
            setCurrentKey(key);
            stored.clear();
        }
        for (var learned : bounds.learned().entrySet()) {
            PartitionService at = learned.getKey();
            setCurrentKey(keys.key(at.partition(), 0));
            // The snapshot is written while the next rows come.
            stored.add(new StoredBounds(
                    at.partition(),
                    partitions.count(),
                    at.service(),
                    learned.getValue().copy()));
        }
    }

    @Override
    public void open() throws Exception {
        super.open();
        isolation = new Isolation(getMetricGroup());
    }

    @Override
    public void processElement(StreamRecord<Measurement> element) throws Exception {
        Measurement measurement = element.getValue();
        if (!measurement.degraded()
                || !isolation.run(
                        measurement.service(),
                        () -> output.collect(element.replace(bounds.complete(measurement, element.getTimestamp()))))) {
            // Without learned bounds the low end of a degraded query is 0.
            output.collect(element);
        }
    }
}
