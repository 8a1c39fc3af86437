package io.kipimo.core.rating.search;

/** How the loads to try are chosen. */
public enum Technique {
    /** Golden section on (T/r^2, T) after the climb (algorithm 2): exact, many experiments. */
    GOLDEN,
    /** Bisection on (T/r, T) after the climb (algorithm 3): fewer, may miss the peak. */
    APPROXIMATE,
    /** Ours: few experiments, as accurate as asked for, sound under noise. */
    ADAPTIVE
}
