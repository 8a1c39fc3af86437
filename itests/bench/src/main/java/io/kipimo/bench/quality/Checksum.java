package io.kipimo.bench.quality;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What a side wrote, in two figures; sides that agree in them have measured the same.
 *
 * @param measurements one a query
 * @param expired those of them that something was missing from
 * @param qualitySum of the first metric, by what arrived
 */
public record Checksum(long measurements, long expired, double qualitySum) {
    /** Reads what is in the topic of measurements, and empties it. */
    public static Checksum take(KafkaSettings kafka) throws Exception {
        Map<String, Object> settings = kafka.forConsumer();
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000);
        String topic = kafka.name(Topic.QUALITY);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions =
                    consumer.partitionsFor(topic).stream()
                            .map((PartitionInfo p) -> new TopicPartition(topic, p.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(partitions));
            Checksum sum = new Checksum(0, 0, 0);
            while (ends.entrySet().stream()
                    .anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
                for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(Duration.ofMillis(200))) {
                    sum = sum.plus(entry.value());
                }
            }
            empty(kafka, ends);
            return sum;
        }
    }

    /** Whether both say the same, but for the order of additions. */
    public boolean agreesWith(long otherMeasurements, double otherQualitySum) {
        return measurements == otherMeasurements
                && Math.abs(qualitySum - otherQualitySum) <= 1e-9 * Math.max(1, otherQualitySum);
    }

    private Checksum plus(byte[] bytes) throws InvalidRecordException {
        Measurement m = Codecs.MEASUREMENT.decode(bytes);
        if (m.completeness() == Completeness.ORPHAN) {
            return new Checksum(measurements + 1, expired, qualitySum);
        }
        return new Checksum(
                measurements + 1,
                expired + (m.completeness() == Completeness.EXPIRED ? 1 : 0),
                qualitySum + m.scores().get(0).high());
    }

    private static void empty(KafkaSettings kafka, Map<TopicPartition, Long> ends)
            throws Exception {
        try (Admin admin = Admin.create(kafka.forAdmin())) {
            admin.deleteRecords(
                            ends.entrySet().stream()
                                    .collect(
                                            Collectors.toMap(
                                                    Map.Entry::getKey,
                                                    e ->
                                                            RecordsToDelete.beforeOffset(
                                                                    e.getValue()))))
                    .all()
                    .get();
        }
    }
}
