package io.kipimo.core.guard;

/** A value that is good until its lease ends; then it moves, linearly, to the safe one. */
public final class Lease {
    private Lease() {}

    /**
     * The value in force.
     *
     * @param overdueMillis since the end of the lease; 0 or less while it lasts
     * @param decayMillis from the end of the lease to {@code safe}
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
