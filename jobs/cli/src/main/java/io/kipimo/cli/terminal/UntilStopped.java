package io.kipimo.cli.terminal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a command that serves: it waits until the process is told to end, and the process waits until the command has
 * closed what it opened. To be opened first, so that it closes last.
 */
public final class UntilStopped implements AutoCloseable {
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** @param command its name, for the thread that waits */
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

    /** As above, for a while; false: it is not told yet. */
    public boolean await(long seconds) throws InterruptedException {
        return stopped.await(seconds, TimeUnit.SECONDS);
    }

    /** All is closed. */
    @Override
    public void close() {
        closed.countDown();
    }
}
