package io.kipimo.core.replication;

import java.util.Arrays;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/** The distribution of measured service times, which do not include waiting: Phi of Zoolander's table 1. */
public final class ServiceTimes {
    /** Least number of times that can show that slow times come in runs, or that one time is an outlier. */
    private static final int FEWEST = 100;

    /** Successive times count as correlated if their correlation exceeds this many standard errors. */
    private static final double SIGNIFICANT = 5;

    /** Least number of blocks in the samples; fewer could not show how much blocks differ. */
    private static final int BLOCKS = 5;

    /**
     * Length of a block, as a multiple of the lag up to which times are correlated. The longer the blocks, the fewer
     * runs of slow times they cut in two.
     */
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

    /** Length of a block of times, far longer than a run of slow times; 0 if slow times do not come in runs. */
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
     * Savage's scores: the expected values of exponential times with the same ranks, minus their mean. So slow times
     * count more than fast ones, and an outlier counts by its rank alone. Equal times have equal scores.
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

    /** Correlation at a lag, of numbers whose mean is 0; 0 if all are equal. */
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
     * @throws IllegalArgumentException naming the first time that is not allowed, or if there is none
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

    /** Phi(bound): the share of service times at or under the bound, 0..1; it never decreases as the bound rises. */
    public double shareAtMost(double boundMillis) {
        return (double) placesBelow(boundMillis, 0, ascending.length) / ascending.length;
    }

    /** Number of times at or under a bound; it must be between {@code least} and {@code most}. */
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

    /** Mean service time in milliseconds, mu of Zoolander's table 1. */
    public double meanMillis() {
        return meanMillis;
    }

    /** Coefficient of variation Cv: standard deviation / mean. */
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
     * The longest time minus the mean, as a share of all service time, 0..1. It shows how much a single sample matters.
     * 0 for fewer than 100 times, where each one matters.
     */
    public double shareOfLongest() {
        return meanMillis == 0 || measured.length < FEWEST
                ? 0
                : (longestMillis() - meanMillis) / (meanMillis * measured.length);
    }

    /** The longest service time, milliseconds. */
    public double longestMillis() {
        return ascending[ascending.length - 1];
    }

    /** Number of times to read in their order before continuing at another place; 1 if the order means nothing. */
    int readingLength() {
        return Math.max(1, Math.min(measured.length, BLOCKS * blockLength));
    }

    /**
     * Draws other samples of the same length and with similar runs, from blocks of these times (moving block
     * bootstrap).
     */
    ServiceTimes resampled(RandomGenerator random) {
        double[] others = new double[measured.length];
        int from = 0;
        for (int i = 0; i < others.length; i++) {
            from = i % blockLength == 0 ? somewhere(random) : from + 1;
            others[i] = at(from);
        }
        return new ServiceTimes(others, OptionalInt.of(blockLength));
    }

    /** A random place among the times, to read on from. */
    int somewhere(RandomGenerator random) {
        return random.nextInt(measured.length);
    }

    /** The time at a place; after the last comes the first. */
    double at(int place) {
        return measured[place % measured.length];
    }

    /** Prepares many calls of Phi for bounds up to the greatest one. */
    Lookup upTo(double greatestMillis) {
        return new Lookup(greatestMillis);
    }

    /** Speeds up {@link ServiceTimes#shareAtMost}: knows where to search in each of equal intervals of the bound. */
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
