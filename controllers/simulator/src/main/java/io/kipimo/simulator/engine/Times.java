package io.kipimo.simulator.engine;

/** Seconds, as models reckon, and nanoseconds, as the engine does. */
public final class Times {
    /** One second. */
    public static final long SECOND = 1_000_000_000L;

    /** One millisecond. */
    public static final long MILLISECOND = 1_000_000L;

    private Times() {}

    /** To the nearest nanosecond. */
    public static long nanos(double seconds) {
        return Math.round(seconds * SECOND);
    }

    public static double seconds(long nanos) {
        return (double) nanos / SECOND;
    }
}
