package io.kipimo.simulator.control;

import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.engine.Handler;
import io.kipimo.simulator.engine.Times;

/** Virtual time as the epoch milliseconds that the product's functions take. */
public record VirtualClock(Engine engine) {
    /** Start of virtual time: 2026-01-01T00:00Z. It is a full hour, which is when the salt of admission changes. */
    public static final long START_MILLIS = 1_767_225_600_000L;

    /** The current time, epoch milliseconds. */
    public long millis() {
        return millis(engine.nowNanos());
    }

    /** Converts a virtual time to epoch milliseconds. */
    public static long millis(long nanos) {
        return START_MILLIS + nanos / Times.MILLISECOND;
    }

    /** Seconds since the start. */
    public static double seconds(long millis) {
        return (millis - START_MILLIS) / 1000.0;
    }

    void at(long millis, Handler handler) {
        long nanos = (millis - START_MILLIS) * Times.MILLISECOND;
        engine.schedule(Math.max(engine.nowNanos(), nanos), handler, 0);
    }

    void after(double seconds, Handler handler) {
        engine.schedule(engine.nowNanos() + Times.nanos(seconds), handler, 0);
    }
}
