package io.kipimo.kafka;

import io.kipimo.operators.invalidation.Notification;
import io.kipimo.operators.invalidation.NotificationLog;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.invalidation.InvalidationHeaders;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads topic {@code invalidations}, to which the job itself writes. Every sequence number has its own record, so a
 * record's offset is never below its sequence number, and reading from the offset that equals a number misses nothing.
 */
public record KafkaNotificationLog(KafkaSettings kafka) implements NotificationLog {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaNotificationLog.class);
    private static final Duration POLL = Duration.ofMillis(100);

    @Override
    public Resumption resume(int partition, OptionalLong from) throws Exception {
        // Claim the epoch before reading the end: later records of former writers then have a lower
        // epoch.
        long epoch = new KafkaEpochClaimer(kafka)
                .claim("invalidation", Topic.INVALIDATIONS.suffix() + '-' + partition, WallClock.SYSTEM.nowMillis());
        TopicPartition log = new TopicPartition(kafka.name(Topic.INVALIDATIONS), partition);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(kafka.forReader(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(log));
            long end = consumer.endOffsets(List.of(log)).get(log);
            long beginning = consumer.beginningOffsets(List.of(log)).get(log);
            long start = Math.max(beginning, Math.min(end, from.orElse(end - 1)));
            consumer.seek(log, start);
            long next = from.orElse(0);
            long latest = 0;
            long completeBefore = 0;
            List<String> sent = new ArrayList<>();
            while (consumer.position(log) < end) {
                for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(POLL)) {
                    Notification notification = read(entry);
                    if (notification == null) {
                        continue;
                    }
                    Invalidation invalidation = notification.invalidation();
                    next = Math.max(next, invalidation.sequence() + 1);
                    completeBefore = Math.max(completeBefore, invalidation.completeBeforeMillis());
                    if (from.isPresent() && invalidation.sequence() >= from.getAsLong() && !invalidation.isMark()) {
                        sent.add(notification.identity());
                        latest = Math.max(latest, invalidation.writtenMillis());
                    }
                }
            }
            LOG.info(
                    "{} continues at sequence {} in epoch {}; {} notifications since the checkpoint are in it",
                    log,
                    next,
                    epoch,
                    sent.size());
            return new Resumption(epoch, next, sent, latest, completeBefore);
        }
    }

    private static Notification read(ConsumerRecord<byte[], byte[]> entry) {
        try {
            return new Notification(
                    Codecs.INVALIDATION.decode(entry.value()),
                    InvalidationHeaders.registeredMillis(entry.headers()),
                    InvalidationHeaders.epoch(entry.headers()));
        } catch (InvalidRecordException e) {
            LOG.warn("{} offset {}: {}", entry.topic(), entry.offset(), e.getMessage());
            return null;
        }
    }
}
