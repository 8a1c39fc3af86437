package io.kipimo.bench.side;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/** The end offsets of the partitions of topics. */
public final class EndOffsets {
    private final Admin admin;
    private final Map<TopicPartition, OffsetSpec> partitions;

    /** Follows the partitions that the topics have now. */
    public EndOffsets(Admin admin, String... topics) throws ExecutionException, InterruptedException {
        this.admin = admin;
        this.partitions = admin.describeTopics(List.of(topics)).allTopicNames().get().values().stream()
                .flatMap(topic -> topic.partitions().stream()
                        .map(TopicPartitionInfo::partition)
                        .map(p -> new TopicPartition(topic.name(), p)))
                .collect(Collectors.toMap(Function.identity(), p -> OffsetSpec.latest()));
    }

    /** Sum of the end offsets. Without transactions, it is the number of records that were ever written. */
    public long sum() throws ExecutionException, InterruptedException {
        return admin.listOffsets(partitions).all().get().values().stream()
                .mapToLong(ListOffsetsResultInfo::offset)
                .sum();
    }
}
