package io.kipimo.bench.steering;

import io.kipimo.examples.search.workload.QueryMix;
import java.util.Arrays;
import java.util.List;

/**
 * A load that changes after a third of the run, and returns to its first state after two thirds.
 *
 * @param mix of three phases
 * @param lowLoads of the low class by phase, as a share of the capacity
 */
record Moment(QueryMix mix, List<Double> lowLoads) {
    /** Number of consecutive slices whose mean is compared. A phase of a full run has four. */
    private static final int TOGETHER = 2;

    private static final double TOLERANCE = 0.005;
    private static final double OPEN = 0.9;

    /**
     * Number of slices from the change until the high class keeps its objective; infinite: not before the change back.
     */
    double slicesToReturn(double[] highBySlice, double objective) {
        int third = highBySlice.length / 3;
        return first(highBySlice, third, 2 * third, objective - TOLERANCE);
    }

    /**
     * Number of slices from the change back until nine tenths of the low class's queries get good answers; infinite:
     * never.
     */
    double slicesToOpen(double[] goodBySlice, double capacityPerSecond) {
        int third = goodBySlice.length / 3;
        return first(goodBySlice, 2 * third, goodBySlice.length, OPEN * lowLoads.get(2) * capacityPerSecond);
    }

    private static double first(double[] values, int from, int until, double least) {
        for (int at = from; at + TOGETHER <= until; at++) {
            if (Arrays.stream(values, at, at + TOGETHER).average().orElseThrow() >= least) {
                return at - from;
            }
        }
        return Double.POSITIVE_INFINITY;
    }
}
