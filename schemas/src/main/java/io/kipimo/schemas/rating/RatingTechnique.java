package io.kipimo.schemas.rating;

/** Algorithm that chooses the loads to try. */
public enum RatingTechnique {
    /** Golden section on (T/r^2, T) after the climb (algorithm 2): exact, many experiments. */
    GOLDEN,
    /** Bisection on (T/r, T) after the climb (algorithm 3): fewer, may miss the peak. */
    APPROXIMATE,
    /** Our technique: few experiments, a requested accuracy, and valid under noise. */
    ADAPTIVE,
    /** Every load from the lowest to the first that fails, as a baseline. */
    SWEEP,
    /** Only read: the load is the percentage of real traffic that one server got. */
    SQUEEZE
}
