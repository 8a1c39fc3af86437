package io.kipimo.engines;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The rows of topic {@code quality}, by their queries. */
final class QualityRows implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<String, Measurement> rows = new HashMap<>();

    QualityRows(KafkaSettings settings) {
        consumer =
                new KafkaConsumer<>(
                        settings.forReader(),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer());
        List<TopicPartition> partitions =
                consumer.partitionsFor(settings.name(Topic.QUALITY)).stream()
                        .map(p -> new TopicPartition(p.topic(), p.partition()))
                        .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Reads on, and returns all rows so far. */
    Map<String, Measurement> read() {
        for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(POLL)) {
            try {
                Measurement row = Codecs.MEASUREMENT.decode(entry.value());
                rows.put(row.queryId(), row);
            } catch (InvalidRecordException e) {
                throw new IllegalStateException("a bad row at " + entry.offset(), e);
            }
        }
        return rows;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
