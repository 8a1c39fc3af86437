package io.kipimo.core.guard;

/** Checks that values are within their ranges, or limits them. */
public final class Bounds {
    private Bounds() {}

    /** {@code value} within the bounds, with -0 made 0. */
    public static double clamp(double value, double floor, double ceiling) {
        return Math.max(floor, Math.min(ceiling, value)) + 0.0;
    }

    /**
     * Passes a value within a closed range.
     *
     * @throws IllegalArgumentException if the value is outside or NaN; the message has name, value and range
     */
    public static void within(String name, double value, double least, double most) {
        require(value >= least && value <= most, name, value, least + ".." + most);
    }

    /** Passes a whole number within a closed range, and throws as the method for doubles does. */
    public static void within(String name, long value, long least, long most) {
        require(value >= least && value <= most, name, value, least + ".." + most);
    }

    /** Passes a whole number that is at least {@code least}, and throws as {@link #within} does. */
    public static void atLeast(String name, long value, long least) {
        require(value >= least, name, value, "at least " + least);
    }

    /**
     * Passes a value that is allowed.
     *
     * @throws IllegalArgumentException if it is not; the message has name, value and what is allowed
     */
    public static void require(boolean isAllowed, String name, Object value, String allowed) {
        if (!isAllowed) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed: " + allowed);
        }
    }
}
