package io.kipimo.console.model;

import io.kipimo.core.quality.window.ClassEvidence;
import io.kipimo.core.quality.window.WorstQueries;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.quality.ComponentAttribution;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Variants;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** State of one class of one service. */
final class ClassState {
    private static final int MAXIMUM_METRICS = 4;

    /**
     * Limit of the variants that are kept; the one with the oldest window is removed first. A job names at most
     * {@link Variants#MOST} at a time.
     */
    private static final int MAXIMUM_VARIANTS = 2 * Variants.MOST;

    /** Limit of the worst queries that are kept, of the last hour and of each of its six parts. */
    static final int WORST_QUERIES = 20;

    private static final long WORST_MILLIS = 3_600_000;
    private static final QualityHistory NO_HISTORY = new QualityHistory();

    final String name;
    final DecisionLog decisions = new DecisionLog();
    final WorstQueries worst = new WorstQueries(WORST_QUERIES, WORST_MILLIS);

    /** Latencies by component; the least recently used component comes first. */
    final Map<String, RecentLatencies> latencies = new LinkedHashMap<>(16, 0.75f, true);

    /** History by metric, in order of appearance. */
    private final Map<String, QualityHistory> histories = new LinkedHashMap<>();

    /** The newest window of each variant, by name. */
    private final Map<String, QualityWindow> variants = new TreeMap<>();

    /** The first metric of the policy; null if there is no policy. */
    String primaryMetric;

    /** End of the last second in which front ends counted queries, epoch milliseconds; 0: none. */
    long lastQueriesMillis;

    DeadlineCurve curve;
    ErrorBudget budget;

    /** Time since which the error budget has had its current verdict, epoch milliseconds. */
    long verdictSinceMillis;

    CompletenessModel completeness;

    /**
     * The newest publication that tells front ends how to choose components, without its large model; null: there is
     * none.
     */
    FanOutPublication publication;

    ClassState(String name) {
        this.name = name;
    }

    void add(QualityWindow window) {
        if (!window.variant().isEmpty()) {
            addVariant(window);
        } else if (histories.containsKey(window.metric())
                || histories.size() < MAXIMUM_METRICS
                || window.metric().equals(primaryMetric)) {
            histories
                    .computeIfAbsent(window.metric(), m -> new QualityHistory())
                    .add(window);
        }
    }

    private void addVariant(QualityWindow window) {
        if (!isShownBy(window.metric())) {
            return;
        }
        variants.merge(window.variant(), window, (a, b) -> b.endMillis() >= a.endMillis() ? b : a);
        if (variants.size() > MAXIMUM_VARIANTS) {
            variants.values().stream()
                    .min(Comparator.comparingLong(QualityWindow::endMillis))
                    .ifPresent(oldest -> variants.remove(oldest.variant()));
        }
    }

    /** The windows of the variants that answered in the newest window of the class, by name. */
    List<QualityWindow> variants() {
        long fromMillis = history().newest().map(QualityWindow::startMillis).orElse(0L);
        return variants.values().stream()
                .filter(w -> isShownBy(w.metric()) && w.endMillis() > fromMillis)
                .toList();
    }

    /** History of the primary metric. Without a policy, it is the history of the metric that appeared first. */
    QualityHistory history() {
        if (primaryMetric != null) {
            return histories.getOrDefault(primaryMetric, NO_HISTORY);
        }
        return histories.isEmpty() ? NO_HISTORY : histories.values().iterator().next();
    }

    /** The evidence on which the class is judged. */
    ClassEvidence evidence(ServiceState service, long readUntilMillis) {
        return new ClassEvidence(
                service.policy(),
                service.policy(this),
                history().newest(),
                Optional.ofNullable(budget),
                decisions.trail(),
                lastQueriesMillis,
                readUntilMillis);
    }

    /** Returns whether the console shows records with this metric. */
    boolean isShownBy(String metric) {
        return primaryMetric == null || primaryMetric.equals(metric);
    }

    /** Returns whether there is evidence of queries. Decisions are no evidence, because they are kept for ever. */
    boolean isAlive() {
        return lastQueriesMillis > 0 || history().newest().isPresent();
    }

    /**
     * Mean quality that a query loses because the component is late. It is the component's mean loss per degraded
     * sample, times the share of degraded queries. The mean over all samples would be wrong, because degraded queries
     * may be sampled more often.
     */
    static double lossPerQuery(QualityWindow window, ComponentAttribution blame) {
        return window.degradedSamples() == 0
                ? 0
                : Math.max(0, blame.lostQuality() / window.degradedSamples()) * window.timeOutShare();
    }

    /** The component that loses most quality in the newest window; empty if no component loses any. */
    Optional<ComponentAttribution> costliest() {
        return history()
                .newest()
                .flatMap(w -> w.components().stream().max((a, b) -> Double.compare(a.lostQuality(), b.lostQuality())))
                .filter(b -> b.lostQuality() > 0);
    }
}
