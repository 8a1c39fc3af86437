package io.kipimo.sdk;

/**
 * Bounds of the admitted fraction of one query class. The service sets them, and no decision can exceed them.
 *
 * @param safeFraction admitted fraction without a valid decision, in [floor, ceiling]
 * @param floor least admitted fraction, in (0, 1]; lower decisions are raised to it
 * @param ceiling greatest admitted fraction, in [floor, 1]
 */
public record ClassDefaults(double safeFraction, double floor, double ceiling) {
    /** Bounds for the protected class: everything is admitted, whatever a decision says. */
    public static final ClassDefaults ALL = new ClassDefaults(1, 1, 1);

    /**
     * Bounds that admit everything without a decision, and at least {@code floor} with one.
     *
     * @throws IllegalArgumentException if {@code floor} is not within (0, 1]
     */
    public static ClassDefaults sheddable(double floor) {
        return new ClassDefaults(1, floor, 1);
    }

    /** @throws IllegalArgumentException if a fraction is outside of its range */
    public ClassDefaults {
        if (!(floor > 0 && floor <= safeFraction && safeFraction <= ceiling && ceiling <= 1)) {
            throw new IllegalArgumentException(
                    "floor is %s, safe fraction %s, ceiling %s; allowed: 0 < floor <= safe fraction <= ceiling <= 1"
                            .formatted(floor, safeFraction, ceiling));
        }
    }
}
