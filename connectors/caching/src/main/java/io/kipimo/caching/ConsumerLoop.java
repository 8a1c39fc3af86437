package io.kipimo.caching;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Repeats a step that reads from Kafka, on a daemon thread, until closed. After a step that fails the next one follows.
 */
public final class ConsumerLoop implements AutoCloseable {
    /** Longest wait for records in a step. */
    public static final Duration POLL = Duration.ofMillis(500);

    /** Reads what is there, and works on it. */
    public interface LoopStep {
        void run() throws InterruptedException;
    }

    private final Consumer<?, ?> consumer;
    private final LoopStep step;
    private final java.util.function.Consumer<RuntimeException> failed;
    private final long patienceMillis;
    private final Thread thread;
    private volatile boolean closed;

    /**
     * @param name of the thread
     * @param consumer closed at the end
     * @param failed is told of a step that failed
     * @param patienceMillis longest wait for a step in progress when closed
     */
    public ConsumerLoop(
            String name,
            Consumer<?, ?> consumer,
            LoopStep step,
            java.util.function.Consumer<RuntimeException> failed,
            long patienceMillis) {
        this.consumer = consumer;
        this.step = step;
        this.failed = failed;
        this.patienceMillis = patienceMillis;
        thread = new Thread(this::run, name);
    }

    public void start() {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try (consumer) {
            while (!closed) {
                try {
                    step.run();
                } catch (WakeupException | InterruptException e) {
                    return;
                } catch (RuntimeException e) {
                    failed.accept(e);
                    TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends after the step in progress. */
    @Override
    public void close() {
        closed = true;
        consumer.wakeup();
        try {
            thread.join(patienceMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
