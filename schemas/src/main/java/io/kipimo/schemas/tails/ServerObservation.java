package io.kipimo.schemas.tails;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Required;
import io.kipimo.schemas.field.Size;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;

/**
 * Counts and latencies of one server in one second, unsampled; topic {@code server-observations}. Identity: service,
 * tier, component, server, vantage, second.
 *
 * @param component component of which the server is a replica; for an arbiter, the component behind it
 * @param server name of the server, unique within its component
 * @param secondMillis start of the second, epoch milliseconds
 * @param counts counts of the second; if the server started or stopped within it, coreMicros, tokenMicros and
 *     observedMicros cover less than a second
 * @param latencies latencies of the second's completions, microseconds from arrival to departure, as
 *     {@code LatencySketch.toBytes}; empty: no completions
 * @param stays arrival and departure of every request that departed within the second, for estimators that need single
 *     requests; servers send stays for some consecutive seconds from time to time; empty: not sent
 */
@WithBuilder
public record ServerObservation(
        @Name String service,
        @Name String tier,
        @Name String component,
        @Name String server,
        Vantage vantage,
        @Range(least = 1, most = Range.LATEST_MILLIS) long secondMillis,
        @Required TrafficCounts counts,
        @Size(most = ServerObservation.MOST_SKETCH_BYTES) byte[] latencies,

        @Initializer(source = List.class, value = "of") @Size(most = ServerObservation.MOST_STAYS)
        List<Stay> stays) {
    /** Greatest number of stays in one second. */
    public static final int MOST_STAYS = 10_000;

    /** Greatest size of a sketch in bytes; one with all bins in use is smaller. */
    public static final int MOST_SKETCH_BYTES = 1 << 16;

    /**
     * Greatest value of a count: the time integral of a million requests in service for a second, in microseconds. The
     * sum of many such seconds still fits a long.
     */
    public static final long MOST_IN_A_SECOND = 1_000_000_000_000L;

    /** Last millisecond of the second. By then, all its events have happened. */
    public long endMillis() {
        return secondMillis + 999;
    }
}
