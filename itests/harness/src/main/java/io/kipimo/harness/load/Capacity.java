package io.kipimo.harness.load;

import java.util.List;

/**
 * How much the service can take.
 *
 * @param perSecond the highest rate at which few enough answers are degraded, queries per second
 * @param steps what was tried, rates rising
 */
public record Capacity(double perSecond, List<Step> steps) {

    /**
     * One rate that was tried.
     *
     * @param perSecond queries per second, mean
     * @param degradedShare of the answers, 0..1
     */
    public record Step(
            double perSecond, double degradedShare, double p50Millis, double p99Millis) {}

    /** Share of degraded answers at a low rate above which the machine is of no use, 0..1. */
    private static final double USELESS = 0.5;

    /**
     * Where the degraded share passes {@code limit} for good, between the two rates around that
     * point on a straight line; the highest rate of all if it never does. A single bad step below
     * is taken for a hiccup. The limit counts from the share at the lowest two rates, as some
     * answers are degraded without any load.
     *
     * @param steps at least one
     * @param limit of the degraded share, above that without load, 0..1
     * @throws IllegalStateException if half of the answers are degraded without load
     */
    static Capacity of(List<Step> steps, double limit) {
        double unloaded =
                steps.stream().limit(2).mapToDouble(Step::degradedShare).min().orElseThrow();
        if (unloaded > USELESS) {
            throw new IllegalStateException(
                    unloaded
                            + " of the answers are degraded at the lowest rate; the machine is too"
                            + " busy or the deadline too short: "
                            + steps);
        }
        int last = steps.size() - 1;
        while (steps.get(last).degradedShare > unloaded + limit) {
            last--;
        }
        Step good = steps.get(last);
        if (last == steps.size() - 1) {
            return new Capacity(good.perSecond, List.copyOf(steps));
        }
        Step bad = steps.get(last + 1);
        double part =
                (unloaded + limit - good.degradedShare) / (bad.degradedShare - good.degradedShare);
        return new Capacity(
                good.perSecond + part * (bad.perSecond - good.perSecond), List.copyOf(steps));
    }
}
