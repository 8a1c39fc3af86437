package io.kipimo.core.rating;

import io.kipimo.core.guard.Bounds;

/**
 * Behaviour of the target under a load for some time.
 *
 * @param throughput requests a second, 0 or more
 * @param utilisation utilisation of the busiest resource, 0..1
 * @param mixError largest difference between the share of a kind of request that was issued and the share that the
 *     workload specifies, 0..1
 */
public record Probe(long load, long millis, double throughput, double utilisation, double mixError) {
    public Probe {
        Bounds.require(load >= 1, "load", load, "1 or more");
        Bounds.require(millis >= 1, "millis", millis, "1 or more");
        Bounds.require(throughput >= 0 && Double.isFinite(throughput), "throughput", throughput, "finite, 0 or more");
        Bounds.require(utilisation >= 0 && utilisation <= 1, "utilisation", utilisation, "0..1");
        Bounds.require(mixError >= 0 && mixError <= 1, "mixError", mixError, "0..1");
    }
}
