package io.kipimo.core.guard;

/**
 * A value that applies until its lease ends, and then moves linearly to the safe value.
 *
 * <p>A lease is measured by two clocks, and the earlier end counts: {@code validUntilMillis} by the wall clock, and the
 * lease's length since receipt by the monotonic clock. So neither a clock that is set back nor one that is behind
 * prolongs an old decision.
 */
public final class Lease {
    private Lease() {}

    /**
     * Time since the end of a lease; 0 or less while it lasts.
     *
     * @param validUntilMillis its end by the wall clock, epoch milliseconds
     * @param leaseMillis its length
     * @param takenAtMillis receipt by the monotonic clock
     */
    public static long overdueMillis(
            long validUntilMillis, long leaseMillis, long takenAtMillis, long wallMillis, long monotonicMillis) {
        return Math.max(wallMillis - validUntilMillis, Math.max(0, monotonicMillis - takenAtMillis) - leaseMillis);
    }

    /**
     * The value in force.
     *
     * @param overdueMillis time since the end of the lease; 0 or less while it lasts
     * @param decayMillis duration of the move to {@code safe}
     */
    public static double valueAt(double value, double safe, long overdueMillis, long decayMillis) {
        if (overdueMillis <= 0) {
            return value;
        }
        if (overdueMillis >= decayMillis) {
            return safe;
        }
        return value + (safe - value) * ((double) overdueMillis / decayMillis);
    }
}
