package io.kipimo.schemas.rating;

/** Algorithm that chooses the loads to try. */
public enum RatingTechnique {
    /**
     * Golden-section search between T/r^2 and T, where T is the load at which the climb by factor r ended (algorithm
     * 2): exact, but needs many experiments.
     */
    GOLDEN,
    /**
     * Bisection between T/r and T after the climb, with T and r as above (algorithm 3): fewer experiments, but may miss
     * the peak.
     */
    APPROXIMATE,
    /** Kipimo's own technique: few experiments, a requested accuracy, and valid under noise. */
    ADAPTIVE,
    /** Every load from the lowest to the first that fails, as a baseline. */
    SWEEP,
    /**
     * Generates no load. Ratings of this kind are only read: their load is the percentage of real traffic that one
     * server got.
     */
    SQUEEZE
}
