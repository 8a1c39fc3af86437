package io.kipimo.sdk;

import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.sdk.internal.kafka.TopicLoop;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads compacted topics from their beginning and then all new records, on one daemon thread. It uses no consumer
 * group, so every instance of a service gets every record. While Kafka is unavailable it retries.
 */
final class TopicFollower implements AutoCloseable {
    /**
     * Callbacks for one topic; the follower's thread calls them.
     *
     * @param unreadable called for a record that cannot be read, or that {@code taker} could not use
     */
    record TopicSubscription<T>(
            String topic, Codec<T> codec, java.util.function.Consumer<T> taker, Runnable unreadable) {
        void take(byte[] value) throws InvalidRecordException {
            taker.accept(codec.decode(value));
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(TopicFollower.class);
    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Map<String, TopicSubscription<?>> subscriptions = new LinkedHashMap<>();
    private final TopicLoop loop;

    /**
     * @param consumers makes a consumer that resets to the earliest offset, or throws {@link KafkaException} if that is
     *     not possible now
     */
    TopicFollower(List<TopicSubscription<?>> subscriptions, Supplier<Consumer<byte[], byte[]>> consumers) {
        subscriptions.forEach(s -> this.subscriptions.put(s.topic(), s));
        loop = new TopicLoop("kipimo-follower", consumers, this::follow, e -> {}, TopicLoop.POLL.toMillis() * 5)
                .start();
    }

    private void follow(Consumer<byte[], byte[]> consumer, TopicLoop running) {
        Set<TopicPartition> assigned = Set.of();
        long refreshedAt = System.nanoTime() - REFRESH_NANOS;
        while (!running.isClosed(0)) {
            if (System.nanoTime() - refreshedAt >= REFRESH_NANOS) {
                Set<TopicPartition> present = partitions(consumer);
                if (present.isEmpty()) {
                    running.isClosed(TopicLoop.RETRY_MILLIS);
                    return;
                }
                if (!present.equals(assigned)) {
                    consumer.assign(present);
                    assigned = present;
                }
                refreshedAt = System.nanoTime();
            }
            TopicLoop.each(consumer.poll(TopicLoop.POLL), this::take, this::unusable);
        }
    }

    private Set<TopicPartition> partitions(Consumer<byte[], byte[]> consumer) {
        Set<TopicPartition> present = new LinkedHashSet<>();
        for (String topic : subscriptions.keySet()) {
            consumer.partitionsFor(topic).forEach(p -> present.add(new TopicPartition(topic, p.partition())));
        }
        return present;
    }

    private void take(ConsumerRecord<byte[], byte[]> entry) throws InvalidRecordException {
        if (entry.value() != null) {
            subscriptions.get(entry.topic()).take(entry.value());
        }
    }

    private void unusable(ConsumerRecord<byte[], byte[]> entry, Exception e) {
        if (!(e instanceof InvalidRecordException)) {
            LOG.warn("a record of {} cannot be used", entry.topic(), e);
        }
        subscriptions.get(entry.topic()).unreadable().run();
    }

    @Override
    public void close() {
        loop.close();
    }
}
