package io.kipimo.operators.control;

import io.kipimo.operators.metrics.NewestGauges;
import io.kipimo.schemas.decision.Decision;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Every metric of the controllers' operators, as {@code ….admission.0.kipimo.scope.<scope>.<name>}: {@code value}, the
 * last decided fraction or rate, {@code measured}, the measured figure behind it, and {@code sequence}.
 * {@code ….kipimo.decisions} counts emitted decisions.
 */
final class ControlMetrics {
    private final NewestGauges<Decision> newest;
    private final Counter decisions;

    ControlMetrics(MetricGroup group) {
        newest = new NewestGauges<Decision>(decision -> group.addGroup("scope", decision.scope()))
                .with("value", Decision::value)
                .with("measured", Decision::measured)
                .with("sequence", Decision::sequence);
        decisions = group.counter("decisions");
    }

    void decided(Decision decision) {
        decisions.inc();
        newest.update(decision.scope(), decision);
    }
}
