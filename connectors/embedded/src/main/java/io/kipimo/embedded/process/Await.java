package io.kipimo.embedded.process;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Waits for conditions that other threads and processes bring about. */
public final class Await {
    private static final long PAUSE_MILLIS = 50;

    private Await() {}

    /**
     * Checks a condition every 50 ms, and returns when it holds.
     *
     * @param problem says what is wrong if the condition does not hold
     * @throws IllegalStateException with the problem if the condition does not hold within {@code patience}; or if the
     *     thread is interrupted
     */
    public static void until(BooleanSupplier condition, Duration patience, Supplier<String> problem) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(problem.get());
            }
            pause(PAUSE_MILLIS);
        }
    }

    /** Returns when a count has not grown for {@code millis} milliseconds. */
    public static void quiet(LongSupplier count, long millis) {
        long before;
        do {
            before = count.getAsLong();
            pause(millis);
        } while (count.getAsLong() > before);
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
