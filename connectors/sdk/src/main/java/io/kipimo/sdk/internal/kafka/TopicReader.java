package io.kipimo.sdk.internal.kafka;

import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a topic up to the end that it had when reading began. */
public final class TopicReader {
    private static final Duration POLL = Duration.ofMillis(200);

    /** Longest wait of a broker for records behind the last one; closing a consumer waits for this answer. */
    private static final int END_MILLIS = 20;

    private TopicReader() {}

    /**
     * Passes the records of {@code topic} with a time stamp of {@code fromMillis} or later to {@code taker}, in the
     * order of each partition. Tombstones of deleted keys are included.
     *
     * @param fromMillis epoch milliseconds; 0: from the beginning
     * @throws BrokerUnavailableException if Kafka refuses, or no record arrives for 15 s
     */
    public static void read(
            KafkaSettings settings,
            Topic topic,
            long fromMillis,
            java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> taker) {
        read(settings, topic, (consumer, ends) -> seek(consumer, fromMillis, ends), taker);
    }

    /**
     * Passes the newest records of each partition of {@code topic} to {@code taker}, in the order of the partition.
     *
     * @param most greatest number of records of a partition, at least 1; there are fewer if the topic is compacted or
     *     written in transactions
     * @throws BrokerUnavailableException if Kafka refuses, or no record arrives for 15 s
     */
    public static void readNewest(
            KafkaSettings settings,
            Topic topic,
            int most,
            java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> taker) {
        read(
                settings,
                topic,
                (consumer, ends) -> consumer.beginningOffsets(ends.keySet())
                        .forEach((partition, begin) ->
                                consumer.seek(partition, Math.max(begin, ends.get(partition) - most))),
                taker);
    }

    /** Moves a consumer to the offsets at which reading begins. */
    private interface Start {
        void seek(KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends);
    }

    private static void read(
            KafkaSettings settings,
            Topic topic,
            Start start,
            java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> taker) {
        Map<String, Object> properties = settings.forReader();
        properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) TopicAdmin.PATIENCE.toMillis());
        properties.putIfAbsent(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, END_MILLIS);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            String name = settings.name(topic);
            List<TopicPartition> partitions = consumer.partitionsFor(name).stream()
                    .map(p -> new TopicPartition(name, p.partition()))
                    .toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            start.seek(consumer, ends);
            readTo(ends, consumer, taker);
        } catch (KafkaException e) {
            throw BrokerUnavailableException.during("read " + settings.name(topic), settings, TopicAdmin.PATIENCE, e);
        }
    }

    /**
     * As {@link #read(KafkaSettings, Topic, long, java.util.function.Consumer)}, but decodes records. Unreadable
     * records are logged and skipped; tombstones are skipped.
     */
    public static <T> void read(
            KafkaSettings settings,
            Topic topic,
            long fromMillis,
            Codec<T> codec,
            java.util.function.Consumer<T> taker) {
        read(settings, topic, fromMillis, entry -> decode(codec, entry).ifPresent(taker));
    }

    /** Decodes a record; empty for a tombstone, and for an unreadable one, which is logged. */
    public static <T> Optional<T> decode(Codec<T> codec, ConsumerRecord<byte[], byte[]> entry) {
        if (entry.value() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(codec.decode(entry.value()));
        } catch (InvalidRecordException e) {
            TopicLoop.skipped(entry, e);
            return Optional.empty();
        }
    }

    private static void seek(Consumer<byte[], byte[]> consumer, long fromMillis, Map<TopicPartition, Long> ends) {
        Set<TopicPartition> partitions = ends.keySet();
        if (fromMillis <= 0) {
            consumer.seekToBeginning(partitions);
            return;
        }
        offsetsSince(consumer, partitions.stream().collect(Collectors.toMap(p -> p, p -> fromMillis)), ends)
                .forEach(consumer::seek);
    }

    /**
     * Returns the offset of each partition at which reading must begin to miss no record of a given time or later.
     *
     * @param fromMillis the first time that is read, by partition; epoch milliseconds
     */
    public static Map<TopicPartition, Long> offsetsSince(
            Consumer<?, ?> consumer, Map<TopicPartition, Long> fromMillis) {
        // Ends first: a record that comes while the times are looked up lies behind them.
        return offsetsSince(consumer, fromMillis, consumer.endOffsets(fromMillis.keySet()));
    }

    private static Map<TopicPartition, Long> offsetsSince(
            Consumer<?, ?> consumer, Map<TopicPartition, Long> fromMillis, Map<TopicPartition, Long> earlierEnds) {
        Map<TopicPartition, Long> starts = new HashMap<>(earlierEnds);
        consumer.offsetsForTimes(fromMillis).forEach((partition, first) -> {
            if (first != null) {
                starts.put(partition, first.offset());
            }
        });
        return starts;
    }

    private static void readTo(
            Map<TopicPartition, Long> ends,
            KafkaConsumer<byte[], byte[]> consumer,
            java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> taker) {
        long deadline = System.nanoTime() + TopicAdmin.PATIENCE.toNanos();
        // Compaction and commit markers leave gaps in offsets, so the position decides.
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (System.nanoTime() > deadline) {
                throw new TimeoutException("not read to the end");
            }
            for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(POLL)) {
                if (entry.offset() < ends.get(new TopicPartition(entry.topic(), entry.partition()))) {
                    taker.accept(entry);
                }
                deadline = System.nanoTime() + TopicAdmin.PATIENCE.toNanos();
            }
        }
    }
}
