package io.kipimo.operators.control;

import io.kipimo.schemas.decision.Decision;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Every metric of the controllers' operators, as {@code ….admission.0.kipimo.scope.<scope>.<name>}: {@code value}, the
 * last decided fraction or rate, {@code measured}, the measured figure behind it, and {@code sequence}.
 * {@code ….kipimo.decisions} counts emitted decisions.
 */
final class ControlMetrics {
    private final MetricGroup group;
    private final Map<String, Decision> latest = new HashMap<>();
    private final Counter decisions;

    ControlMetrics(MetricGroup group) {
        this.group = group;
        decisions = group.counter("decisions");
    }

    void decided(Decision decision) {
        decisions.inc();
        String scope = decision.scope();
        if (latest.put(scope, decision) == null) {
            MetricGroup ofScope = group.addGroup("scope", scope);
            ofScope.gauge("value", () -> latest.get(scope).value());
            ofScope.gauge("measured", () -> latest.get(scope).measured());
            ofScope.gauge("sequence", () -> latest.get(scope).sequence());
        }
    }
}
