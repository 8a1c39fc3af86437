package io.kipimo.core.replication;

import io.kipimo.core.tails.LatencySketch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Queue;
import java.util.Set;

/**
 * Predicts tier-1 latency under other factors, before a trial on live traffic. It goes from the last tier to the first:
 *
 * <ul>
 *   <li>A request's latency is that of the fastest of its tier's copies (Zoolander, sec. 4.3).
 *   <li>The latencies of copies depend on what they wait for: on the mean and the variance of the requests that they
 *       send to the next tier, and on the queue at their own servers.
 * </ul>
 *
 * <p>Copies of a request are not independent: they share its work, and an arbiter that prefers fast servers gives the
 * second copy to a slower one. Each trial shows, tier by tier, which share of the gain of independent copies was real;
 * further predictions are reduced to that share.
 *
 * <p>A model must explain the present: if its figure for the factors in force differs from the measured one at some
 * tier, there is no model. This happens when requests wait for tokens, or when copies slow down together. A tier that a
 * trial has taught the model about is exempt.
 */
final class FactorModel {
    /** The model explains a measured latency if its own figure differs from it by at most this share. */
    private static final double EXPLAINED = 0.15;

    /**
     * The model explains a measured share of requests beyond the percentile if its own figure differs by at most this
     * part.
     */
    private static final double EXPLAINED_LATE = 0.5;

    /** Relative error of the predicted target for a tier that a trial has taught the model about. */
    private static final double TAUGHT = 0.05;

    /** Limit of the vectors of factors that {@link #best} evaluates. */
    private static final int MOST_POINTS = 2_000;

    private final MeasuredFactors measured;
    private final FeasibleSet load;
    private final Factors from;
    private final TargetMetric target;
    private final List<Double> trust;
    private final Map<Long, FastestOf> fastest = new HashMap<>();

    private FactorModel(
            MeasuredFactors measured, FeasibleSet load, Factors from, TargetMetric target, List<Double> trust) {
        this.measured = measured;
        this.trust = trust;
        this.load = load;
        this.from = from;
        this.target = target;
    }

    /**
     * The model of the measured latencies; empty if it cannot explain them.
     *
     * @param from factors that were in force
     * @param trust share of the predicted gain that trials confirmed, one a tier, 0..1; empty: 1 for all tiers
     */
    static Optional<FactorModel> of(
            MeasuredFactors measured, FeasibleSet load, Factors from, TargetMetric target, List<Double> trust) {
        FactorModel model = new FactorModel(measured, load, from, target, trust);
        for (int tier = 0; tier < from.tiers(); tier++) {
            LatencySketch copies = measured.copyLatency().get(tier);
            if (copies.isEmpty()
                    || (model.trust(tier) == 1
                            && !explains(
                                    copies,
                                    from.at(tier),
                                    measured.requestLatency().get(tier),
                                    target.quantile()))) {
                return Optional.empty();
            }
        }
        return Optional.of(model);
    }

    /**
     * The trust after a trial. For each tier whose factor changed, it is the measured gain divided by the gain that
     * independent copies would have. The effects of the next tier and of the queues are first subtracted from the
     * measured gain.
     *
     * @param before measurements under the factors before the trial
     */
    static List<Double> taughtBy(
            FactorTrial trial, MeasuredFactors before, FeasibleSet load, TargetMetric target, List<Double> trust) {
        FactorModel model = new FactorModel(before, load, trial.from(), target, trust);
        List<Double> taught = new ArrayList<>();
        for (int tier = 0; tier < trial.to().tiers(); tier++) {
            taught.add(model.taught(trial, tier));
        }
        return List.copyOf(taught);
    }

    private double taught(FactorTrial trial, int tier) {
        Factors to = trial.to();
        LatencySketch copies = measured.copyLatency().get(tier);
        if (to.at(tier) == from.at(tier) || copies.isEmpty()) {
            return trust(tier);
        }
        boolean quantile = tier == 0 && target != TargetMetric.MEAN;
        double predicted = quantile
                ? quantile(copies, to.at(0)) - quantile(copies, from.at(0))
                : fastest(tier, to.at(tier)).meanMicros()
                        - fastest(tier, from.at(tier)).meanMicros();
        if (predicted == 0) {
            return trust(tier);
        }
        LatencySketch before = measured.requestLatency().get(tier);
        LatencySketch after = trial.measured().requestLatency().get(tier);
        double change =
                quantile ? target.micros(after) - target.micros(before) : after.meanMicros() - before.meanMicros();
        double queues = delayMicros(tier, to) - delayMicros(tier, from);
        double below = 0;
        if (tier + 1 < to.tiers()) {
            below = visits(tier + 1)
                    * (trial.measured().requestLatency().get(tier + 1).meanMicros()
                            - measured.requestLatency().get(tier + 1).meanMicros());
        }
        return Math.min(1, Math.max(0, (change - below - queues) / predicted));
    }

    private double trust(int tier) {
        return trust.isEmpty() ? 1 : trust.get(tier);
    }

