package io.kipimo.core.replication;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.core.tails.ServerCapacity;
import io.kipimo.core.tails.TokenCapacity;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.tails.Demand;
import io.kipimo.schemas.tails.ProcessingCapacity;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Combines the windows of a service's tiers into a {@link ReplicationReading}. A reading needs two windows of each tier
 * with the same end: one of its servers (single copies) and one of its arbiters (requests, before they are copied).
 * Windows arrive one by one, and not always in order.
 */
final class TierWindows {
    /** Limit of the different ends of windows that wait for other windows; beyond it the oldest end is dropped. */
    private static final int MOST_ENDS = 4;

    private TierWindows() {}

    /** Whether a window is part of a reading. */
    static boolean isWanted(TailWindow window, List<ReplicatedTier> tiers) {
        return window.kind() == TailWindowKind.TUMBLING
                && (window.level() == TailLevel.TIER || window.level() == TailLevel.ARBITER)
                && window.endMillis() > window.startMillis()
                && tiers.stream().anyMatch(tier -> tier.name().equals(window.tier()));
    }

    /**
     * Adds a window. It replaces a window of the same tier, level and end. If there are more than {@value #MOST_ENDS}
     * different ends, the windows with the oldest ends are dropped.
     */
    static List<TailWindow> with(List<TailWindow> pending, TailWindow window) {
        List<TailWindow> more = new ArrayList<>();
        pending.stream()
                .filter(other -> other.endMillis() != window.endMillis()
                        || other.level() != window.level()
                        || !other.tier().equals(window.tier()))
                .forEach(more::add);
        more.add(window);
        TreeSet<Long> ends = new TreeSet<>();
        more.forEach(w -> ends.add(w.endMillis()));
        while (ends.size() > MOST_ENDS) {
            long oldest = ends.pollFirst();
            more.removeIf(w -> w.endMillis() == oldest);
        }
        return List.copyOf(more);
    }

    /** The waiting windows that end later than {@code endMillis}. */
    static List<TailWindow> after(List<TailWindow> pending, long endMillis) {
        return pending.stream().filter(w -> w.endMillis() > endMillis).toList();
    }

    /** Whether every tier has both of its windows with this end. */
    static boolean isComplete(List<TailWindow> pending, List<ReplicatedTier> tiers, long endMillis) {
        return tiers.stream()
                .allMatch(tier -> find(pending, tier, TailLevel.TIER, endMillis).isPresent()
                        && find(pending, tier, TailLevel.ARBITER, endMillis).isPresent());
    }

    /**
     * The reading whose windows have this end; empty if a tier had too little work to estimate its capacity, or a
     * sketch cannot be read.
     */
    static Optional<ReplicationReading> reading(List<TailWindow> pending, List<ReplicatedTier> tiers, long endMillis) {
        List<TierReading> readings = new ArrayList<>();
        long startMillis = endMillis;
        for (ReplicatedTier tier : tiers) {
            TailWindow copies = find(pending, tier, TailLevel.TIER, endMillis).orElseThrow();
            TailWindow requests =
                    find(pending, tier, TailLevel.ARBITER, endMillis).orElseThrow();
            startMillis = Math.min(startMillis, requests.startMillis());
            Optional<ServerCapacity> capacity = capacity(tier, copies);
            if (capacity.isEmpty()) {
                return Optional.empty();
            }
            try {
                readings.add(new TierReading(
                        capacity.get(),
                        copies.demand().orElse(Demand.NONE).coefficientOfVariation(),
                        tokens(capacity.get().servers(), requests),
                        requests.requestsPerSecond(),
                        requests.connectionsPerSecond(),
                        sketch(requests),
                        sketch(copies)));
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }
        return Optional.of(new ReplicationReading(startMillis, endMillis, readings));
    }

    private static Optional<TailWindow> find(
            List<TailWindow> pending, ReplicatedTier tier, TailLevel level, long endMillis) {
        return pending.stream()
                .filter(w -> w.endMillis() == endMillis
                        && w.level() == level
                        && w.tier().equals(tier.name()))
                .findFirst();
    }

    /** Capacity of a tier's servers. Only servers that report count, even if the policy names a greater number. */
    private static Optional<ServerCapacity> capacity(ReplicatedTier tier, TailWindow copies) {
        double demandMicros = copies.demand().map(Demand::meanMicros).orElse(0.0);
        int servers = tier.servers() == 0 ? copies.servers() : Math.min(tier.servers(), copies.servers());
        double observed = copies.capacity().map(ProcessingCapacity::cores).orElse(0.0) / Math.max(1, copies.servers());
        int cores = tier.cores() == 0 ? (int) Math.round(observed) : tier.cores();
        return demandMicros > 0 && servers > 0 && cores > 0
                ? Optional.of(new ServerCapacity(servers, cores, demandMicros))
                : Optional.empty();
    }

    private static Optional<TokenCapacity> tokens(int servers, TailWindow requests) {
        return requests.tokens()
                .filter(use -> use.holdMicros() > 0)
                .map(use -> new TokenCapacity(
                        servers, (int) Math.max(1, Math.round(use.tokens() / servers)), use.holdMicros()));
    }

    private static LatencySketch sketch(TailWindow window) {
        return window.latencies().length == 0 ? new LatencySketch() : LatencySketch.fromBytes(window.latencies());
    }
}
