package io.kipimo.schemas.tails;

import io.kipimo.schemas.field.Range;

/**
 * The CPU time that requests need (sPARE, sec. V-A1).
 *
 * @param requests number of requests, each measured from arrival to departure
 * @param meanMicros T, core-microseconds per request; 0 without requests
 * @param coefficientOfVariation standard deviation / mean; 0: unknown
 */
public record Demand(
        @Range(least = 1, most = TrafficCounts.MOST) long requests,
        @Range(most = 1e18) double meanMicros,
        @Range(most = 1e18) double coefficientOfVariation) {
    /** No measurements. */
    public static final Demand NONE = new Demand(0, 0, 0);

    /** mu = 1/T, requests per second and core. */
    public double perCoreSecond() {
        if (!(meanMicros > 0)) {
            throw new IllegalStateException("mean demand is " + meanMicros + " us: no rate");
        }
        return 1e6 / meanMicros;
    }
}
