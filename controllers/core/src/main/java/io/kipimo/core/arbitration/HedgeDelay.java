package io.kipimo.core.arbitration;

import io.kipimo.core.tails.LatencySketch;

/**
 * Computes the time that a request waits for its first server before a copy goes to another one. It is the time within
 * which the quickest other server gives all but its slowest responses. So the requests of a slow server are copied
 * early, which a quantile of all responses, or of its own, would prevent. If more requests are late than may be copied,
 * a request waits for a higher quantile, so that the latest requests get the copies. Mutable, for one owner.
 */
final class HedgeDelay {
    /**
     * Number of responses of all servers between two updates of the servers' quantiles. The first update needs
     * {@link #FIRST_RESPONSES}.
     */
    private static final int RESPONSES_A_GENERATION = 500;

    private static final int FIRST_RESPONSES = 100;

    /** Number of responses of a server below which its quantile stays as it is. */
    private static final int LEAST_RESPONSES = 20;

    private static final long UNKNOWN = Long.MAX_VALUE;

    /** Least part of the requests beyond the configured quantile that are still to be copied. */
    private static final double LEAST_LATE = 0.1;

    /**
     * Part of the allowed share of copies that is aimed at. If all of the share were the target, chance would withhold
     * many copies.
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
     * @param quantile quantile of the response times above which a response is late, 0..1
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

    /** Records that a copy got its response, whether it was the first response or not. */
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

    /** Records that copies of a late request were due, whether they were sent or not. */
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
