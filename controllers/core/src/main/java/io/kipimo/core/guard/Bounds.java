package io.kipimo.core.guard;

/** Ranges of values. */
public final class Bounds {
    private Bounds() {}

    /** {@code value} within the bounds, with -0 made 0. */
    public static double clamp(double value, double floor, double ceiling) {
        return Math.max(floor, Math.min(ceiling, value)) + 0.0;
    }

    /**
     * Passes a value within a closed range.
     *
     * @throws IllegalArgumentException with name, value and range, otherwise; also for NaN
     */
    public static void within(String name, double value, double least, double most) {
        require(value >= least && value <= most, name, value, least + ".." + most);
    }

    /** As above, for a whole number. */
    public static void within(String name, long value, long least, long most) {
        require(value >= least && value <= most, name, value, least + ".." + most);
    }

    /** As above, without an upper bound. */
    public static void atLeast(String name, long value, long least) {
        require(value >= least, name, value, "at least " + least);
    }

    /**
     * Passes a value that is allowed.
     *
     * @throws IllegalArgumentException with name, value and what is allowed, otherwise
     */
    public static void require(boolean isAllowed, String name, Object value, String allowed) {
        if (!isAllowed) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed: " + allowed);
        }
    }
}
