package io.kipimo.console.model;

import io.kipimo.core.tails.TailScope;
import io.kipimo.schemas.tails.Demand;
import io.kipimo.schemas.tails.LatencyStatistics;
import io.kipimo.schemas.tails.ProcessingCapacity;
import io.kipimo.schemas.tails.ReplicaTruth;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The newest tumbling windows of one service's tiers, components and servers, and the newest comparisons of servers'
 * answers.
 */
final class TailFigures {
    private static final int MAXIMUM_SCOPES = 12_000;

    /** Limit of the servers that are listed over all components together. Each component lists its slowest ones. */
    private static final int MAXIMUM_LISTED = 480;

    /** Number of windows that a scope may miss before it counts as gone. */
    private static final int MISSED_WINDOWS = 3;

    private final Map<String, WindowFigures> scopes = new HashMap<>();
    private final Newest<ReplicaTruth> truths = new Newest<>(ReplicaTruth::endMillis);
    private long newestEndMillis;
    private long windowMillis;

    /** Percentiles of latencies in milliseconds; NaN if unknown. */
    record TailMillis(double p50, double p95, double p99, double p999) {
        static TailMillis of(Optional<LatencyStatistics> latency) {
            return latency.map(l -> new TailMillis(
                            l.p50Micros() / 1000, l.p95Micros() / 1000, l.p99Micros() / 1000, l.p999Micros() / 1000))
                    .orElse(new TailMillis(Double.NaN, Double.NaN, Double.NaN, Double.NaN));
        }
    }

    /**
     * Figures of a tumbling window; NaN if unknown.
     *
     * @param load arrivals over capacity
     */
    record WindowFigures(
            TailScope scope,
            long endMillis,
            int servers,
            double requestsPerSecond,
            double utilisation,
            double load,
            double demandMillis,
            double timedOutShare,
            double failedShare,
            TailMillis latency) {

        static WindowFigures of(TailWindow w) {
            return new WindowFigures(
                    new TailScope(w.level(), w.service(), w.tier(), w.component(), w.server()),
                    w.endMillis(),
                    w.servers(),
                    w.requestsPerSecond(),
                    w.utilisation().orElse(Double.NaN),
                    w.capacity().map(ProcessingCapacity::load).orElse(Double.NaN),
                    w.demand().map(Demand::meanMicros).orElse(Double.NaN) / 1000,
                    w.timedOutShare(),
                    w.failedShare(),
                    TailMillis.of(w.latency()));
        }
    }

    /** A component with its servers in order of names. If there are many servers, only the slowest are here. */
    record Component(WindowFigures figures, List<WindowFigures> servers) {}

    /** A tier with its components in order of names. */
    record TierFigures(WindowFigures figures, List<Component> components) {}

    void add(ReplicaTruth truth) {
        truths.add(truth.component() + '/' + truth.reporter(), truth);
    }

    /** The newest comparison by each reporter for each component. */
    Collection<ReplicaTruth> truths() {
        return truths.all();
    }

    void add(TailWindow window) {
        if (window.level() == TailLevel.SERVICE || window.level() == TailLevel.ARBITER) {
            return;
        }
        if (window.endMillis() > newestEndMillis) {
            newestEndMillis = window.endMillis();
            windowMillis = window.endMillis() - window.startMillis();
            scopes.values().removeIf(f -> !isCurrent(f));
        }
        String scope = window.scope();
        WindowFigures known = scopes.get(scope);
        if (known == null ? scopes.size() < MAXIMUM_SCOPES : isNewer(window, known)) {
            scopes.put(scope, WindowFigures.of(window));
        }
    }

    private static boolean isNewer(TailWindow window, WindowFigures known) {
        return window.endMillis() >= known.endMillis();
    }

    private boolean isCurrent(WindowFigures figures) {
        return figures.endMillis() >= newestEndMillis - MISSED_WINDOWS * windowMillis;
    }

    /** End of the newest window, epoch milliseconds; empty: none. */
    Optional<Long> endMillis() {
        return scopes.isEmpty() ? Optional.empty() : Optional.of(newestEndMillis);
    }

    long windowMillis() {
        return windowMillis;
    }

    /** Tiers in order of names. */
    List<TierFigures> tiers() {
        Comparator<WindowFigures> byName = Comparator.comparing(
                        (WindowFigures f) -> f.scope().tier())
                .thenComparing(f -> f.scope().component())
                .thenComparing(f -> f.scope().server());
        List<WindowFigures> all = scopes.values().stream().sorted(byName).toList();
        long componentCount = all.stream()
                .filter(f -> f.scope().level() == TailLevel.COMPONENT)
                .count();
        int listed = (int) (MAXIMUM_LISTED / Math.max(1, componentCount));
        List<TierFigures> tiers = new ArrayList<>();
        for (WindowFigures tier : all) {
            if (tier.scope().level() != TailLevel.TIER) {
                continue;
            }
            List<Component> components = new ArrayList<>();
            for (WindowFigures component : all) {
                TailScope scope = component.scope();
                if (scope.level() == TailLevel.COMPONENT
                        && scope.tier().equals(tier.scope().tier())) {
                    components.add(new Component(component, slowest(all, component, listed, byName)));
                }
            }
            tiers.add(new TierFigures(tier, components));
        }
        return tiers;
    }

    private static List<WindowFigures> slowest(
            List<WindowFigures> all, WindowFigures component, int most, Comparator<WindowFigures> byName) {
        List<WindowFigures> servers = all.stream()
                .filter(f -> f.scope().level() == TailLevel.SERVER
                        && f.scope().tier().equals(component.scope().tier())
                        && f.scope().component().equals(component.scope().component()))
                .toList();
        if (servers.size() <= most) {
            return servers;
        }
        // An idle server has no percentile, and is not slow.
        Comparator<WindowFigures> slowestFirst = Comparator.comparingDouble(
                f -> Double.isNaN(f.latency().p99()) ? 0 : -f.latency().p99());
        return servers.stream().sorted(slowestFirst).limit(most).sorted(byName).toList();
    }
}
