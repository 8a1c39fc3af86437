package io.kipimo.core.tails;

/**
 * Lengths of windows, milliseconds. All ends are multiples of the length since the epoch.
 *
 * @param tumblingMillis whole seconds, at most {@link #MOST_SECONDS}
 * @param stepMillis time between the ends of sliding windows; a multiple of the tumbling window
 * @param slidingMillis a multiple of the step, at most {@link #MOST_STEPS} of them
 */
public record TailSpans(long tumblingMillis, long stepMillis, long slidingMillis) {
    /** Limit of the seconds in a tumbling window, because the seen seconds of a window are the bits of a long. */
    public static final int MOST_SECONDS = 60;

    /** Limit of the steps in a sliding window. All of them are kept, and are merged at the end of each step. */
    public static final int MOST_STEPS = 60;

    public TailSpans {
        if (tumblingMillis < 1000 || tumblingMillis > MOST_SECONDS * 1000L || tumblingMillis % 1000 != 0) {
            throw new IllegalArgumentException(
                    "tumbling window is " + tumblingMillis + " ms; allowed: whole seconds, 1.." + MOST_SECONDS);
        }
        if (stepMillis < tumblingMillis || stepMillis % tumblingMillis != 0) {
            throw new IllegalArgumentException(
                    "step of the sliding window is %s ms; allowed: a multiple of the tumbling window, %s"
                            .formatted(stepMillis, tumblingMillis));
        }
        if (slidingMillis < stepMillis || slidingMillis % stepMillis != 0 || slidingMillis / stepMillis > MOST_STEPS) {
            throw new IllegalArgumentException("sliding window is %s ms; allowed: 1..%s steps of %s"
                    .formatted(slidingMillis, MOST_STEPS, stepMillis));
        }
    }

    long paneStart(long atMillis) {
        return Math.floorDiv(atMillis, tumblingMillis) * tumblingMillis;
    }

    long stepStart(long atMillis) {
        return Math.floorDiv(atMillis, stepMillis) * stepMillis;
    }
}
