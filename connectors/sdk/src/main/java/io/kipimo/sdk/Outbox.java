package io.kipimo.sdk;

import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.quality.QueryEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bounded queue in front of a producer. One daemon thread encodes and sends. While Kafka is unavailable, events stay
 * in the queue; when it is full, new events are dropped and counted. An event that readers would refuse is not sent,
 * but dropped and counted.
 */
final class Outbox implements AutoCloseable {
    /**
     * One event that is to be sent.
     *
     * @param mended changes the event to one that readers accept, if possible
     */
    record QueuedEvent<T>(
            String topic,
            Function<T, String> key,
            long timestampMillis,
            Codec<T> codec,
            T event,
            UnaryOperator<T> mended,
            EmissionCounts tally) {
        /** Creates an event whose names are already checked. */
        QueuedEvent(String topic, String key, long timestampMillis, Codec<T> codec, T event, EmissionCounts tally) {
            this(topic, e -> key, timestampMillis, codec, event, UnaryOperator.identity(), tally);
        }

        /** @throws InvalidRecordException if readers would refuse the record */
        ProducerRecord<byte[], byte[]> toRecord() throws InvalidRecordException {
            T sent = mended.apply(event);
            byte[] value = codec.encode(sent);
            var unused = codec.decode(value);
            return new ProducerRecord<>(
                    topic, null, timestampMillis, key.apply(sent).getBytes(StandardCharsets.UTF_8), value);
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
    private static final long POLL_MILLIS = 100;
    private static final long CONFIRMATION_MILLIS = 10;
    private static final long RETRY_MILLIS = 1_000;
    private static final long FLUSH_POLL_MILLIS = 10;

    /** Wait for Kafka after which a warning is logged. A first connection may outlast a single time-out. */
    private static final Duration FIRST_ANSWER = Duration.ofSeconds(5);

    private static final Duration QUIET = Duration.ofMinutes(1);

    /** Number of events that were sent since the latest event of the last topic and are not confirmed. */
    private static final class Unconfirmed {
        private final AtomicInteger events = new AtomicInteger();
    }

    private record Behind(QueuedEvent<?> event, Unconfirmed before) {}

    private final BlockingQueue<QueuedEvent<?>> queue;
    private final String lastTopic;

    /** Events that are queued or not acknowledged. */
    private final AtomicLong waiting = new AtomicLong();

    /**
     * Events of the last topic that wait for earlier events. The wait is bounded by the producer's delivery time-out,
     * after which nothing is unconfirmed.
     */
    private final Queue<Behind> behind = new ArrayDeque<>();

    private Unconfirmed unconfirmed = new Unconfirmed();
    private final Supplier<Producer<byte[], byte[]>> producers;
    private final Duration closeWait;
    private final Thread thread;

    /**
     * Shutdown hook: a process that ends without {@link #close} still sends waiting events. The hook closes nothing,
     * since a service may drain its queries in a hook of its own.
     */
    private final Thread atExit = new Thread(this::flush, "kipimo-flush");

    private volatile boolean closed;

    /** Number of events that were never sent; written by the thread as it ends. */
    private volatile int lost;

    // Used by the thread alone.
    private Producer<byte[], byte[]> producer;
    private volatile long quietUntilNanos = System.nanoTime();

    /**
     * @param producers makes a producer, or throws {@link KafkaException} if that is not possible now
     * @param closeWait how long {@link #close} waits for queued and unacknowledged events
     */
    Outbox(int capacity, Supplier<Producer<byte[], byte[]>> producers, Duration closeWait) {
        this(capacity, producers, closeWait, "");
    }

    /**
     * @param lastTopic topic whose events are sent only when all earlier events of other topics have arrived or are
     *     lost, so that they never advance event time past earlier events; empty: none
     */
    Outbox(int capacity, Supplier<Producer<byte[], byte[]>> producers, Duration closeWait, String lastTopic) {
        this.lastTopic = lastTopic;
        this.queue = new ArrayBlockingQueue<>(capacity);
        this.producers = producers;
        this.closeWait = closeWait;
        this.thread = new Thread(this::run, "kipimo-outbox");
        thread.setDaemon(true);
        thread.start();
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** Queues an event, or drops it if the queue is full; never blocks. */
    void offer(QueuedEvent<?> queued) {
        waiting.incrementAndGet();
        if (!closed && queue.offer(queued)) {
            queued.tally().accept();
        } else {
            waiting.decrementAndGet();
            queued.tally().dropFull();
        }
    }

    /** Drops an event whose time is further ahead of the clock than readers allow. */
    void refuse(QueuedEvent<?> event) {
        event.tally().accept();
        event.tally().dropUndelivered();
        warn(
                "an event is refused",
                new IllegalArgumentException("its time is %s; allowed: at most %s ms after now"
                        .formatted(event.timestampMillis(), QueryEvent.MOST_AHEAD_MILLIS)));
    }

    private void run() {
        try {
            while (!closed || !queue.isEmpty() || !behind.isEmpty()) {
                QueuedEvent<?> queued =
                        queue.poll(behind.isEmpty() ? POLL_MILLIS : CONFIRMATION_MILLIS, TimeUnit.MILLISECONDS);
                if (queued == null) {
                    if (closed && producer != null) {
                        producer.flush();
                    }
                } else if (queued.topic().equals(lastTopic)) {
                    behind.add(new Behind(queued, unconfirmed));
                    unconfirmed = new Unconfirmed();
                } else {
                    send(queued);
                }
                while (!behind.isEmpty() && behind.peek().before().events.get() == 0) {
                    send(behind.remove().event());
                }
            }
            closeProducer(closeWait);
        } catch (InterruptedException | InterruptException e) {
            closeProducer(Duration.ZERO);
        } finally {
            dropWaiting();
        }
    }

    private void dropWaiting() {
        int left = 0;
        for (QueuedEvent<?> next = queue.poll(); next != null; next = queue.poll()) {
            drop(next.tally());
            left++;
        }
        for (Behind next : behind) {
            drop(next.event().tally());
            left++;
        }
        lost = left;
    }

    private void drop(EmissionCounts tally) {
        waiting.decrementAndGet();
        tally.dropUndelivered();
    }

    /** Waits for a limited time until all events are sent. Further events may be offered meanwhile. */
    private void flush() {
        long until = System.nanoTime() + closeWait.toNanos();
        try {
            while (waiting.get() > 0 && System.nanoTime() - until < 0) {
                TimeUnit.MILLISECONDS.sleep(FLUSH_POLL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(QueuedEvent<?> queued) throws InterruptedException {
        EmissionCounts tally = queued.tally();
        ProducerRecord<byte[], byte[]> entry;
        try {
            entry = queued.toRecord();
        } catch (InvalidRecordException | RuntimeException e) {
            drop(tally);
            warn("an event is refused", e);
            return;
        }
        AtomicInteger events = entry.topic().equals(lastTopic) ? new AtomicInteger() : unconfirmed.events;
        events.incrementAndGet();
        try {
            awaitTopic(entry.topic());
            // The callback counts the result.
            var unused = producer().send(entry, (metadata, failure) -> {
                events.decrementAndGet();
                count(tally, metadata, failure);
            });
        } catch (InterruptException e) {
            drop(tally);
            throw new InterruptedException();
        } catch (KafkaException | IllegalStateException e) {
            // This producer cannot recover; the next event gets a new producer.
            events.decrementAndGet();
            drop(tally);
            warn("events cannot be sent", e);
            closeProducer(Duration.ZERO);
        }
    }

    /**
     * Waits until Kafka is available. Without the wait, each send would time out and drop its event although the queue
     * has room. {@link #close} interrupts the wait.
     */
    private void awaitTopic(String topic) throws InterruptedException {
        long since = System.nanoTime();
        while (true) {
            try {
                var unused = producer().partitionsFor(topic);
                return;
            } catch (TimeoutException e) {
                long waited = System.nanoTime() - since;
                if (waited >= FIRST_ANSWER.toNanos()) {
                    warn(
                            "Kafka is unavailable for %s s, events are queued"
                                    .formatted(TimeUnit.NANOSECONDS.toSeconds(waited)),
                            e);
                }
            }
        }
    }

    private void count(EmissionCounts tally, RecordMetadata metadata, Exception failure) {
        if (failure == null) {
            tally.deliver(metadata.serializedKeySize() + metadata.serializedValueSize());
            waiting.decrementAndGet();
        } else {
            drop(tally);
            warn("events are dropped", failure);
        }
    }

    private Producer<byte[], byte[]> producer() throws InterruptedException {
        while (producer == null) {
            try {
                producer = producers.get();
            } catch (KafkaException e) {
                warn("cannot create a producer", e);
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            }
        }
        return producer;
    }

    private void closeProducer(Duration wait) {
        if (producer != null) {
            try {
                producer.close(wait);
            } catch (InterruptException e) {
                // The producer is closed nevertheless, and its callbacks have counted the unsent
                // events.
                LOG.debug("closed at once", e);
            }
            producer = null;
        }
    }

    /** Logs at most one line a minute, so that an outage of Kafka does not fill the service's log. */
    private void warn(String what, Exception why) {
        long now = System.nanoTime();
        if (now - quietUntilNanos >= 0) {
            quietUntilNanos = now + QUIET.toNanos();
            LOG.warn("{}: {}", what, why.getMessage());
        }
    }

    /** Sends queued events for at most the configured time; the rest is dropped and counted. */
    @Override
    public void close() {
        closed = true;
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            LOG.debug("the process ends", e);
        }
        try {
            thread.join(closeWait.toMillis());
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(closeWait.toMillis());
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
        if (lost > 0) {
            LOG.warn("closed with {} events that were not sent", lost);
        }
    }
}
