package io.kipimo.core.guard;

/** Limits a value to a range. */
public final class Bounds {
    private Bounds() {}

    /** {@code value} within the bounds, with -0 made 0. */
    public static double clamp(double value, double floor, double ceiling) {
        return Math.max(floor, Math.min(ceiling, value)) + 0.0;
    }
}
