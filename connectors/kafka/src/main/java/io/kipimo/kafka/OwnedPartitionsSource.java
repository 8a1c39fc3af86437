package io.kipimo.kafka;

import io.kipimo.operators.quality.LogPartitions;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SupportsSplitReassignmentOnRecovery;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.kafka.common.TopicPartition;

/**
 * A {@link KafkaSource} each of whose subtasks reads the partitions that it owns ({@link LogPartitions#owner}), of all
 * topics, also after the job was rescaled. {@code KafkaSource} itself starts each topic at another subtask, and after a
 * restore leaves partitions where their state happens to be. For unbounded reading.
 */
final class OwnedPartitionsSource<T>
        implements Source<T, KafkaPartitionSplit, KafkaSourceEnumState>,
                ResultTypeQueryable<T>,
                SupportsSplitReassignmentOnRecovery {
    private final KafkaSource<T> source;
    private final String everywhereTopic;
    private final String sharedTopic;
    private final LogPartitions partitions;
    private final int maxParallelism;

    /**
     * @param everywhereTopic a topic with one partition, which every subtask reads from the beginning whenever it
     *     starts
     * @param sharedTopic a topic of the source, all of whose partitions every subtask reads
     * @param partitions the other topics' partitions
     * @param maxParallelism of the job
     */
    OwnedPartitionsSource(
            KafkaSource<T> source,
            String everywhereTopic,
            String sharedTopic,
            LogPartitions partitions,
            int maxParallelism) {
        this.source = source;
        this.everywhereTopic = everywhereTopic;
        this.sharedTopic = sharedTopic;
        this.partitions = partitions;
        this.maxParallelism = maxParallelism;
    }

    @Override
    public Boundedness getBoundedness() {
        return source.getBoundedness();
    }

    @Override
    public SourceReader<T, KafkaPartitionSplit> createReader(SourceReaderContext context) throws Exception {
        return source.createReader(context);
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context) {
        OwnedPartitionsContext owned = owned(context);
        return new OwnedPartitionsEnumerator(source.createEnumerator(owned), owned);
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState state) throws Exception {
        OwnedPartitionsContext owned = owned(context);
        return new OwnedPartitionsEnumerator(source.restoreEnumerator(owned, state), owned);
    }

    private OwnedPartitionsContext owned(SplitEnumeratorContext<KafkaPartitionSplit> context) {
        return new OwnedPartitionsContext(
                context,
                new KafkaPartitionSplit(new TopicPartition(everywhereTopic, 0), KafkaPartitionSplit.EARLIEST_OFFSET),
                sharedTopic,
                partitions,
                maxParallelism);
    }

    @Override
    public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
        return source.getSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
        return source.getEnumeratorCheckpointSerializer();
    }

    @Override
    public TypeInformation<T> getProducedType() {
        return source.getProducedType();
    }
}
