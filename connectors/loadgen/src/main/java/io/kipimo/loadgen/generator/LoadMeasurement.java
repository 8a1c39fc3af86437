package io.kipimo.loadgen.generator;

import io.kipimo.core.rating.ExperimentEvaluator;
import io.kipimo.schemas.rating.ExperimentCounts;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Measurements of one or several generators in an experiment.
 *
 * @param startedAtMillis start of the measured time, epoch milliseconds
 * @param measuredMillis length of the measured time, shorter than requested if stopped
 * @param latencies of answered requests, microseconds from the intended start
 * @param lagMicros delay of requests in the generator, 99th percentile
 * @param ownCpu share of the machine's processors that this process used, 0..1
 * @param bottleneck why the generator limited the load instead of the target; empty: it did not
 * @param stopped whether the experiment ended early
 */
public record LoadMeasurement(
        long startedAtMillis,
        long measuredMillis,
        ExperimentCounts counts,
        Histogram latencies,
        long lagMicros,
        double ownCpu,
        String bottleneck,
        boolean stopped) {

    /**
     * The measurement in the form of a rating.
     *
     * @param prepareMillis time for preparing the target, milliseconds
     */
    public ExperimentEvaluator.Measured asMeasured(long prepareMillis) {
        return new ExperimentEvaluator.Measured(
                startedAtMillis,
                measuredMillis,
                prepareMillis,
                counts,
                latencies.getMean(),
                latencies.getValueAtPercentile(50),
                latencies.getValueAtPercentile(95),
                latencies.getValueAtPercentile(99),
                bottleneck,
                stopped);
    }

    /**
     * Combines the measurements of generators that share a load. Counts and histograms are added. If one generator had
     * a bottleneck, the sum has it.
     *
     * @throws IllegalArgumentException if there is no measurement
     */
    public static LoadMeasurement sum(List<LoadMeasurement> shares) {
        if (shares.isEmpty()) {
            throw new IllegalArgumentException("no shares; allowed: one or more");
        }
        Histogram latencies = new Histogram(Counting.DIGITS);
        latencies.setAutoResize(true);
        ExperimentCounts counts = ExperimentCounts.NONE;
        long startedAt = Long.MAX_VALUE;
        long measured = 0;
        long lag = 0;
        double cpu = 0;
        boolean stopped = false;
        String bottleneck = "";
        for (int i = 0; i < shares.size(); i++) {
            LoadMeasurement share = shares.get(i);
            latencies.add(share.latencies());
            counts = counts.plus(share.counts());
            startedAt = Math.min(startedAt, share.startedAtMillis());
            measured = Math.max(measured, share.measuredMillis());
            lag = Math.max(lag, share.lagMicros());
            cpu = Math.max(cpu, share.ownCpu());
            stopped |= share.stopped();
            if (bottleneck.isEmpty() && !share.bottleneck().isEmpty()) {
                bottleneck =
                        shares.size() == 1 ? share.bottleneck() : "generator " + (i + 1) + ": " + share.bottleneck();
            }
        }
        return new LoadMeasurement(startedAt, measured, counts, latencies, lag, cpu, bottleneck, stopped);
    }
}
