package io.kipimo.cli.terminal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a serving command wait until the process is told to end. The end of the process then waits until the command has
 * closed its resources. Must be the first resource that the command opens, so that it is closed last.
 */
public final class UntilStopped implements AutoCloseable {
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** @param command name of the command, for the thread that waits */
    public UntilStopped(String command) {
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, command + "-stop"));
    }

    private void stop() {
        stopped.countDown();
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the process is told to end. */
    public void await() throws InterruptedException {
        stopped.await();
    }

    /** Waits for at most this number of seconds. Returns false if the process is not told to end yet. */
    public boolean await(long seconds) throws InterruptedException {
        return stopped.await(seconds, TimeUnit.SECONDS);
    }

    /** Lets the process end, because all other resources are closed. */
    @Override
    public void close() {
        closed.countDown();
    }
}
