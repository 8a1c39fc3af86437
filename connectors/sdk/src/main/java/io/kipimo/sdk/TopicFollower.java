package io.kipimo.sdk;

import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.InvalidRecordException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
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
     * @param unreadable called for a record that cannot be read, or that the taker could not use
     */
    record TopicSubscription<T>(
            String topic, Codec<T> codec, java.util.function.Consumer<T> taker, Runnable unreadable) {
        void dispatch(byte[] value) {
            try {
                taker.accept(codec.decode(value));
            } catch (InvalidRecordException e) {
                unreadable.run();
            } catch (RuntimeException e) {
                LOG.warn("a record of {} cannot be used", topic, e);
                unreadable.run();
            }
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(TopicFollower.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long RETRY_MILLIS = 1_000;
    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Map<String, TopicSubscription<?>> subscriptions = new LinkedHashMap<>();
    private final Supplier<Consumer<byte[], byte[]>> consumers;
    private final Thread thread;
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * @param consumers makes a consumer that resets to the earliest offset, or throws {@link KafkaException} if that is
     *     not possible now
     */
    TopicFollower(List<TopicSubscription<?>> subscriptions, Supplier<Consumer<byte[], byte[]>> consumers) {
        subscriptions.forEach(s -> this.subscriptions.put(s.topic(), s));
        this.consumers = consumers;
        this.thread = new Thread(this::run, "kipimo-follower");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        boolean quiet = false;
        while (!isClosed(0)) {
            try (Consumer<byte[], byte[]> consumer = consumers.get()) {
                follow(consumer);
                quiet = false;
            } catch (WakeupException | org.apache.kafka.common.errors.InterruptException e) {
                return;
            } catch (KafkaException e) {
                if (!quiet) {
                    LOG.warn("cannot read {}, will retry: {}", subscriptions.keySet(), e.getMessage());
                    quiet = true;
                }
            }
            isClosed(RETRY_MILLIS);
        }
    }

    /** Returns when closed, or if no topic exists yet. */
    private void follow(Consumer<byte[], byte[]> consumer) {
        Set<TopicPartition> assigned = Set.of();
        long refreshedAt = System.nanoTime() - REFRESH_NANOS;
        while (!isClosed(0)) {
            if (System.nanoTime() - refreshedAt >= REFRESH_NANOS) {
                Set<TopicPartition> present = partitions(consumer);
                if (present.isEmpty()) {
                    return;
                }
                if (!present.equals(assigned)) {
                    consumer.assign(present);
                    assigned = present;
                }
                refreshedAt = System.nanoTime();
            }
            consumer.poll(POLL).forEach(this::dispatch);
        }
    }

    private Set<TopicPartition> partitions(Consumer<byte[], byte[]> consumer) {
        Set<TopicPartition> present = new LinkedHashSet<>();
        for (String topic : subscriptions.keySet()) {
            consumer.partitionsFor(topic).forEach(p -> present.add(new TopicPartition(topic, p.partition())));
        }
        return present;
    }

    private void dispatch(ConsumerRecord<byte[], byte[]> entry) {
        if (entry.value() != null) {
            subscriptions.get(entry.topic()).dispatch(entry.value());
        }
    }

    private boolean isClosed(long waitMillis) {
        try {
            return closed.await(waitMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(POLL.toMillis() * 5);
            // It probably waits for Kafka.
            thread.interrupt();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
