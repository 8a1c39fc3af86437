package io.kipimo.schemas.tails;

import java.util.Optional;

/**
 * Tails and capacity of one server, component, tier or service over one window; topic {@code
 * tails}. Identity: level, service, tier, component, server, kind, end. Windows merge: counts add
 * up, and so do sketches.
 *
 * @param tier empty at level SERVICE
 * @param component empty above level COMPONENT, and at level ARBITER
 * @param server empty above level SERVER, and at level ARBITER
 * @param servers that reported; of level ARBITER, arbiters
 * @param counts sums over the window
 * @param requestsPerSecond arrivals / window
 * @param connectionsPerSecond connections / window
 * @param requestsPerConnection arrivals / connections; empty without connections
 * @param concurrency mean number in service: its time integral / window
 * @param utilisation busy core time / core time, 0..1; empty if no server told its cores
 * @param timedOutShare of arrivals, 0..1; those of earlier windows may push it to 1
 * @param failedShare of arrivals, 0..1, likewise
 * @param latency empty if nothing was completed
 * @param demand by the Baseline estimator; empty if nothing was completed, or cores are unknown
 * @param capacity empty where the demand is, and at levels SERVICE and ARBITER: tiers work one
 *     after the other, so their capacities do not add up
 * @param tokens empty without arbitration by tokens, and at levels SERVICE and ARBITER
 * @param latencies the window's latencies, {@code LatencySketch.toBytes}; empty if nothing was
 *     completed
 */
public record TailWindow(
        TailLevel level,
        TailWindowKind kind,
        String service,
        String tier,
        String component,
        String server,
        long startMillis,
        long endMillis,
        int servers,
        TrafficCounts counts,
        double requestsPerSecond,
        double connectionsPerSecond,
        Optional<Double> requestsPerConnection,
        double concurrency,
        Optional<Double> utilisation,
        double timedOutShare,
        double failedShare,
        Optional<LatencyStatistics> latency,
        Optional<Demand> demand,
        Optional<ProcessingCapacity> capacity,
        Optional<TokenUse> tokens,
        byte[] latencies) {

    /** Service, tier, component and server, as far as they are named, with {@code /} between. */
    public String scope() {
        return switch (level) {
            case SERVICE -> service;
            case TIER, ARBITER -> service + '/' + tier;
            case COMPONENT -> service + '/' + tier + '/' + component;
            case SERVER -> service + '/' + tier + '/' + component + '/' + server;
        };
    }
}
