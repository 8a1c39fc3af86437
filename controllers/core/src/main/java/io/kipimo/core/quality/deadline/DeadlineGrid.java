package io.kipimo.core.quality.deadline;

import java.util.Arrays;

/**
 * The deadlines at which curves have points: a quarter of a millisecond to ten days, in steps of factor 2^(1/4). They
 * are fixed for all services, so that panes can be added.
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

    /** Index of the first deadline by which a result of this latency has arrived. */
    static int indexOf(double latencyMillis) {
        int found = Arrays.binarySearch(MILLIS, latencyMillis);
        return Math.min(MILLIS.length - 1, found >= 0 ? found : -found - 1);
    }
}
