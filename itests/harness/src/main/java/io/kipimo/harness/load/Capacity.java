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

    /**
     * Where the degraded share passes {@code limit} for good, between the two rates around that
     * point on a straight line; the highest rate of all if it never does. A single bad step below
     * is taken for a hiccup.
     *
     * @param limit of the degraded share, 0..1
     * @throws IllegalStateException if no step stays within the limit
     */
    static Capacity of(List<Step> steps, double limit) {
        int last = steps.size() - 1;
        while (last >= 0 && steps.get(last).degradedShare > limit) {
            last--;
        }
        if (last < 0) {
            throw new IllegalStateException(
                    "more than "
                            + limit
                            + " of the answers are degraded at every rate; the machine is too busy"
                            + " or the deadline too short: "
                            + steps);
        }
        Step good = steps.get(last);
        if (last == steps.size() - 1) {
            return new Capacity(good.perSecond, List.copyOf(steps));
        }
        Step bad = steps.get(last + 1);
        double part = (limit - good.degradedShare) / (bad.degradedShare - good.degradedShare);
        return new Capacity(
                good.perSecond + part * (bad.perSecond - good.perSecond), List.copyOf(steps));
    }
}
