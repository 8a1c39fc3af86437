package io.kipimo.sdk;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.decision.Decision;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
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
 * Reads the decision topics from their beginning and goes on for ever, on one daemon thread,
 * without a consumer group: every instance of a service hears every decision. Waits while the log
 * is away.
 */
final class DecisionFollower implements AutoCloseable {
    /** Gets every record; called by the follower's thread. */
    interface Listener {
        void decided(String topic, Decision decision);

        void unreadable(String topic);
    }

    private static final Logger LOG = LoggerFactory.getLogger(DecisionFollower.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long RETRY_MILLIS = 1_000;
    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final List<String> topics;
    private final Supplier<Consumer<byte[], byte[]>> consumers;
    private final Listener listener;
    private final Thread thread;
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * @param consumers makes a consumer that resets to the earliest offset, or throws {@link
     *     KafkaException} if that cannot be done now
     */
    DecisionFollower(
            List<String> topics, Supplier<Consumer<byte[], byte[]>> consumers, Listener listener) {
        this.topics = List.copyOf(topics);
        this.consumers = consumers;
        this.listener = listener;
        this.thread = new Thread(this::run, "kipimo-decisions");
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
                    LOG.warn("decisions cannot be read, trying on: {}", e.getMessage());
                    quiet = true;
                }
            }
            isClosed(RETRY_MILLIS);
        }
    }

    /** Returns when closed, or while a topic is not there yet. */
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
            consumer.poll(POLL).forEach(this::hand);
        }
    }

    private Set<TopicPartition> partitions(Consumer<byte[], byte[]> consumer) {
        Set<TopicPartition> present = new LinkedHashSet<>();
        for (String topic : topics) {
            consumer.partitionsFor(topic)
                    .forEach(p -> present.add(new TopicPartition(topic, p.partition())));
        }
        return present;
    }

    private void hand(ConsumerRecord<byte[], byte[]> entry) {
        if (entry.value() == null) {
            return;
        }
        try {
            listener.decided(entry.topic(), Codecs.DECISION.decode(entry.value()));
        } catch (InvalidRecordException e) {
            listener.unreadable(entry.topic());
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
            // Most likely waiting for a log that is away.
            thread.interrupt();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
