package io.kipimo.schemas.tails;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Required;
import io.kipimo.schemas.field.Size;
import io.kipimo.schemas.field.WithBuilder;
import java.util.Optional;

/**
 * Tail statistics and capacity of one server, component, tier or service over one window; topic {@code tails}.
 * Identity: level, service, tier, component, server, kind, end. Windows can be merged: counts and sketches are added.
 *
 * @param tier empty at level SERVICE
 * @param component empty above level COMPONENT, and at level ARBITER
 * @param server empty above level SERVER, and at level ARBITER
 * @param servers number of servers that reported; at level ARBITER, number of arbiters
 * @param counts sums over the window
 * @param requestsPerSecond arrivals per second of the window
 * @param connectionsPerSecond connections per second of the window
 * @param requestsPerConnection arrivals / connections; empty without connections
 * @param concurrency mean number of requests in service: the number's time integral / length of the window
 * @param utilisation busy core time / core time, 0..1; empty if no server reported its cores
 * @param timedOutShare requests given up after a time-out, as a share of arrivals, 0..1; capped at 1, as requests that
 *     arrived in earlier windows count, too
 * @param failedShare requests answered with an error, as a share of arrivals, 0..1; capped at 1 for this reason, too
 * @param latency statistics of latencies; empty if no request was completed
 * @param demand estimate of the Baseline estimator; empty if no request was completed, or cores are unknown
 * @param capacity processing capacity; empty where the demand is empty, and at levels SERVICE and ARBITER: tiers work
 *     one after the other, so their capacities cannot be added
 * @param tokens use of tokens; empty without arbitration by tokens, and at levels SERVICE and ARBITER
 * @param latencies sketch of the window's latencies, as {@code LatencySketch.toBytes}; empty if no request was
 *     completed
 */
@WithBuilder
public record TailWindow(
        TailLevel level,
        TailWindowKind kind,
        @Name String service,
        @Name(mayBeEmpty = true) String tier,
        @Name(mayBeEmpty = true) String component,
        @Name(mayBeEmpty = true) String server,
        @Range(least = 1, most = Range.LATEST_MILLIS) long startMillis,
        @Range(most = Range.LATEST_MILLIS + 1) long endMillis,
        int servers,
        @Required TrafficCounts counts,
        @Range(most = 1e18) double requestsPerSecond,
        @Range(most = 1e18) double connectionsPerSecond,
        @Range(most = 1e18) Optional<Double> requestsPerConnection,
        @Range(most = 1e18) double concurrency,
        @Range(most = 1) Optional<Double> utilisation,
        @Range(most = 1) double timedOutShare,
        @Range(most = 1) double failedShare,
        Optional<LatencyStatistics> latency,
        Optional<Demand> demand,
        Optional<ProcessingCapacity> capacity,
        Optional<TokenUse> tokens,
        @Size(most = ServerObservation.MOST_SKETCH_BYTES) byte[] latencies) {

    /** The names that are set of service, tier, component and server, with {@code /} between them. */
    public String scope() {
        return switch (level) {
            case SERVICE -> service;
            case TIER, ARBITER -> service + '/' + tier;
            case COMPONENT -> service + '/' + tier + '/' + component;
            case SERVER -> service + '/' + tier + '/' + component + '/' + server;
        };
    }
}
