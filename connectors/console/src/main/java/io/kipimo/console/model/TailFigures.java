package io.kipimo.console.model;

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
import java.util.function.ToDoubleFunction;

/**
 * The newest tumbling windows of one service's tiers, components and servers, and the newest comparisons of servers'
 * answers.
 */
final class TailFigures {
    private static final int MAXIMUM_SCOPES = 12_000;

    /** Limit of servers that are listed, over all components; the slowest come first. */
    private static final int MAXIMUM_LISTED = 480;

    /** Number of missing windows after which a scope counts as gone. */
    private static final int MISSED_WINDOWS = 3;

    private final Map<String, WindowFigures> scopes = new HashMap<>();
    private final Newest<ReplicaTruth> truths = new Newest<>(ReplicaTruth::endMillis);
    private long newestEndMillis;
    private long windowMillis;

    /**
     * Figures of a window; NaN if unknown.
     *
     * @param load arrivals over capacity
     */
    record WindowFigures(
            TailLevel level,
            String tier,
            String component,
            String server,
            long endMillis,
            int servers,
            double requestsPerSecond,
            double utilisation,
            double load,
            double demandMicros,
            double timedOutShare,
            double failedShare,
            double p50Micros,
            double p95Micros,
            double p99Micros,
            double p999Micros) {

        static WindowFigures of(TailWindow w) {
            return new WindowFigures(
                    w.level(),
                    w.tier(),
                    w.component(),
                    w.server(),
                    w.endMillis(),
                    w.servers(),
                    w.requestsPerSecond(),
                    w.utilisation().orElse(Double.NaN),
                    w.capacity().map(ProcessingCapacity::load).orElse(Double.NaN),
                    w.demand().map(Demand::meanMicros).orElse(Double.NaN),
                    w.timedOutShare(),
                    w.failedShare(),
                    latency(w, LatencyStatistics::p50Micros),
                    latency(w, LatencyStatistics::p95Micros),
                    latency(w, LatencyStatistics::p99Micros),
                    latency(w, LatencyStatistics::p999Micros));
        }

        private static double latency(TailWindow w, ToDoubleFunction<LatencyStatistics> figure) {
            return w.latency().isEmpty()
                    ? Double.NaN
                    : figure.applyAsDouble(w.latency().get());
        }
    }

    /** A component with its servers in order of names; only the slowest if there are many. */
    record Component(WindowFigures figures, List<WindowFigures> servers) {}

    /** A tier with its components in order of names. */
    record TierFigures(WindowFigures figures, List<Component> components) {}

    void add(ReplicaTruth truth) {
        truths.add(truth.component() + '/' + truth.reporter(), truth);
    }

    /** The newest of each component and reporter. */
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
        Comparator<WindowFigures> byName = Comparator.comparing(WindowFigures::tier)
                .thenComparing(WindowFigures::component)
                .thenComparing(WindowFigures::server);
        List<WindowFigures> all = scopes.values().stream().sorted(byName).toList();
        long componentCount =
                all.stream().filter(f -> f.level() == TailLevel.COMPONENT).count();
        int listed = (int) (MAXIMUM_LISTED / Math.max(1, componentCount));
        List<TierFigures> tiers = new ArrayList<>();
        for (WindowFigures tier : all) {
            if (tier.level() != TailLevel.TIER) {
                continue;
            }
            List<Component> components = new ArrayList<>();
            for (WindowFigures component : all) {
                if (component.level() == TailLevel.COMPONENT && component.tier().equals(tier.tier())) {
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
                .filter(f -> f.level() == TailLevel.SERVER
                        && f.tier().equals(component.tier())
                        && f.component().equals(component.component()))
                .toList();
        if (servers.size() <= most) {
            return servers;
        }
        // An idle server has no percentile, and is not slow.
        Comparator<WindowFigures> slowestFirst =
                Comparator.comparingDouble(f -> Double.isNaN(f.p99Micros()) ? 0 : -f.p99Micros());
        return servers.stream().sorted(slowestFirst).limit(most).sorted(byName).toList();
    }
}
