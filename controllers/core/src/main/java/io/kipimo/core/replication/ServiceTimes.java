package io.kipimo.core.replication;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Measured service times, without waiting; Phi of Zoolander's table 1. */
public final class ServiceTimes {
    /** Fewest times that can show that slow ones come in runs. */
    private static final int FEWEST_FOR_RUNS = 100;

    /** Standard errors that the correlation of successive times must exceed to be one. */
    private static final double SIGNIFICANT = 5;

    private final double[] measured;
    private final double[] ascending;
    private final double meanMillis;
    private final double coefficientOfVariation;
    private final boolean comeInRuns;

    private ServiceTimes(double[] measured) {
        this.measured = measured;
        this.ascending = measured.clone();
        Arrays.sort(ascending);
        this.meanMillis = Arrays.stream(measured).sum() / measured.length;
        double squares = 0;
        double successive = 0;
        double before = 0;
        for (double time : measured) {
            double off = time - meanMillis;
            squares += off * off;
            successive += off * before;
            before = off;
        }
        this.coefficientOfVariation = meanMillis == 0 ? 0 : Math.sqrt(squares / measured.length) / meanMillis;
        this.comeInRuns = measured.length >= FEWEST_FOR_RUNS
                && successive > SIGNIFICANT / Math.sqrt(measured.length) * squares
                && !isSorted();
    }

    /**
     * The empirical distribution of measured service times.
     *
     * @param millis at least one, each finite and 0 or more, in the order of measurement; copied
     * @throws IllegalArgumentException naming the first that is not
     */
    public static ServiceTimes measured(double... millis) {
        if (millis.length == 0) {
            throw new IllegalArgumentException("service times are none; allowed: at least one");
        }
        for (double time : millis) {
            if (!(time >= 0 && Double.isFinite(time))) {
                throw new IllegalArgumentException("service time is " + time + " ms; allowed: finite, >= 0");
            }
        }
        return new ServiceTimes(millis.clone());
    }

    /** Phi(bound): the share of service times at or under it, 0..1; never decreasing. */
    public double shareAtMost(double boundMillis) {
        return shareAtMost(boundMillis, 0, ascending.length);
    }

    /** Searches between two places. */
    private double shareAtMost(double boundMillis, int least, int most) {
        int from = least;
        int to = most;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (ascending[middle] <= boundMillis) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return (double) from / ascending.length;
    }

    /** mu of Zoolander's table 1, milliseconds. */
    public double meanMillis() {
        return meanMillis;
    }

    /** Cv, standard deviation / mean. */
    public double coefficientOfVariation() {
        return coefficientOfVariation;
    }

    /**
     * Whether a slow time follows a slow one more often than by chance, as when a server stalls for several requests.
     * Sorted times have lost their order, so they show no runs.
     */
    public boolean comeInRuns() {
        return comeInRuns;
    }

    /** A place among the times, to read on from. */
    int somewhere(RandomGenerator random) {
        return random.nextInt(measured.length);
    }

    /** The time at a place; after the last comes the first. */
    double at(int place) {
        return measured[place % measured.length];
    }

    /** Phi for bounds up to the greatest one, for many calls. */
    Lookup upTo(double greatestMillis) {
        return new Lookup(greatestMillis);
    }

    /** Knows where to begin to search in each of equal intervals of the bound. */
    final class Lookup {
        private static final int CELLS = 8_192;

        private final double cellMillis;
        private final int[] below = new int[CELLS + 2];

        private Lookup(double greatestMillis) {
            cellMillis = greatestMillis / CELLS;
            int index = 0;
            for (int cell = 0; cell < below.length; cell++) {
                while (index < ascending.length && ascending[index] <= cell * cellMillis) {
                    index++;
                }
                below[cell] = index;
            }
        }

        /** @param boundMillis 0..greatest */
        double shareAtMost(double boundMillis) {
            int cell = Math.min(CELLS, (int) (boundMillis / cellMillis));
            return ServiceTimes.this.shareAtMost(boundMillis, below[Math.max(0, cell - 1)], below[cell + 1]);
        }
    }

    private boolean isSorted() {
        return Arrays.equals(measured, ascending) || Arrays.equals(reversed(measured), ascending);
    }

    private static double[] reversed(double[] values) {
        double[] reversed = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            reversed[i] = values[values.length - 1 - i];
        }
        return reversed;
    }
}
