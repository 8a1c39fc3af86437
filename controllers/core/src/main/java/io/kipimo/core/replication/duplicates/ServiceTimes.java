package io.kipimo.core.replication.duplicates;

import io.kipimo.core.tails.LatencySketch;
import java.util.Arrays;

/** Distribution of service times, without waiting; Phi of Zoolander's table 1. */
public interface ServiceTimes {
    /** Phi(bound): the share of service times at or under it, 0..1; never decreasing. */
    double shareAtMost(double boundMillis);

    /** mu of Zoolander's table 1, milliseconds. */
    double meanMillis();

    /** Cv, standard deviation / mean. */
    double coefficientOfVariation();

    /**
     * The empirical distribution of measured service times.
     *
     * @param millis at least one, each finite and 0 or more; copied
     * @throws IllegalArgumentException naming the first that is not
     */
    static ServiceTimes measured(double... millis) {
        if (millis.length == 0) {
            throw new IllegalArgumentException("service times are none; allowed: at least one");
        }
        double sum = 0;
        for (double time : millis) {
            if (!(time >= 0 && Double.isFinite(time))) {
                throw new IllegalArgumentException(
                        "service time is " + time + " ms; allowed: finite, >= 0");
            }
            sum += time;
        }
        double mean = sum / millis.length;
        double squares = 0;
        for (double time : millis) {
            squares += (time - mean) * (time - mean);
        }
        double[] ascending = millis.clone();
        Arrays.sort(ascending);
        return new Measured(
                ascending, mean, mean == 0 ? 0 : Math.sqrt(squares / millis.length) / mean);
    }

    /**
     * The distribution in a sketch, which must not change. Phi has the error that 1 % of the bound
     * causes.
     *
     * @throws IllegalArgumentException if the sketch is empty
     */
    static ServiceTimes sketched(LatencySketch latencies) {
        if (latencies.isEmpty()) {
            throw new IllegalArgumentException("service times are none; allowed: at least one");
        }
        return new Sketched(latencies);
    }

    /** Sorted samples. */
    record Measured(double[] ascending, double meanMillis, double coefficientOfVariation)
            implements ServiceTimes {
        @Override
        public double shareAtMost(double boundMillis) {
            int from = 0;
            int to = ascending.length;
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
    }

    /** A latency sketch, read in milliseconds. */
    record Sketched(LatencySketch latencies) implements ServiceTimes {
        private static final double MICROS_PER_MILLI = 1e3;

        @Override
        public double shareAtMost(double boundMillis) {
            return latencies.shareAtMost(boundMillis * MICROS_PER_MILLI);
        }

        @Override
        public double meanMillis() {
            return latencies.meanMicros() / MICROS_PER_MILLI;
        }

        @Override
        public double coefficientOfVariation() {
            return latencies.coefficientOfVariation();
        }
    }
}
