package io.kipimo.engines;

import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The records of a topic, from its beginning on. */
final class TopicRecords<T> implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Codec<T> codec;

    TopicRecords(KafkaSettings settings, Topic topic, Codec<T> codec) {
        this.codec = codec;
        consumer =
                new KafkaConsumer<>(
                        settings.forReader(),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer());
        List<TopicPartition> partitions =
                consumer.partitionsFor(settings.name(topic)).stream()
                        .map(p -> new TopicPartition(p.topic(), p.partition()))
                        .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** The next ones that are there. */
    List<T> read() {
        List<T> next = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(POLL)) {
            try {
                next.add(codec.decode(entry.value()));
            } catch (InvalidRecordException e) {
                throw new IllegalStateException("a bad record at " + entry.offset(), e);
            }
        }
        return next;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
