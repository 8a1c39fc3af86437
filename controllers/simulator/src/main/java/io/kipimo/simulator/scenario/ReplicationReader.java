package io.kipimo.simulator.scenario;

import io.kipimo.core.replication.FeasibilityLimits;
import io.kipimo.core.replication.ReplicationSettings;
import io.kipimo.core.replication.TargetMetric;
import io.kipimo.simulator.control.ReplicationSpec;
import java.util.Optional;

/** Reads the section {@code replication}. */
final class ReplicationReader {
    private ReplicationReader() {}

    static Optional<ReplicationSpec> read(Fields fields) {
        ReplicationSettings d = ReplicationSettings.DEFAULT;
        FeasibilityLimits l = d.limits();
        TargetMetric target = fields.choice("target", d.target());
        double objective = fields.number("objective_millis", 0, 0, 1e9);
        double collision = fields.number("maximum_collision", l.maximumCollision(), 0, 1);
        double utilisation = fields.number("maximum_utilisation", l.maximumUtilisation(), 1e-6, 1);
        double extra = fields.number("extra_load_share", l.extraLoadShare(), 0, 1);
        double holding =
                fields.number(
                        "hold_utilisation", Math.max(utilisation, d.holdUtilisation()), 1e-6, 1);
        boolean modelFirst = fields.flag("model_first", d.modelFirst());
        double window = fields.number("window_seconds", 10, 1e-3, 3600);
        double delay = fields.number("delay_millis", 200, 0, 1e6) / 1000;
        fields.end();
        return fields.make(
                Optional.empty(),
                () ->
                        Optional.of(
                                new ReplicationSpec(
                                        new ReplicationSettings(
                                                target,
                                                Math.round(objective * 1000),
                                                new FeasibilityLimits(
                                                        collision, utilisation, extra),
                                                holding,
                                                d.trials(),
                                                d.loadChange(),
                                                d.variabilityChange(),
                                                d.smoothingMillis(),
                                                d.staleAfterMillis(),
                                                leaseMillis(d, window),
                                                modelFirst),
                                        window,
                                        delay)));
    }

    /** There are no heartbeats, so a decision lasts until the decision of the next window. */
    private static long leaseMillis(ReplicationSettings defaults, double windowSeconds) {
        return Math.min(
                3_600_000, Math.max(defaults.leaseMillis(), Math.round(windowSeconds * 2_000)));
    }
}
