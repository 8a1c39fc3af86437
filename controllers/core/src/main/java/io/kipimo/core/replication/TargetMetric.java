package io.kipimo.core.replication;

import io.kipimo.core.guard.Bounds;
import io.kipimo.core.tails.LatencySketch;

/** The target R^T, a figure of tier-1 latency that replication minimises (sPARE, sec. V-B). */
public enum TargetMetric {
    MEAN(0.95),
    P95(0.95),
    P99(0.99);

    private final double quantile;

    TargetMetric(double quantile) {
        this.quantile = quantile;
    }

    public double micros(LatencySketch latencies) {
        return this == MEAN ? latencies.meanMicros() : latencies.quantileMicros(quantile);
    }

    /**
     * Variability w: the percentile of interest divided by the mean; for the target mean it is the 95th percentile; 1
     * without latencies.
     */
    public double variability(LatencySketch latencies) {
        double mean = latencies.meanMicros();
        return mean == 0 ? 1 : latencies.quantileMicros(quantile) / mean;
    }

    /** The percentile as a share; for the mean, the percentile that its variability uses. */
    double quantile() {
        return quantile;
    }

    /**
     * Lower confidence bound of the figure. For a percentile it comes from the ranks around it, for the mean from its
     * standard error.
     *
     * @param deviations standard normal quantile of the confidence; below 0: the upper bound
     */
    double atLeastMicros(LatencySketch latencies, double deviations) {
        double count = latencies.count();
        if (count == 0) {
            return 0;
        }
        if (this == MEAN) {
            double error = latencies.coefficientOfVariation() / Math.sqrt(count);
            return latencies.meanMicros() * Math.max(0, 1 - deviations * error);
        }
        double error = Math.sqrt(quantile * (1 - quantile) / count);
        return latencies.quantileMicros(Bounds.clamp(quantile - deviations * error, 0, 1));
    }

    /**
     * Standard deviations by which the figure is above a bound; 0 if it just reaches the bound, and without latencies.
     */
    double deviationsAbove(LatencySketch latencies, double boundMicros) {
        double count = latencies.count();
        if (count == 0) {
            return 0;
        }
        if (this == MEAN) {
            double error = latencies.meanMicros() * latencies.coefficientOfVariation() / Math.sqrt(count);
            return (latencies.meanMicros() - boundMicros) / Math.max(1, error);
        }
        double late = 1 - latencies.shareAtMost(boundMicros);
        return (late - (1 - quantile)) / Math.sqrt(quantile * (1 - quantile) / count);
    }
}
