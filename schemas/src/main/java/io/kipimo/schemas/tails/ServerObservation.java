package io.kipimo.schemas.tails;

import java.util.List;

/**
 * One second of one server, unsampled; topic {@code server-observations}. Identity: service, tier,
 * component, server, vantage, second.
 *
 * @param component that the server is a replica of; of an arbiter, that it stands in front of
 * @param server unique within its component
 * @param secondMillis start of the second, epoch milliseconds
 * @param counts of the second; coreMicros, tokenMicros and observedMicros are less than a second's
 *     where the server began or ended within it
 * @param latencies of the second's completions: {@code LatencySketch.toBytes}, microseconds from
 *     arrival to departure; empty: nothing was completed
 * @param stays every request that departed within the second, for estimators that need single ones,
 *     epoch microseconds; servers send them now and then, for some seconds in a row; empty: not in
 *     this one
 */
public record ServerObservation(
        String service,
        String tier,
        String component,
        String server,
        Vantage vantage,
        long secondMillis,
        TrafficCounts counts,
        byte[] latencies,
        List<Stay> stays) {
    /** Most stays of one second. */
    public static final int MOST_STAYS = 10_000;

    /** Most bytes of a sketch; with bins that are all taken it has fewer. */
    public static final int MOST_SKETCH_BYTES = 1 << 16;

    /** Last millisecond of the second: when everything in it has happened. */
    public long endMillis() {
        return secondMillis + 999;
    }
}
