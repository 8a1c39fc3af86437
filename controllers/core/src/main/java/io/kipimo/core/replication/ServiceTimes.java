package io.kipimo.core.replication;

import java.util.Arrays;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/** Measured service times, without waiting; Phi of Zoolander's table 1. */
public final class ServiceTimes {
    /** Fewest times that can show that slow ones come in runs, or that one is an outlier. */
    private static final int FEWEST = 100;

    /** Standard errors that the correlation of successive times must exceed to be one. */
    private static final double SIGNIFICANT = 5;

    /** Fewest blocks of the samples: few cannot show how much they differ. */
    private static final int BLOCKS = 5;

    /** Lags up to which times are correlated, in a block; a block cuts a run in two at its ends only. */
    private static final int LAGS_IN_A_BLOCK = 6;

    private final double[] measured;
    private final double[] ascending;
    private final double meanMillis;
    private final double coefficientOfVariation;
    private final int blockLength;

    private ServiceTimes(double[] measured, OptionalInt knownBlockLength) {
        this.measured = measured;
        this.ascending = measured.clone();
        Arrays.sort(ascending);
        this.meanMillis = Arrays.stream(measured).sum() / measured.length;
        double squares = 0;
        for (double time : measured) {
            squares += (time - meanMillis) * (time - meanMillis);
        }
        this.coefficientOfVariation = meanMillis == 0 ? 0 : Math.sqrt(squares / measured.length) / meanMillis;
        this.blockLength = knownBlockLength.orElseGet(this::blockOfManyRuns);
    }

    /** Far more than a run of slow times, if they come in runs; otherwise 0. */
    private int blockOfManyRuns() {
        int count = measured.length;
        if (count < FEWEST || isSorted()) {
            return 0;
        }
        double[] scores = scores();
        double significant = SIGNIFICANT / Math.sqrt(count);
        int lag = 1;
        while (lag <= count / BLOCKS && correlation(scores, lag) > significant) {
            lag *= 2;
        }
        return lag == 1 ? 0 : Math.min(count / BLOCKS, LAGS_IN_A_BLOCK * lag);
    }

    /**
     * What exponential times of the same order would be, less their mean (Savage's scores). So the slow count more than
     * the fast, and one outlier no more than its place. Equal times have equal scores.
     */
    private double[] scores() {
        double[] above = new double[ascending.length + 1];
        double score = 0;
        for (int i = 0; i < ascending.length; i++) {
            score += 1.0 / (ascending.length - i);
            above[i + 1] = above[i] + score - 1;
        }
        double[] scores = new double[measured.length];
        for (int i = 0; i < scores.length; i++) {
            int from = placesBelow(Math.nextDown(measured[i]), 0, ascending.length);
            int to = placesBelow(measured[i], from, ascending.length);
            scores[i] = (above[to] - above[from]) / (to - from);
        }
        return scores;
    }

    /** Of numbers whose mean is 0; 0 if all are equal. */
    private static double correlation(double[] numbers, int lag) {
        double squares = 0;
        double products = 0;
        for (int i = 0; i < numbers.length; i++) {
            squares += numbers[i] * numbers[i];
            products += i < lag ? 0 : numbers[i] * numbers[i - lag];
        }
        return squares == 0 ? 0 : products / squares;
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
        return new ServiceTimes(millis.clone(), OptionalInt.empty());
    }

    /** Phi(bound): the share of service times at or under it, 0..1; never decreasing. */
    public double shareAtMost(double boundMillis) {
        return (double) placesBelow(boundMillis, 0, ascending.length) / ascending.length;
    }

    /** Times at or under a bound; searches between two places. */
    private int placesBelow(double boundMillis, int least, int most) {
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
        return from;
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
        return blockLength > 0;
    }

    /**
     * The share of all service time that the longest one takes beyond the mean, 0..1: what one sample can turn. 0 if
     * there are so few that each one counts.
     */
    public double shareOfLongest() {
        return meanMillis == 0 || measured.length < FEWEST
                ? 0
                : (longestMillis() - meanMillis) / (meanMillis * measured.length);
    }

    /** The longest, milliseconds. */
    public double longestMillis() {
        return ascending[ascending.length - 1];
    }

    /** Times to read in their order before going somewhere else; 1 if the order means nothing. */
    int readingLength() {
        return Math.max(1, Math.min(measured.length, BLOCKS * blockLength));
    }

    /** Other samples of the same length and with the same runs, from blocks of these (moving block bootstrap). */
    ServiceTimes resampled(RandomGenerator random) {
        double[] others = new double[measured.length];
        int from = 0;
        for (int i = 0; i < others.length; i++) {
            from = i % blockLength == 0 ? somewhere(random) : from + 1;
            others[i] = at(from);
        }
        return new ServiceTimes(others, OptionalInt.of(blockLength));
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
            return (double) placesBelow(boundMillis, below[Math.max(0, cell - 1)], below[cell + 1]) / ascending.length;
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
