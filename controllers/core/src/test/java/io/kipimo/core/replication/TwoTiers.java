package io.kipimo.core.replication;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.core.tails.ServerCapacity;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.TierFactor;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A service of two tiers whose servers are slowed down by neighbours, in windows of 10 s. Each server is slow for 10 s
 * in 50 on average, as in sPARE's interference patterns. Copies go to different servers; a page's queries run one after
 * the other. The mean waiting time is that of shared cores.
 */
final class TwoTiers {
    static final long WINDOW_MILLIS = 10_000;
    static final int[] SERVERS = {6, 8};
    private static final int CORES = 2;
    private static final int QUERIES = 4;
    private static final double[] DEMAND_MICROS = {60_000, 10_000};
    private static final double SLOW_SHARE = 0.2;

    /** Slowdown of a tier's slow servers; 1: no interference. */
    double[] slowdown;

    double pagesPerSecond;

    /** Variability of demands: 1: exponential beyond half of the mean; 0: none. */
    double spread = 1;

    /** Whether all servers are slow at present. */
    boolean allSlow;

    /** Share of a request's variation in demand that all of its copies have in common, 0..1. */
    double common;

    private final SplittableRandom random;
    private final boolean[][] slow = {new boolean[SERVERS[0]], new boolean[SERVERS[1]]};

    TwoTiers(double pagesPerSecond, double[] slowdown, long seed) {
        this.pagesPerSecond = pagesPerSecond;
        this.slowdown = slowdown;
        this.random = new SplittableRandom(seed);
    }

    FeasibleSet feasible(FeasibilityLimits limits) {
        return window(0, Factors.ones(2), 1).feasible(Factors.ones(2), limits);
    }

    ReplicationReading window(long startMillis, Factors factors) {
        return window(startMillis, factors, (int) Math.round(pagesPerSecond * WINDOW_MILLIS / 1000.0));
    }

    private ReplicationReading window(long startMillis, Factors factors, int pages) {
        for (int tier = 0; tier < 2; tier++) {
            for (int server = 0; server < SERVERS[tier]; server++) {
                slow[tier][server] = random.nextDouble() < SLOW_SHARE || allSlow;
            }
        }
        double queriesPerSecond = pagesPerSecond * QUERIES;
        double[] waiting = {
            waiting(0, pagesPerSecond * factors.at(0)), waiting(1, queriesPerSecond * factors.at(0) * factors.at(1))
        };
        LatencySketch[] requests = {new LatencySketch(), new LatencySketch()};
        LatencySketch[] copies = {new LatencySketch(), new LatencySketch()};
        for (int page = 0; page < pages; page++) {
            int first = random.nextInt(SERVERS[0]);
            double fastest = Double.POSITIVE_INFINITY;
            double cost = random.nextExponential();
            for (int copy = 0; copy < factors.at(0); copy++) {
                double took = service(0, (first + copy) % SERVERS[0], waiting[0], cost);
                for (int query = 0; query < QUERIES; query++) {
                    took += query(factors.at(1), waiting[1], requests[1], copies[1]);
                }
                copies[0].record((long) took);
                fastest = Math.min(fastest, took);
            }
            requests[0].record((long) fastest);
        }
        return new ReplicationReading(
                startMillis,
                startMillis + WINDOW_MILLIS,
                List.of(
                        reading(0, pagesPerSecond, requests[0], copies[0]),
                        reading(1, queriesPerSecond * factors.at(0), requests[1], copies[1])));
    }

    private double query(int factor, double waiting, LatencySketch requests, LatencySketch copies) {
        int first = random.nextInt(SERVERS[1]);
        double fastest = Double.POSITIVE_INFINITY;
        double cost = random.nextExponential();
        for (int copy = 0; copy < factor; copy++) {
            double took = service(1, (first + copy) % SERVERS[1], waiting, cost);
            copies.record((long) took);
            fastest = Math.min(fastest, took);
        }
        requests.record((long) fastest);
        return fastest;
    }

    private double service(int tier, int server, double waiting, double cost) {
        double mixed = common * cost + (1 - common) * random.nextExponential();
        double demand = DEMAND_MICROS[tier] * (1 - spread / 2 + spread / 2 * mixed);
        return (demand + waiting * random.nextExponential()) * (slow[tier][server] ? slowdown[tier] : 1);
    }

    private static double waiting(int tier, double copiesPerSecond) {
        double busy = capacity(tier).utilisation(copiesPerSecond);
        return SharedCores.meanDelay(CORES, Math.min(0.99, busy), DEMAND_MICROS[tier]);
    }

    private static ServerCapacity capacity(int tier) {
        return new ServerCapacity(SERVERS[tier], CORES, DEMAND_MICROS[tier]);
    }

    private static TierReading reading(
            int tier, double requestsPerSecond, LatencySketch requests, LatencySketch copies) {
        return new TierReading(
                capacity(tier), 0.5, Optional.empty(), requestsPerSecond, requestsPerSecond, requests, copies);
    }

    static Factors factors(ReplicationDecision decision) {
        return new Factors(decision.tiers().stream().map(TierFactor::factor).toList());
    }
}
