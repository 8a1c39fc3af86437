package io.kipimo.console.model;

import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.quality.ComponentAttribution;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What is known of one class of one service. */
final class ClassState {
    private static final int MAXIMUM_METRICS = 4;
    private static final QualityHistory NO_HISTORY = new QualityHistory();

    final String name;
    final DecisionLog decisions = new DecisionLog();

    /** By component, the least recently used first. */
    final Map<String, RecentLatencies> latencies = new LinkedHashMap<>(16, 0.75f, true);

    /** By metric, the first seen first. */
    private final Map<String, QualityHistory> histories = new LinkedHashMap<>();

    /** The policy's first metric; null: no policy tells. */
    String primaryMetric;

    /** End of the last second with queries, as front ends counted; 0: none. */
    long lastQueriesMillis;

    DeadlineCurve curve;
    ErrorBudget budget;

    /** Since when the budget says what it says. */
    long verdictSinceMillis;

    CompletenessModel completeness;

    ClassState(String name) {
        this.name = name;
    }

    void add(QualityWindow window) {
        if (histories.containsKey(window.metric())
                || histories.size() < MAXIMUM_METRICS
                || window.metric().equals(primaryMetric)) {
            histories.computeIfAbsent(window.metric(), m -> new QualityHistory()).add(window);
        }
    }

    /** By the primary metric; without a policy by the metric that was seen first. */
    QualityHistory history() {
        if (primaryMetric != null) {
            return histories.getOrDefault(primaryMetric, NO_HISTORY);
        }
        return histories.isEmpty() ? NO_HISTORY : histories.values().iterator().next();
    }

    /** Whether a record by this metric is to be shown. */
    boolean isShownBy(String metric) {
        return primaryMetric == null || primaryMetric.equals(metric);
    }

    /** Whether anything tells of queries; decisions are kept for ever, and tell of the past. */
    boolean isAlive() {
        return lastQueriesMillis > 0 || history().newest().isPresent();
    }

    /**
     * Mean quality that a component's lateness cost a query: what it cost a degraded sample, times
     * the share of degraded queries, since those may be sampled more often than others.
     */
    static double lossPerQuery(QualityWindow window, ComponentAttribution blame) {
        return window.degradedSamples() == 0
                ? 0
                : Math.max(0, blame.lostQuality() / window.degradedSamples())
                        * window.timeOutShare();
    }

    /** The component of the newest window that costs most; empty if none costs anything. */
    Optional<ComponentAttribution> costliest() {
        return history()
                .newest()
                .flatMap(
                        w ->
                                w.components().stream()
                                        .max(
                                                (a, b) ->
                                                        Double.compare(
                                                                a.lostQuality(), b.lostQuality())))
                .filter(b -> b.lostQuality() > 0);
    }
}
