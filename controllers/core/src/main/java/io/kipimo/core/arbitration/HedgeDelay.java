package io.kipimo.core.arbitration;

import io.kipimo.core.tails.LatencySketch;

/**
 * How long a request waits for its first server before a copy goes to another one: as long as the quickest other server
 * takes for all but its slowest responses. So the requests of a slow server are copied early, which a quantile of all
 * responses, or of its own, would prevent. If more requests are late than may be copied, it waits for a higher
 * quantile, so that the latest get the copies. Mutable, for one owner.
 */
final class HedgeDelay {
    /** Responses of all servers between two updates of their quantiles, and before the first. */
    private static final int RESPONSES_A_GENERATION = 500;

    private static final int FIRST_RESPONSES = 100;

    /** Responses of a server below which its quantile stays as it is. */
    private static final int LEAST_RESPONSES = 20;

    private static final long UNKNOWN = Long.MAX_VALUE;

    /** A tenth of the requests that the quantile calls late are enough to be copied. */
    private static final double LEAST_LATE = 0.1;

    /**
     * Part of the copies' share that is the target. With all of it as the target, chance would withhold many copies.
     */
    private static final double AIM = 0.8;

    private final double mostLate;
    private final double share;
    private final long capMicros;
    private final LatencySketch[] responses;
    private final long[] quantiles;
    private int generation = FIRST_RESPONSES;
    private int responded;
    private int due;

    /** Share of a server's responses that are late. */
    private double late;

    /**
     * @param quantile of the responses above which they are late, 0..1
     * @param share most copies, as a share of the requests
     */
    HedgeDelay(int servers, double quantile, double share, long capMicros) {
        this.mostLate = 1 - quantile;
        this.late = mostLate;
        this.share = share;
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
        responses[server].record(micros);
        if (++responded < generation) {
            return;
        }
        double wanted = (double) due / responded;
        late = Math.max(LEAST_LATE * mostLate, Math.min(mostLate, late * AIM * share / wanted));
        generation = RESPONSES_A_GENERATION;
        responded = 0;
        due = 0;
        for (int i = 0; i < quantiles.length; i++) {
            if (responses[i].count() >= LEAST_RESPONSES) {
                quantiles[i] = (long) responses[i].quantileMicros(1 - late);
            }
            responses[i] = new LatencySketch();
        }
    }

    /** Copies of a late request were due, sent or not. */
    void due(int copies) {
        due += copies;
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
