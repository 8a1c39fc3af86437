package io.kipimo.sdk.internal.kafka;

import io.kipimo.schemas.codec.InvalidRecordException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads topics on a daemon thread until closed. After a failure, it logs the failure, at most once a minute, waits for
 * {@value #RETRY_MILLIS} ms, and begins anew with another reader.
 */
public final class TopicLoop implements AutoCloseable {
    /** Longest wait for records in a poll. */
    public static final Duration POLL = Duration.ofMillis(200);

    public static final long RETRY_MILLIS = 500;

    private static final Logger LOG = LoggerFactory.getLogger(TopicLoop.class);
    private static final long SILENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Reads until {@link #isClosed}. If it returns earlier, the loop begins anew at once. */
    public interface LoopReading<R> {
        void read(R reader, TopicLoop loop) throws Exception;
    }

    /** Uses one record. */
    public interface RecordTaker {
        void take(ConsumerRecord<byte[], byte[]> entry) throws InvalidRecordException;
    }

    private final Thread thread;
    private final long patienceMillis;
    private final CountDownLatch closed = new CountDownLatch(1);
    private long loggedNanos = System.nanoTime() - SILENCE_NANOS;

    /**
     * @param name name of the thread
     * @param readers opens a reader, such as a consumer; the loop closes it
     * @param away receives each failure
     * @param patienceMillis longest wait for the reading in progress when closed
     */
    public <R extends AutoCloseable> TopicLoop(
            String name, Supplier<R> readers, LoopReading<R> reading, Consumer<Exception> away, long patienceMillis) {
        this.patienceMillis = patienceMillis;
        thread = new Thread(() -> run(readers, reading, away), name);
        thread.setDaemon(true);
    }

    public TopicLoop start() {
        thread.start();
        return this;
    }

    private <R extends AutoCloseable> void run(Supplier<R> readers, LoopReading<R> reading, Consumer<Exception> away) {
        while (!isClosed(0)) {
            try (R reader = readers.get()) {
                reading.read(reader, this);
            } catch (WakeupException | InterruptException | InterruptedException e) {
                return;
            } catch (Exception e) {
                if (System.nanoTime() - loggedNanos >= SILENCE_NANOS) {
                    loggedNanos = System.nanoTime();
                    LOG.warn("{} failed, will try again: {}", thread.getName(), e.toString());
                    LOG.debug("{} failed", thread.getName(), e);
                }
                away.accept(e);
                isClosed(RETRY_MILLIS);
            }
        }
    }

    /** Waits for at most {@code waitMillis} until this loop is closed, and returns whether it is. */
    public boolean isClosed(long waitMillis) {
        try {
            return closed.await(waitMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Passes each record to {@code taker}. If that throws, {@code unusable} gets the record, and reading goes on. */
    public static void each(
            Iterable<ConsumerRecord<byte[], byte[]>> entries,
            RecordTaker taker,
            BiConsumer<ConsumerRecord<byte[], byte[]>, Exception> unusable) {
        for (ConsumerRecord<byte[], byte[]> entry : entries) {
            try {
                taker.take(entry);
            } catch (InvalidRecordException | RuntimeException e) {
                unusable.accept(entry, e);
            }
        }
    }

    /** Passes each record to {@code taker}, as above; unusable records are logged. */
    public static void each(Iterable<ConsumerRecord<byte[], byte[]>> entries, RecordTaker taker) {
        each(entries, taker, TopicLoop::skipped);
    }

    static void skipped(ConsumerRecord<byte[], byte[]> entry, Exception e) {
        LOG.warn(
                "skipping record at {}-{} offset {}: {}",
                entry.topic(),
                entry.partition(),
                entry.offset(),
                e.toString());
    }

    /** Waits for the reading in progress, then interrupts it: it probably waits for Kafka. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(patienceMillis);
            thread.interrupt();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
