package io.kipimo.operators.tails;

import io.kipimo.schemas.tails.LatencyStatistics;
import io.kipimo.schemas.tails.ProcessingCapacity;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowKind;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * Metrics of the tails job's operators, in group {@code kipimo} of the operator. They include the newest tumbling
 * window of each service, tier and component, with their names as labels:
 * {@code kipimo.service.<name>.tier.<name>.component.<name>.p99Micros} and so on. Servers have no gauges, since there
 * may be ten thousand. {@value #TOO_MANY_NAMES} counts observations of servers beyond the bound.
 */
final class TailsMetrics {
    /** Root of all names. */
    static final String GROUP = "kipimo";

    static final String TOO_MANY_NAMES = "tooManyNames";

    /** Further scopes have no gauges, so that names in the data cannot fill the registry. */
    private static final int MOST_SCOPES = 1000;

    /** Counters of observations; all are checkpointed gauges that sum over the subtasks. */
    enum ObservationCount {
        /** Observations that are part of their window. */
        ADDED_OBSERVATIONS("addedObservations"),
        /** Observations after their window's end. */
        LATE_OBSERVATIONS("lateObservations"),
        /** Repeated observations of a second. */
        DUPLICATE_OBSERVATIONS("duplicateObservations"),
        /** Observations of unknown services, or of too many servers. */
        REJECTED_OBSERVATIONS("rejectedObservations"),
        /** Policies that cannot be used. */
        REJECTED_POLICIES("rejectedPolicies");

        private final String metricName;

        ObservationCount(String metricName) {
            this.metricName = metricName;
        }

        String metricName() {
            return metricName;
        }
    }

    private final MetricGroup group;
    private final Map<String, Newest> newest = new HashMap<>();

    /** The newest window of a scope, for its gauges. */
    private static final class Newest {
        private volatile TailWindow window;
    }

    TailsMetrics(MetricGroup operatorGroup) {
        group = operatorGroup.addGroup(GROUP);
    }

    /** Updates the gauges with a window that has ended. */
    void ended(TailWindow window) {
        if (window.kind() != TailWindowKind.TUMBLING) {
            return;
        }
        String scope = window.level() + "/" + window.scope();
        Newest known = newest.get(scope);
        if (known == null) {
            if (newest.size() >= MOST_SCOPES) {
                return;
            }
            known = new Newest();
            newest.put(scope, known);
            known.window = window;
            register(known);
        }
        known.window = window;
    }

    private void register(Newest scope) {
        MetricGroup labelled = group.addGroup("service", scope.window.service());
        if (!scope.window.tier().isEmpty()) {
            labelled = labelled.addGroup("tier", scope.window.tier());
        }
        if (!scope.window.component().isEmpty()) {
            labelled = labelled.addGroup("component", scope.window.component());
        }
        MetricGroup level = labelled.addGroup("level", scope.window.level().name());
        gauge(level, "requestsPerSecond", scope, TailWindow::requestsPerSecond);
        gauge(level, "concurrency", scope, TailWindow::concurrency);
        gauge(level, "servers", scope, TailWindow::servers);
        gauge(level, "timedOutShare", scope, TailWindow::timedOutShare);
        gauge(level, "failedShare", scope, TailWindow::failedShare);
        gauge(level, "utilisation", scope, w -> w.utilisation().orElse(0.0));
        gauge(level, "load", scope, w -> w.capacity()
                .map(ProcessingCapacity::load)
                .orElse(0.0));
        gauge(level, "p50Micros", scope, w -> latency(w, LatencyStatistics::p50Micros));
        gauge(level, "p95Micros", scope, w -> latency(w, LatencyStatistics::p95Micros));
        gauge(level, "p99Micros", scope, w -> latency(w, LatencyStatistics::p99Micros));
        gauge(level, "p999Micros", scope, w -> latency(w, LatencyStatistics::p999Micros));
    }

    private static void gauge(MetricGroup level, String name, Newest scope, ToDoubleFunction<TailWindow> figure) {
        Gauge<Double> gauge = () -> figure.applyAsDouble(scope.window);
        level.gauge(name, gauge);
    }

    private static double latency(TailWindow window, ToDoubleFunction<LatencyStatistics> figure) {
        return window.latency().isPresent()
                ? figure.applyAsDouble(window.latency().get())
                : 0;
    }
}
