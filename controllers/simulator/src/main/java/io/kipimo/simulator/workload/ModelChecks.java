package io.kipimo.simulator.workload;

/** Checks ranges of a model's figures; NaN is always refused. */
public final class ModelChecks {
    private ModelChecks() {}

    /** Refuses a value that is not finite or below the least. */
    public static void atLeast(String field, double value, double least) {
        if (!(value >= least && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(field + " is " + value + "; allowed: at least " + least);
        }
    }

    /** Refuses a value that is not finite or not above the bound. */
    public static void above(String field, double value, double bound) {
        if (!(value > bound && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(field + " is " + value + "; allowed: above " + bound);
        }
    }

    /** Refuses a value outside of 0..1. */
    public static void fraction(String field, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(field + " is " + value + "; allowed: 0..1");
        }
    }
}
