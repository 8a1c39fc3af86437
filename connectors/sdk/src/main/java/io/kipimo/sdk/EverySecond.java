package io.kipimo.sdk;

import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A daemon thread that runs a task at the beginning of every second. A failure of the task does not end the thread. */
final class EverySecond {
    private static final Logger LOG = LoggerFactory.getLogger(EverySecond.class);

    private final InstantSource clock;
    private final LongConsumer task;
    private final ScheduledExecutorService seconds;
    private boolean hasFailed;

    /** @param task takes the time, epoch milliseconds */
    EverySecond(String thread, InstantSource clock, LongConsumer task) {
        this.clock = clock;
        this.task = task;
        seconds = Executors.newSingleThreadScheduledExecutor(run -> {
            Thread daemon = new Thread(run, thread);
            daemon.setDaemon(true);
            return daemon;
        });
        var unused = seconds.scheduleAtFixedRate(
                this::run, 1000L - Math.floorMod(clock.millis(), 1000), 1000, TimeUnit.MILLISECONDS);
    }

    private void run() {
        try {
            task.accept(clock.millis());
        } catch (RuntimeException e) {
            // The executor would never run the task again.
            if (!hasFailed) {
                hasFailed = true;
                LOG.warn("a second's counts are not published", e);
            }
        }
    }

    /**
     * Ends the thread, and waits for the task if it is running.
     *
     * @return whether the thread has ended in time
     */
    boolean end() {
        seconds.shutdown();
        try {
            return seconds.awaitTermination(Kipimo.CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
