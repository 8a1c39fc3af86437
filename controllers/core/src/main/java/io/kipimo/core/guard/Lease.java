package io.kipimo.core.guard;

/** A value that applies until its lease ends, and then moves linearly to the safe value. */
public final class Lease {
    private Lease() {}

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
