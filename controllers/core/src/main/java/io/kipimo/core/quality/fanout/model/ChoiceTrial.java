package io.kipimo.core.quality.fanout.model;

import io.kipimo.schemas.deadline.FanOutFloor;
import io.kipimo.schemas.quality.Estimate;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;

/**
 * Sums up effort and true quality of the choices that would have been made at several floors of quality. Earlier
 * queries fade, so the sums describe recent ones. Mutable, for one thread.
 *
 * <p>Effort is a share of the work of all queries together, not a mean over the queries. Queries with rare terms ask
 * few components and cost little anyway, so they save little work.
 */
final class ChoiceTrial {
    private static final double[] FLOORS = {0.98, 0.95, 0.93, 0.9, 0.85, 0.8, 0.7, 0.5};

    /** Fewest recent queries for a result. */
    private static final double LEAST_QUERIES = 200;

    private static final double NORMAL_95 = 1.96;

    /** Tolerance of comparisons, because shares are sums of fractions. */
    private static final double ROUNDING = 1e-9;

    private static final int EFFORT = 0;
    private static final int QUALITY = 1;
    private static final int SQUARE = 2;
    private static final int BELOW_HALF = 3;

    /** The four sums of each floor. */
    private final double[][] sums = new double[FLOORS.length][BELOW_HALF + 1];

    private double weight;

    /** Sum of the work of asking all components. */
    private double fullWork;

    /**
     * Adds one query. The choice at a floor has the first components of {@code order}: as few as are expected to keep
     * the floor, but at least one.
     *
     * @param expected share of the full answer that each component is expected to have
     * @param corrected quality to expect if the asked components have this expected share
     * @param shares true shares, whose sum is 1
     * @param work of each component for this query, above 0; 1 is the whole work of a usual query
     * @param fade factor of the weight of all earlier queries, 0..1
     */
    void add(
            int[] order,
            double[] expected,
            DoubleUnaryOperator corrected,
            double[] shares,
            double[] work,
            double fade) {
        weight = weight * fade + 1;
        fullWork = fullWork * fade + DoubleStream.of(work).sum();
        double share = 0;
        double quality = 0;
        double effort = 0;
        int count = 0;
        // Falling floors need ever fewer components, so they are judged from the last to the first.
        for (int floor = FLOORS.length - 1; floor >= 0; floor--) {
            while (count < order.length && (count == 0 || corrected.applyAsDouble(share) < FLOORS[floor] - ROUNDING)) {
                share += expected[order[count]];
                quality += shares[order[count]];
                effort += work[order[count]];
                count++;
            }
            double kept = Math.min(1, quality);
            double[] sum = sums[floor];
            sum[EFFORT] = sum[EFFORT] * fade + effort;
            sum[QUALITY] = sum[QUALITY] * fade + kept;
            sum[SQUARE] = sum[SQUARE] * fade + kept * kept;
            sum[BELOW_HALF] = sum[BELOW_HALF] * fade + (kept < 0.5 - ROUNDING ? 1 : 0);
        }
    }

    /** Effort and quality at each floor, by descending floor; empty if there were not enough queries. */
    List<FanOutFloor> floors() {
        if (weight < LEAST_QUERIES) {
            return List.of();
        }
        List<FanOutFloor> floors = new ArrayList<>(FLOORS.length);
        for (int floor = 0; floor < FLOORS.length; floor++) {
            double[] sum = sums[floor];
            double mean = unit(sum[QUALITY] / weight);
            double variance = Math.max(0, sum[SQUARE] / weight - mean * mean);
            double half = NORMAL_95 * Math.sqrt(variance / weight);
            floors.add(new FanOutFloor(
                    FLOORS[floor],
                    unit(sum[EFFORT] / fullWork),
                    new Estimate(unit(mean - half), mean, unit(mean + half)),
                    unit(sum[BELOW_HALF] / weight)));
        }
        return floors;
    }

    private static double unit(double value) {
        return Math.max(0, Math.min(1, value));
    }

    void write(DataOutput out) throws IOException {
        out.writeDouble(weight);
        for (double[] sum : sums) {
            Doubles.write(sum, out);
        }
    }

    void writeWork(DataOutput out) throws IOException {
        out.writeDouble(fullWork);
    }

    /** Reads what {@link #write} wrote. Unless {@link #readWork} follows, each query counts with the work 1. */
    void read(DataInput in) throws IOException {
        weight = in.readDouble();
        fullWork = weight;
        for (double[] sum : sums) {
            Doubles.read(sum, in);
        }
    }

    void readWork(DataInput in) throws IOException {
        fullWork = in.readDouble();
    }
}
