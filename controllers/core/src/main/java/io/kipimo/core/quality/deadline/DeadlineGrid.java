package io.kipimo.core.quality.deadline;

import java.util.Arrays;

/**
 * The deadlines that curves have points at, the same for all services and for ever, so that panes
 * add up: a quarter of a millisecond to ten days, 2^(1/4) apart.
 */
final class DeadlineGrid {
    private static final double LEAST_MILLIS = 0.25;
    private static final double LONGEST_MILLIS = 864_000_000;
    private static final double[] MILLIS = steps();

    private DeadlineGrid() {}

    private static double[] steps() {
        int size = 1;
        while (LEAST_MILLIS * Math.pow(2, (size - 1) / 4.0) < LONGEST_MILLIS) {
            size++;
        }
        double[] steps = new double[size];
        for (int i = 0; i < size; i++) {
            steps[i] = LEAST_MILLIS * Math.pow(2, i / 4.0);
        }
        return steps;
    }

    static int size() {
        return MILLIS.length;
    }

    static double millis(int index) {
        return MILLIS[index];
    }

    /** The first deadline by which something of this latency is in. */
    static int indexOf(double latencyMillis) {
        int found = Arrays.binarySearch(MILLIS, latencyMillis);
        return Math.min(MILLIS.length - 1, found >= 0 ? found : -found - 1);
    }
}
