package io.kipimo.core.rating;

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
        require(load >= 1, "load", load, "1 or more");
        require(millis >= 1, "millis", millis, "1 or more");
        require(throughput >= 0 && Double.isFinite(throughput), "throughput", throughput, "finite, 0 or more");
        require(utilisation >= 0 && utilisation <= 1, "utilisation", utilisation, "0..1");
        require(mixError >= 0 && mixError <= 1, "mixError", mixError, "0..1");
    }

    private static void require(boolean allowed, String field, Object value, String range) {
        if (!allowed) {
            throw new IllegalArgumentException(field + " is " + value + "; allowed: " + range);
        }
    }
}
