package io.kipimo.sdk;

import io.kipimo.schemas.codec.Codec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bounded queue in front of a producer, drained by one daemon thread, which also encodes. When
 * the log is away, events wait in the queue, then are dropped and counted; when it is back, the
 * thread goes on.
 */
final class Outbox implements AutoCloseable {
    /** One event on its way. */
    record Letter<T>(
            String topic,
            String key,
            long timestampMillis,
            Codec<T> codec,
            T event,
            EmissionCounts tally) {
        ProducerRecord<byte[], byte[]> toRecord() {
            return new ProducerRecord<>(
                    topic,
                    null,
                    timestampMillis,
                    key.getBytes(StandardCharsets.UTF_8),
                    codec.encode(event));
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
    private static final long POLL_MILLIS = 100;
    private static final long RETRY_MILLIS = 1_000;
    private static final Duration QUIET = Duration.ofMinutes(1);

    private final BlockingQueue<Letter<?>> queue;
    private final Supplier<Producer<byte[], byte[]>> producers;
    private final Duration closeWait;
    private final Thread thread;
    private volatile boolean closed;

    // Of the thread alone.
    private Producer<byte[], byte[]> producer;
    private volatile long quietUntilNanos = System.nanoTime();

    /**
     * @param producers makes a producer, or throws {@link KafkaException} if that cannot be done
     *     now
     * @param closeWait how long closing waits for what is still under way
     */
    Outbox(int capacity, Supplier<Producer<byte[], byte[]>> producers, Duration closeWait) {
        this.queue = new ArrayBlockingQueue<>(capacity);
        this.producers = producers;
        this.closeWait = closeWait;
        this.thread = new Thread(this::run, "kipimo-outbox");
        thread.setDaemon(true);
        thread.start();
    }

    /** Takes an event or, when too many wait, drops it; never blocks. */
    void offer(Letter<?> letter) {
        if (!closed && queue.offer(letter)) {
            letter.tally().accept();
        } else {
            letter.tally().dropFull();
        }
    }

    private void run() {
        try {
            while (!closed || !queue.isEmpty()) {
                Letter<?> letter = queue.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (letter != null) {
                    send(letter);
                }
            }
            closeProducer(closeWait);
        } catch (InterruptedException e) {
            closeProducer(Duration.ZERO);
        } finally {
            dropWaiting();
        }
    }

    private void dropWaiting() {
        for (Letter<?> left = queue.poll(); left != null; left = queue.poll()) {
            left.tally().dropUndelivered();
        }
    }

    private void send(Letter<?> letter) throws InterruptedException {
        EmissionCounts tally = letter.tally();
        ProducerRecord<byte[], byte[]> entry;
        try {
            entry = letter.toRecord();
        } catch (RuntimeException e) {
            tally.dropUndelivered();
            warn("an event cannot be encoded", e);
            return;
        }
        try {
            awaitTopic(entry.topic());
            // The callback tells.
            var unused =
                    producer().send(entry, (metadata, failure) -> settle(tally, metadata, failure));
        } catch (InterruptException e) {
            tally.dropUndelivered();
            throw new InterruptedException();
        } catch (TimeoutException e) {
            // Closed while the log is away: nothing more can be sent.
            tally.dropUndelivered();
            dropWaiting();
        } catch (KafkaException | IllegalStateException e) {
            // This producer will not recover; the next event gets a new one.
            tally.dropUndelivered();
            warn("events cannot be sent", e);
            closeProducer(Duration.ZERO);
        }
    }

    /**
     * Waits for a log that is away: so events are dropped because too many wait, the newest ones,
     * and not one by one while there is room.
     */
    private void awaitTopic(String topic) throws InterruptedException {
        while (true) {
            try {
                var unused = producer().partitionsFor(topic);
                return;
            } catch (TimeoutException e) {
                warn("events wait", e);
                if (closed) {
                    throw e;
                }
            }
        }
    }

    private void settle(EmissionCounts tally, RecordMetadata metadata, Exception failure) {
        if (failure == null) {
            tally.deliver(metadata.serializedKeySize() + metadata.serializedValueSize());
        } else {
            tally.dropUndelivered();
            warn("events are dropped", failure);
        }
    }

    private Producer<byte[], byte[]> producer() throws InterruptedException {
        while (producer == null) {
            try {
                producer = producers.get();
            } catch (KafkaException e) {
                warn("no producer can be made", e);
                if (closed) {
                    throw e;
                }
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
                // It is closed all the same, and has told of what it did not send.
                LOG.debug("closed at once", e);
            }
            producer = null;
        }
    }

    /** At most one line a minute: a log that is away must not fill another. */
    private void warn(String what, Exception why) {
        long now = System.nanoTime();
        if (now - quietUntilNanos >= 0) {
            quietUntilNanos = now + QUIET.toNanos();
            LOG.warn("{}: {}", what, why.getMessage());
        }
    }

    /** Sends what waits, for a while; what is left then is dropped and counted. */
    @Override
    public void close() {
        closed = true;
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
    }
}
