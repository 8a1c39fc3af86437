package io.kipimo.embedded.kafka;

import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Creates consumers of all partitions of some topics, without a consumer group. */
public final class TopicConsumers {
    private TopicConsumers() {}

    /** Returns a consumer that reads from the first record on. */
    public static KafkaConsumer<byte[], byte[]> fromBeginning(KafkaSettings kafka, Topic... topics) {
        KafkaConsumer<byte[], byte[]> consumer = assigned(kafka.forReader(), kafka, topics);
        consumer.seekToBeginning(consumer.assignment());
        return consumer;
    }

    /** Returns a consumer that reads the records that are written after this method returns. */
    public static KafkaConsumer<byte[], byte[]> fromNow(KafkaSettings kafka, Topic... topics) {
        KafkaConsumer<byte[], byte[]> consumer = assigned(kafka.forReader(), kafka, topics);
        consumer.seekToEnd(consumer.assignment());
        consumer.assignment().forEach(consumer::position);
        return consumer;
    }

    /** Returns a consumer with the given properties, which has no position yet. */
    public static KafkaConsumer<byte[], byte[]> assigned(
            Map<String, Object> properties, KafkaSettings kafka, Topic... topics) {
        KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partitions = Arrays.stream(topics)
                .flatMap(topic -> consumer.partitionsFor(kafka.name(topic)).stream())
                .map(p -> new TopicPartition(p.topic(), p.partition()))
                .toList();
        consumer.assign(partitions);
        return consumer;
    }
}
