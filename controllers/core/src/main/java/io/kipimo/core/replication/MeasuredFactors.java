package io.kipimo.core.replication;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.policy.TrialPolicy;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * Measurements under one vector of factors. The sketches of a value are never changed.
 *
 * <p>The target's error is computed from batches (sectioning; Asmussen and Glynn, Stochastic Simulation, 2007, sec.
 * III.5): from the spread of the batches' targets around the target of all latencies together. Batches are long enough
 * to be nearly independent. Single latencies are not independent, so formulas for independent samples would give far
 * too narrow intervals.
 *
 * @param requestLatency latencies of requests in all windows, one sketch a tier
 * @param copyLatency latencies of single copies in all windows, one sketch a tier
 * @param open tier-1 latencies of the unfinished batch
 * @param openMillis length of the unfinished batch so far
 * @param batches number of full batches
 * @param sum sum of the targets of full batches, microseconds
 * @param squares sum of the squares of these targets
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

    /** Variability w of each tier. */
    List<Double> variability(TargetMetric target) {
        return requestLatency.stream().map(target::variability).toList();
    }

    /** Variance of the target metric, from the spread of its values in batches around its value over all of them. */
    private double targetVariance(double all) {
        double spread = squares - 2 * all * sum + batches * all * all;
        return Math.max(0, spread) / (batches - 1) / batches;
    }

    /**
     * Difference of the target from a baseline's, with Welch's interval.
     *
     * @param confidence confidence of each bound of the interval
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

    /**
     * Difference of the target from a baseline's, where batches are too few for Welch's interval. The interval comes
     * from the ranks of single latencies, as if these were independent.
     */
    Difference byRanks(MeasuredFactors baseline, TargetMetric target, double deviations) {
        LatencySketch mine = requestLatency.get(0);
        LatencySketch others = baseline.requestLatency.get(0);
        return new Difference(
                target.micros(mine) - target.micros(others),
                target.atLeastMicros(mine, deviations) - target.atLeastMicros(others, -deviations),
                target.atLeastMicros(mine, -deviations) - target.atLeastMicros(others, deviations));
    }

    /** A difference and its interval, in microseconds; each bound holds with the requested confidence. */
    record Difference(double micros, double lowMicros, double highMicros) {}
}
