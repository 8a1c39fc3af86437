package io.kipimo.gateway.record;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Logs what is most likely misconfigured at a listener, each kind at most once a minute; metrics count every case.
 * Thread-safe.
 */
final class Complaints {
    private static final long SILENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String listener;
    private final Consumer<String> log;
    private final LongSupplier clock;
    private final Map<Enum<?>, Long> lastNanos = new ConcurrentHashMap<>();

    /**
     * @param log receives each line
     * @param clock nanoseconds, monotonic
     */
    Complaints(String listener, Consumer<String> log, LongSupplier clock) {
        this.listener = listener;
        this.log = log;
        this.clock = clock;
    }

    /**
     * Logs a problem, unless its kind was logged in the last minute.
     *
     * @param kind of the problem
     * @param why description of the problem
     */
    void say(Enum<?> kind, String why) {
        long now = clock.getAsLong();
        boolean[] isDue = new boolean[1];
        lastNanos.compute(kind, (k, last) -> {
            isDue[0] = last == null || now - last >= SILENCE_NANOS;
            return isDue[0] ? Long.valueOf(now) : last;
        });
        if (isDue[0]) {
            log.accept(listener + ": " + why);
        }
    }
}
