package io.kipimo.operators.tails;

import io.kipimo.operators.metrics.NewestGauges;
import io.kipimo.schemas.tails.LatencyStatistics;
import io.kipimo.schemas.tails.ProcessingCapacity;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowKind;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.apache.flink.metrics.MetricGroup;

/**
 * Metrics of the tails job's operators, in group {@code kipimo} of the operator. They include the newest tumbling
 * window of each service, tier and component, with their names as labels:
 * {@code kipimo.service.<name>.tier.<name>.component.<name>.p99Micros} and so on. Servers have no gauges, since there
 * may be ten thousand. {@value #TOO_MANY_NAMES} counts observations of servers beyond the bound.
 */
final class TailsMetrics {
    /** Metric group that contains all metrics of the job's operators. */
    static final String GROUP = "kipimo";

    static final String TOO_MANY_NAMES = "tooManyNames";

    /**
     * Counters of observations. They are gauges that checkpoints keep; only their sum over the subtasks is meaningful.
     */
    enum ObservationCount {
        /** Observations that were added to their window. */
        ADDED_OBSERVATIONS,
        /** Observations that came after their window's end. */
        LATE_OBSERVATIONS,
        /** Repeated observations of a second. */
        DUPLICATE_OBSERVATIONS,
        /** Observations of unknown services, or of too many servers. */
        REJECTED_OBSERVATIONS,
        /** Policies that cannot be used. */
        REJECTED_POLICIES,
        /** Observations of services whose policy was removed. */
        UNMEASURED_OBSERVATIONS
    }

    private final NewestGauges<TailWindow> newest;

    TailsMetrics(MetricGroup operatorGroup) {
        MetricGroup group = operatorGroup.addGroup(GROUP);
        newest = new NewestGauges<TailWindow>(window -> labelled(group, window))
                .with("requestsPerSecond", TailWindow::requestsPerSecond)
                .with("concurrency", TailWindow::concurrency)
                .with("servers", window -> (double) window.servers())
                .with("timedOutShare", TailWindow::timedOutShare)
                .with("failedShare", TailWindow::failedShare)
                .with("utilisation", window -> window.utilisation().orElse(0.0))
                .with("load", window -> window.capacity()
                        .map(ProcessingCapacity::load)
                        .orElse(0.0))
                .with("p50Micros", latency(LatencyStatistics::p50Micros))
                .with("p95Micros", latency(LatencyStatistics::p95Micros))
                .with("p99Micros", latency(LatencyStatistics::p99Micros))
                .with("p999Micros", latency(LatencyStatistics::p999Micros));
    }

    /** Updates the gauges with a window that has ended. */
    void ended(TailWindow window) {
        if (window.kind() == TailWindowKind.TUMBLING) {
            newest.update(window.level() + "/" + window.scope(), window);
        }
    }

    private static MetricGroup labelled(MetricGroup group, TailWindow window) {
        MetricGroup labelled = group.addGroup("service", window.service());
        if (!window.tier().isEmpty()) {
            labelled = labelled.addGroup("tier", window.tier());
        }
        if (!window.component().isEmpty()) {
            labelled = labelled.addGroup("component", window.component());
        }
        return labelled.addGroup("level", window.level().name());
    }

    private static Function<TailWindow, Double> latency(ToDoubleFunction<LatencyStatistics> figure) {
        return window -> window.latency().map(figure::applyAsDouble).orElse(0.0);
    }
}
