package io.kipimo.core.rating.search;

/** Technique for choosing the loads. */
public enum Technique {
    /** Golden section on (T/r^2, T) after the climb (algorithm 2): exact, many experiments. */
    GOLDEN,
    /** Bisection on (T/r, T) after the climb (algorithm 3): fewer, may miss the peak. */
    APPROXIMATE,
    /** Our technique: few experiments, a requested accuracy, and valid under noise. */
    ADAPTIVE
}
