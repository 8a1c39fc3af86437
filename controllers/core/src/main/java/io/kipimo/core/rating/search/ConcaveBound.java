package io.kipimo.core.rating.search;

import io.kipimo.core.rating.ExperimentReading;
import java.util.List;

/**
 * Upper bound of throughput at the loads between two neighbouring readings. Throughput is assumed
 * to be a concave function of the load that is 0 at load 0 (the paper's assumption 1, sec. 2.1), so
 * between readings it lies below the secants from the left and from the right.
 *
 * @param below the load below the gap; 0 for the one before the first reading
 * @param above the load above it
 * @param load load in the gap with the highest bound
 * @param throughput the bound
 */
record ConcaveBound(long below, long above, long load, double throughput) {

    /**
     * The gap with the highest bound, among gaps below the first failing load; null if no gap has
     * an untried load.
     *
     * @param readings one for each load, lowest load first
     */
    static ConcaveBound highest(List<ExperimentReading> readings) {
        ConcaveBound highest = null;
        for (int gap = 0; gap < readings.size(); gap++) {
            if (gap > 0 && !readings.get(gap - 1).passed()) {
                break;
            }
            ConcaveBound bound = of(readings, gap);
            if (bound != null && (highest == null || bound.throughput > highest.throughput)) {
                highest = bound;
            }
        }
        return highest;
    }

    /** Bound of the gap before reading number {@code gap}; null if there is no load in it. */
    private static ConcaveBound of(List<ExperimentReading> readings, int gap) {
        long below = load(readings, gap - 1);
        long above = load(readings, gap);
        if (above - below < 2) {
            return null;
        }
        long first = below + 1;
        long last = above - 1;
        long crossing = first;
        if (gap > 0 && gap + 1 < readings.size()) {
            double left = slope(readings, gap - 2);
            double right = slope(readings, gap);
            double offset =
                    (throughput(readings, gap) - right * above)
                            - (throughput(readings, gap - 1) - left * below);
            double x = offset / (left - right);
            // NaN if both secants are the same line; then every load in the gap is suitable.
            crossing = Math.max(first, Math.min(last, (long) Math.floor(x)));
        }
        ConcaveBound highest = null;
        for (long load : new long[] {first, crossing, Math.min(last, crossing + 1), last}) {
            double bound = Math.min(fromLeft(readings, gap, load), fromRight(readings, gap, load));
            if (highest == null || bound > highest.throughput) {
                highest = new ConcaveBound(below, above, load, bound);
            }
        }
        return highest;
    }

    private static double fromLeft(List<ExperimentReading> readings, int gap, long load) {
        if (gap == 0) {
            return Double.POSITIVE_INFINITY;
        }
        return throughput(readings, gap - 1)
                + slope(readings, gap - 2) * (load - load(readings, gap - 1));
    }

    private static double fromRight(List<ExperimentReading> readings, int gap, long load) {
        if (gap + 1 >= readings.size()) {
            return Double.POSITIVE_INFINITY;
        }
        return throughput(readings, gap) + slope(readings, gap) * (load - load(readings, gap));
    }

    /** Slope of the secant from reading {@code i} to the next. */
    private static double slope(List<ExperimentReading> readings, int i) {
        return (throughput(readings, i + 1) - throughput(readings, i))
                / (load(readings, i + 1) - load(readings, i));
    }

    private static long load(List<ExperimentReading> readings, int i) {
        return i < 0 ? 0 : readings.get(i).load();
    }

    private static double throughput(List<ExperimentReading> readings, int i) {
        return i < 0 ? 0 : readings.get(i).throughput();
    }
}