    /** A figure after a predicted change, where the change is multiplied by the trust in the tier. */
    private double believed(int tier, double now, double then) {
        return now + trust(tier) * (then - now);
    }

    private static boolean explains(LatencySketch copies, int factor, LatencySketch requests, double quantile) {
        double mean = FastestOf.copies(copies, factor).meanMicros();
        double real = requests.quantileMicros(quantile);
        double modelled = FastestOf.quantileMicros(copies, factor, quantile);
        // Next to a gap of the distribution, a small difference moves the percentile across the
        // gap.
        double modelledLate = Math.pow(1 - copies.shareAtMost(real), factor);
        return near(mean, requests.meanMicros(), EXPLAINED)
                && (near(modelled, real, EXPLAINED) || near(modelledLate, 1 - quantile, EXPLAINED_LATE));
    }

    private static boolean near(double modelled, double real, double tolerance) {
        return Math.abs(modelled - real) <= tolerance * real;
    }

    /**
     * Predicted change of the target under other factors, in microseconds; below 0 is better, infinite if a tier is
     * overloaded.
     */
    double changeMicros(Factors to) {
        double meanShift = 0;
        double varianceShift = 0;
        for (int tier = to.tiers() - 1; tier >= 0; tier--) {
            LatencySketch copies = measured.copyLatency().get(tier);
            double mean = copies.meanMicros();
            double deviation = mean * copies.coefficientOfVariation();
            meanShift += delayMicros(tier, to) - delayMicros(tier, from);
            double stretch =
                    deviation == 0 ? 1 : Math.sqrt(Math.max(0, deviation * deviation + varianceShift)) / deviation;
            FastestOf now = fastest(tier, from.at(tier));
            FastestOf then = fastest(tier, to.at(tier));
            double fastestMean = believed(tier, now.meanMicros(), then.meanMicros());
            double thenMean = mean + meanShift + stretch * (fastestMean - mean);
            if (tier == 0) {
                double nowQuantile = quantile(copies, from.at(0));
                double thenQuantile = believed(0, nowQuantile, quantile(copies, to.at(0)));
                return target == TargetMetric.MEAN
                        ? thenMean - now.meanMicros()
                        : mean + meanShift + stretch * (thenQuantile - mean) - nowQuantile;
            }
            double visits = visits(tier);
            meanShift = visits * (thenMean - now.meanMicros());
            double variance = believed(tier, now.variance(), then.variance());
            varianceShift = visits * (stretch * stretch * variance - now.variance());
        }
        throw new IllegalStateException("factors " + to + " have no tier");
    }

    /**
     * The feasible factors with the greatest gain after the cost of their copies; in no tier below the present ones.
     *
     * @param search search whose removed directions are excluded
     * @param worthMicros gain that every further copy must bring
     * @param mostCopies greatest number of copies to add to the present ones
     */
    Factors best(FactorSearch search, double worthMicros, int mostCopies) {
        Factors best = from;
        double bestChange = 0;
        Queue<Factors> open = new ArrayDeque<>();
        Set<Factors> seen = new HashSet<>();
        open.add(from);
        seen.add(from);
        while (!open.isEmpty() && seen.size() < MOST_POINTS) {
            Factors point = open.remove();
            double change = changeMicros(point) + worthMicros * (point.copies() - from.copies());
            if (change < bestChange) {
                bestChange = change;
                best = point;
            }
            for (int tier : search.movedTo(point).directions(load)) {
                Factors next = point.moved(tier, 1);
                if (next.copies() - from.copies() <= mostCopies && seen.add(next)) {
                    open.add(next);
                }
            }
        }
        return best;
    }

    /** Whether one copy less in a tier would worsen the target by more than the model's error. */
    boolean surelyLoses(int tier) {
        double error = trust(tier) == 1 ? EXPLAINED : TAUGHT;
        return changeMicros(from.moved(tier, -1)) > error * measured.targetMicros(target);
    }

    /** The predicted change for the record of a decision; empty if infinite. */
    OptionalDouble prediction(Factors to) {
        double change = changeMicros(to);
        return Double.isFinite(change) ? OptionalDouble.of(change) : OptionalDouble.empty();
    }

    private double quantile(LatencySketch copies, int factor) {
        return FastestOf.quantileMicros(copies, factor, target.quantile());
    }

    private FastestOf fastest(int tier, int factor) {
        return fastest.computeIfAbsent(
                ((long) tier << 32) | factor,
                key -> FastestOf.copies(measured.copyLatency().get(tier), factor));
    }

    /** Requests to a tier per copy of a request at the tier before. */
    private double visits(int tier) {
        double above = load.tiers().get(tier - 1).requestsPerSecond();
        return above == 0 ? 0 : load.tiers().get(tier).requestsPerSecond() / above;
    }

    private double delayMicros(int tier, Factors factors) {
        TierLoad tierLoad = load.tiers().get(tier);
        return SharedCores.meanDelay(
                tierLoad.servers().cores(),
                load.utilisation(tier, factors),
                tierLoad.servers().demandMicros());
    }
}
