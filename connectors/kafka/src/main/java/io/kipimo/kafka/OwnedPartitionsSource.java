package io.kipimo.kafka;

import io.kipimo.operators.quality.LogPartitions;
import io.kipimo.schemas.deadletter.DeadLetter;
import java.util.Optional;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SupportsSplitReassignmentOnRecovery;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.types.Either;
import org.apache.kafka.common.TopicPartition;

/**
 * A {@link KafkaSource} in which each subtask reads the partitions that it owns ({@link LogPartitions#owner}), of all
 * topics, even after the job was rescaled. A plain {@code KafkaSource} starts each topic at another subtask, and leaves
 * partitions where their state happens to be after a restore. A bounded reader does not read {@code everywhereTopic},
 * which has no end.
 */
final class OwnedPartitionsSource<T> extends HoldingSource<T> implements SupportsSplitReassignmentOnRecovery {
    private final String everywhereTopic;
    private final String sharedTopic;
    private final LogPartitions partitions;
    private final int maxParallelism;

    /**
     * @param everywhereTopic a topic with one partition, which every subtask reads from the beginning whenever it
     *     starts
     * @param sharedTopic a topic of the source, all of whose partitions every subtask reads
     * @param partitions partitions of the other topics
     * @param maxParallelism maximum parallelism of the job
     */
    OwnedPartitionsSource(
            KafkaSource<Either<DeadLetter, T>> source,
            LogAccess access,
            String everywhereTopic,
            String sharedTopic,
            LogPartitions partitions,
            int maxParallelism) {
        super(source, access);
        this.everywhereTopic = everywhereTopic;
        this.sharedTopic = sharedTopic;
        this.partitions = partitions;
        this.maxParallelism = maxParallelism;
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context) {
        OwnedPartitionsContext owned = owned(context);
        return new OwnedPartitionsEnumerator(super.createEnumerator(owned), owned);
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState state) throws Exception {
        OwnedPartitionsContext owned = owned(context);
        return new OwnedPartitionsEnumerator(super.restoreEnumerator(owned, state), owned);
    }

    private OwnedPartitionsContext owned(SplitEnumeratorContext<KafkaPartitionSplit> context) {
        return new OwnedPartitionsContext(
                context,
                getBoundedness() == Boundedness.BOUNDED
                        ? Optional.empty()
                        : Optional.of(new KafkaPartitionSplit(
                                new TopicPartition(everywhereTopic, 0), KafkaPartitionSplit.EARLIEST_OFFSET)),
                sharedTopic,
                partitions,
                maxParallelism);
    }
}
