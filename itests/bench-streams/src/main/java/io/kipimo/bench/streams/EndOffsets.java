package io.kipimo.bench.streams;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** How many records a topic has ever had. */
final class EndOffsets {
    private final Admin admin;
    private final Map<TopicPartition, OffsetSpec> ends;

    EndOffsets(Admin admin, String topic) throws InterruptedException, ExecutionException {
        this.admin = admin;
        int partitions =
                admin.describeTopics(List.of(topic))
                        .allTopicNames()
                        .get()
                        .get(topic)
                        .partitions()
                        .size();
        ends =
                IntStream.range(0, partitions)
                        .boxed()
                        .collect(
                                Collectors.toMap(
                                        p -> new TopicPartition(topic, p),
                                        p -> OffsetSpec.latest()));
    }

    long sum() throws InterruptedException, ExecutionException {
        return admin.listOffsets(ends).all().get().values().stream()
                .mapToLong(ListOffsetsResultInfo::offset)
                .sum();
    }
}
