package io.kipimo.embedded.kafka;

import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** All records of one topic so far, or those from an offset on. */
public final class TopicLog<T> implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final Codec<T> codec;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<T> records = new ArrayList<>();
    private final Map<String, T> latest = new HashMap<>();

    public TopicLog(KafkaSettings settings, Topic topic, Codec<T> codec) {
        this(settings, topic, codec, 0);
    }

    /** @param firstOffset where reading begins, in each partition */
    public TopicLog(KafkaSettings settings, Topic topic, Codec<T> codec, long firstOffset) {
        this.codec = codec;
        Map<String, Object> properties = settings.forReader();
        // Closing waits for the broker's answer to the last fetch.
        properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, (int) POLL.toMillis());
        consumer = TopicConsumers.assigned(properties, settings, topic);
        consumer.seekToBeginning(consumer.assignment());
        if (firstOffset > 0) {
            consumer.assignment().forEach(partition -> consumer.seek(partition, firstOffset));
        }
    }

    /** Reads the records that are there now, and returns all so far. */
    public List<T> readOn() {
        // An empty poll tells nothing: the broker may only be slow.
        Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            readSome();
        }
        return records;
    }

    /** Reads for a moment. */
    public void readSome() {
        for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(POLL)) {
            String key = entry.key() == null ? "" : new String(entry.key(), StandardCharsets.UTF_8);
            if (entry.value() == null) {
                latest.remove(key);
                continue;
            }
            try {
                T record = codec.decode(entry.value());
                records.add(record);
                latest.put(key, record);
            } catch (InvalidRecordException e) {
                throw new IllegalStateException(entry.topic() + " has a bad record at " + entry.offset(), e);
            }
        }
    }

    /** All records read so far. */
    public List<T> read() {
        return records;
    }

    /** The result of compaction: the newest record of each key without a later tombstone. */
    public Map<String, T> latest() {
        var unused = readOn();
        return latest;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
