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
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed: " + least + ".." + most);
        }
    }
}
