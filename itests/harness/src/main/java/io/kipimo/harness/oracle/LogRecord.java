package io.kipimo.harness.oracle;

import io.kipimo.schemas.topics.Topic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.Utils;

/**
 * A record to be written to the log.
 *
 * @param value null is a legal value
 */
public record LogRecord(Topic topic, int partition, long timestampMillis, byte[] key, byte[] value) {

    /** This record, for a topic that has only {@code partitions} partitions. */
    public LogRecord among(int partitions) {
        return new LogRecord(topic, partition % partitions, timestampMillis, key, value);
    }

    /** This record, in the partition that a producer chooses by its key. */
    public LogRecord byKey(int partitions) {
        boolean hasKey = key != null && key.length > 0;
        return hasKey
                ? new LogRecord(topic, Utils.toPositive(Utils.murmur2(key)) % partitions, timestampMillis, key, value)
                : this;
    }

    public ProducerRecord<byte[], byte[]> toKafka(String topicPrefix) {
        return new ProducerRecord<>(topic.name(topicPrefix), partition, timestampMillis, key, value);
    }
}
