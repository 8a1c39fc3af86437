package io.kipimo.harness.oracle;

import io.kipimo.schemas.topics.Topic;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A record as it is to stand in the log.
 *
 * @param value null is a value too
 */
public record LogRecord(
        Topic topic, int partition, long timestampMillis, byte[] key, byte[] value) {

    /** The same, where the topic has only so many partitions. */
    public LogRecord among(int partitions) {
        return new LogRecord(topic, partition % partitions, timestampMillis, key, value);
    }

    public ProducerRecord<byte[], byte[]> toKafka(String topicPrefix) {
        return new ProducerRecord<>(
                topic.name(topicPrefix), partition, timestampMillis, key, value);
    }
}
