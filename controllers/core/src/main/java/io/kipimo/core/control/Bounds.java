package io.kipimo.core.control;

/** Checks of settings. */
public final class Bounds {
    private Bounds() {}

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
