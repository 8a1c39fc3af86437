package io.kipimo.sdk.invalidation;

import io.kipimo.core.invalidation.frontier.Frontier;
import io.kipimo.core.invalidation.frontier.Position;
import io.kipimo.core.invalidation.frontier.ResumeToken;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.invalidation.InvalidationHeaders;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads every notification exactly once, through restarts of the reader and of the job. Store {@link #token} together
 * with the effects of the notifications; {@link #resume} continues with the next notification. For one thread.
 *
 * <p>Every sequence number has its own record in its partition, so a record's offset is never below its sequence
 * number. Reading starts at the offset that equals the next number and skips records that the token covers.
 */
public final class InvalidationReader implements AutoCloseable {
    private final KafkaConsumer<byte[], byte[]> consumer;

    /** Ends of the partitions when reading began, only of partitions that are not yet read to this end. */
    private final Map<TopicPartition, Long> ends = new HashMap<>();

    private ResumeToken token;
    private Frontier frontier;
    private boolean startsAnywhere;

    private InvalidationReader(KafkaConsumer<byte[], byte[]> consumer, ResumeToken token) {
        this.consumer = consumer;
        this.token = token;
        this.frontier = Frontier.unknown(token.next().size());
    }

    /** Starts at the earliest record of the topic. */
    public static InvalidationReader fromBeginning(KafkaSettings settings) {
        return newest(settings, Long.MAX_VALUE);
    }

    /**
     * Starts before the newest records of each partition.
     *
     * @param most number of these records, marks included, at least 0
     */
    public static InvalidationReader newest(KafkaSettings settings, long most) {
        KafkaConsumer<byte[], byte[]> consumer = consumer(settings);
        List<TopicPartition> partitions = partitions(consumer, settings);
        Map<TopicPartition, Long> starts = new HashMap<>(consumer.beginningOffsets(partitions));
        consumer.endOffsets(partitions).forEach((partition, end) -> starts.merge(partition, end - most, Math::max));
        ResumeToken start = ResumeToken.start(partitions.size());
        InvalidationReader reader = new InvalidationReader(consumer, start);
        reader.seek(partitions, starts);
        // Records that retention has removed before are not missed.
        reader.startsAnywhere = true;
        return reader;
    }

    /**
     * Continues after a token.
     *
     * @throws IllegalArgumentException if the token is for another number of partitions
     */
    public static InvalidationReader resume(KafkaSettings settings, ResumeToken token) {
        KafkaConsumer<byte[], byte[]> consumer = consumer(settings);
        List<TopicPartition> partitions = partitions(consumer, settings);
        if (partitions.size() != token.next().size()) {
            consumer.close();
            throw new IllegalArgumentException(
                    "resume token has " + token.next().size() + " partitions; allowed: " + partitions.size());
        }
        InvalidationReader reader = new InvalidationReader(consumer, token);
        reader.seek(partitions, consumer.beginningOffsets(partitions));
        return reader;
    }

    private void seek(List<TopicPartition> partitions, Map<TopicPartition, Long> beginnings) {
        consumer.assign(partitions);
        ends.putAll(consumer.endOffsets(partitions));
        for (TopicPartition partition : partitions) {
            long next = token.next().get(partition.partition());
            consumer.seek(partition, Math.max(beginnings.get(partition), Math.min(next, ends.get(partition))));
        }
    }

    private static KafkaConsumer<byte[], byte[]> consumer(KafkaSettings settings) {
        return new KafkaConsumer<>(settings.forReader(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer, KafkaSettings settings) {
        String topic = settings.name(Topic.INVALIDATIONS);
        int count = consumer.partitionsFor(topic).size();
        return IntStream.range(0, count)
                .mapToObj(p -> new TopicPartition(topic, p))
                .toList();
    }

    /**
     * Waits for notifications; notifications of one partition come in order. Marks only move {@link #token} and
     * {@link #frontier} and are not returned.
     *
     * @return empty if none arrived in time
     * @throws NotificationsLostException if the next notification is no longer in Kafka, or cannot be read
     */
    public List<Invalidation> poll(Duration patience) {
        List<Invalidation> taken = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(patience)) {
            Invalidation invalidation;
            try {
                invalidation = Codecs.INVALIDATION.decode(entry.value());
            } catch (InvalidRecordException e) {
                throw new NotificationsLostException(entry.topic()
                        + '-'
                        + entry.partition()
                        + " offset "
                        + entry.offset()
                        + " cannot be read: "
                        + e.getMessage());
            }
            Position position = new Position(
                    entry.partition(), InvalidationHeaders.epoch(entry.headers()), invalidation.sequence());
            if (take(position)) {
                if (!invalidation.isMark()) {
                    taken.add(invalidation);
                }
                frontier = frontier.advance(entry.partition(), invalidation.completeBeforeMillis());
            }
        }
        return taken;
    }

    private boolean take(Position position) {
        long expected = token.next().get(position.partition());
        if (token.read(position) == ResumeToken.Reading.GAP) {
            if (!startsAnywhere || expected > 0) {
                throw new NotificationsLostException("partition "
                        + position.partition()
                        + " continues at sequence "
                        + position.sequence()
                        + " instead of "
                        + expected
                        + ": the records in between were removed; fetch the filter anew, or drop cached results");
            }
            token = token.startingAt(position);
        }
        if (token.read(position) == ResumeToken.Reading.REPEATED) {
            return false;
        }
        token = token.after(position);
        return true;
    }

    /** Whether {@link #poll} has yet to return records that were in the topic when this reader began. */
    public boolean isCatchingUp() {
        ends.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
        return !ends.isEmpty();
    }

    /** Position after all notifications that {@link #poll} has returned. */
    public ResumeToken token() {
        return token;
    }

    /**
     * Event time up to which the notifications from {@link #poll} are complete. It advances as long as records are
     * written, even if nothing becomes stale. Later notifications from before that time are marked
     * ({@link Invalidation#isLate}).
     */
    public Frontier frontier() {
        return frontier;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
