package io.kipimo.simulator.engine;

/** Conversions between seconds, which models use, and nanoseconds, which the engine uses. */
public final class Times {
    /** One second, in nanoseconds. */
    public static final long SECOND = 1_000_000_000L;

    /** One millisecond, in nanoseconds. */
    public static final long MILLISECOND = 1_000_000L;

    private Times() {}

    /** Converts seconds to nanoseconds, rounded. */
    public static long nanos(double seconds) {
        return Math.round(seconds * SECOND);
    }

    public static double seconds(long nanos) {
        return (double) nanos / SECOND;
    }
}
