package io.kipimo.core.replication;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.policy.TrialPolicy;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * Measurements under one vector of factors. The sketches of a value are never changed.
 *
 * <p>The target's error comes from batches (sectioning; Asmussen and Glynn, Stochastic Simulation, 2007, sec. III.5):
 * the target of all latencies together, and the spread of the targets of batches around it. Batches are long enough to
 * be nearly independent. Single latencies are not, so formulas for independent samples would give far too narrow
 * intervals.
 *
 * @param requestLatency latencies of requests in all windows, one sketch a tier
 * @param copyLatency latencies of single copies, likewise
 * @param open tier-1 latencies of the unfinished batch
 * @param openMillis its length so far
 * @param batches number of full batches
 * @param sum of their targets, microseconds
 * @param squares sum of the squares of their targets
 * @param millis length of all windows
 */
record MeasuredFactors(
        List<LatencySketch> requestLatency,
        List<LatencySketch> copyLatency,
        LatencySketch open,
        long openMillis,
        int batches,
        double sum,
        double squares,
        long millis) {
    static final MeasuredFactors NOTHING =
            new MeasuredFactors(List.of(), List.of(), new LatencySketch(), 0, 0, 0, 0, 0);

    MeasuredFactors with(ReplicationReading window, TargetMetric target, TrialPolicy rules) {
        List<LatencySketch> requests = new ArrayList<>();
        List<LatencySketch> copies = new ArrayList<>();
        for (int i = 0; i < window.tiers().size(); i++) {
            TierReading tier = window.tiers().get(i);
            requests.add(
                    requestLatency.isEmpty()
                            ? tier.requestLatency()
                            : requestLatency.get(i).plus(tier.requestLatency()));
            copies.add(
                    copyLatency.isEmpty()
                            ? tier.copyLatency()
                            : copyLatency.get(i).plus(tier.copyLatency()));
        }
        long windowMillis = window.endMillis() - window.startMillis();
        LatencySketch batch = open.plus(window.tiers().get(0).requestLatency());
        long batchMillis = openMillis + windowMillis;
        if (batchMillis < rules.batchMillis() || batch.count() < rules.batchRequests()) {
            return new MeasuredFactors(
                    List.copyOf(requests),
                    List.copyOf(copies),
                    batch,
                    batchMillis,
                    batches,
                    sum,
                    squares,
                    millis + windowMillis);
        }
        double value = target.micros(batch);
        return new MeasuredFactors(
                List.copyOf(requests),
                List.copyOf(copies),
                new LatencySketch(),
                0,
                batches + 1,
                sum + value,
                squares + value * value,
                millis + windowMillis);
    }

    long requests() {
        return requestLatency.isEmpty() ? 0 : requestLatency.get(0).count();
    }

    boolean isEnough(TrialPolicy rules) {
        return requests() >= rules.minimumRequests()
                && batches >= rules.minimumBatches()
                && millis >= rules.minimumMillis();
    }

    /** Whether this is exact enough to compare trials with. */
    boolean isBaseline(TargetMetric target, TrialPolicy rules) {
        double all = targetMicros(target);
        return isEnough(rules)
                && (millis >= rules.maximumMillis() || Math.sqrt(targetVariance(all)) <= rules.baselineError() * all);
    }

    double targetMicros(TargetMetric target) {
        return requestLatency.isEmpty() ? 0 : target.micros(requestLatency.get(0));
    }

    /** w, one a tier. */
    List<Double> variability(TargetMetric target) {
        return requestLatency.stream().map(target::variability).toList();
    }

    /** Variance of the target, from the spread of the batches around it. */
    private double targetVariance(double all) {
        double spread = squares - 2 * all * sum + batches * all * all;
        return Math.max(0, spread) / (batches - 1) / batches;
    }

    /**
     * Difference of the target from a baseline's, with Welch's interval.
     *
     * @param confidence of each bound
     */
    Difference over(MeasuredFactors baseline, TargetMetric target, double confidence) {
        double mine = targetMicros(target);
        double others = baseline.targetMicros(target);
        double myVariance = targetVariance(mine);
        double othersVariance = baseline.targetVariance(others);
        double variance = myVariance + othersVariance;
        if (variance == 0) {
            return new Difference(mine - others, mine - others, mine - others);
        }
        double freedom = variance
                * variance
                / (myVariance * myVariance / (batches - 1) + othersVariance * othersVariance / (baseline.batches - 1));
        double width = new TDistribution(null, Math.max(1, freedom)).inverseCumulativeProbability(confidence)
                * Math.sqrt(variance);
        return new Difference(mine - others, mine - others - width, mine - others + width);
    }

    /** As above, where batches are too few: by the ranks of single latencies, as if these were independent. */
    Difference byRanks(MeasuredFactors baseline, TargetMetric target, double deviations) {
        LatencySketch mine = requestLatency.get(0);
        LatencySketch others = baseline.requestLatency.get(0);
        return new Difference(
                target.micros(mine) - target.micros(others),
                target.atLeastMicros(mine, deviations) - target.atLeastMicros(others, -deviations),
                target.atLeastMicros(mine, -deviations) - target.atLeastMicros(others, deviations));
    }

    /** Microseconds; each bound holds with the requested confidence. */
    record Difference(double micros, double lowMicros, double highMicros) {}
}
