package io.kipimo.core.arbitration;

import io.kipimo.core.tails.LatencySketch;

/**
 * How long a request waits for its first server before a copy goes to another one: as long as the
 * quickest of the others needs for all but its slowest responses. So the requests of a slow server
 * are copied early, which a quantile of all responses, or of its own, would prevent. Mutable, for
 * one owner.
 */
final class HedgeDelay {
    /** Responses of a server between two updates of its quantile. */
    private static final int RESPONSES_A_GENERATION = 500;

    private static final long UNKNOWN = Long.MAX_VALUE;

    private final double quantile;
    private final long capMicros;
    private final LatencySketch[] responses;
    private final long[] quantiles;

    HedgeDelay(int servers, double quantile, long capMicros) {
        this.quantile = quantile;
        this.capMicros = capMicros;
        responses = new LatencySketch[servers];
        quantiles = new long[servers];
        for (int server = 0; server < servers; server++) {
            responses[server] = new LatencySketch();
            quantiles[server] = UNKNOWN;
        }
    }

    /** A copy got its response, first or not. */
    void responded(int server, long micros) {
        LatencySketch newest = responses[server];
        newest.record(micros);
        if (newest.count() == RESPONSES_A_GENERATION) {
            quantiles[server] = (long) newest.quantileMicros(quantile);
            responses[server] = new LatencySketch();
        }
    }

    /**
     * The delay of a request.
     *
     * @param asked server of its first copy; -1: none so far
     */
    long micros(int asked) {
        long least = UNKNOWN;
        for (int server = 0; server < quantiles.length; server++) {
            // Of a single server, its own.
            if (server != asked || quantiles.length == 1) {
                least = Math.min(least, quantiles[server]);
            }
        }
        return Math.min(least, capMicros);
    }
}
