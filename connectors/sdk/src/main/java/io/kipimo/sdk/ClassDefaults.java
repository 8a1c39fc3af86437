package io.kipimo.sdk;

/**
 * What a service does with one query class on its own account, whatever it is told.
 *
 * @param safeFraction admitted without a valid decision, in [floor, ceiling]
 * @param floor least admitted fraction, in (0, 1]; a lower decision is cut to it
 * @param ceiling greatest admitted fraction, in [floor, 1]
 */
public record ClassDefaults(double safeFraction, double floor, double ceiling) {
    /** Admits everything, whatever it is told: the class that is protected. */
    public static final ClassDefaults ALL = new ClassDefaults(1, 1, 1);

    /**
     * Admits everything without a decision, and anything from {@code floor} on with one.
     *
     * @throws IllegalArgumentException if {@code floor} is not within (0, 1]
     */
    public static ClassDefaults sheddable(double floor) {
        return new ClassDefaults(1, floor, 1);
    }

    /**
     * @throws IllegalArgumentException if a fraction is outside of its range
     */
    public ClassDefaults {
        if (!(floor > 0 && floor <= safeFraction && safeFraction <= ceiling && ceiling <= 1)) {
            throw new IllegalArgumentException(
                    "floor is "
                            + floor
                            + ", safe fraction "
                            + safeFraction
                            + ", ceiling "
                            + ceiling
                            + "; allowed: 0 < floor <= safe fraction <= ceiling <= 1");
        }
    }
}
