package io.kipimo.simulator.scenario;

import io.kipimo.core.replication.FeasibilityLimits;
import io.kipimo.core.replication.ReplicationSettings;
import io.kipimo.core.replication.ReplicationSettingsBuilder;
import io.kipimo.core.replication.TargetMetric;
import io.kipimo.schemas.field.FieldBounds;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.policy.ReplicationPolicy;
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
        double collision = fraction(fields, "maximum_collision", l.maximumCollision());
        double utilisation = fraction(fields, "maximum_utilisation", l.maximumUtilisation());
        double extra = fraction(fields, "extra_load_share", l.extraLoadShare());
        double holding = fraction(fields, "hold_utilisation", Math.max(utilisation, d.holdUtilisation()));
        boolean modelFirst = fields.flag("model_first", d.modelFirst());
        double window = fields.number("window_seconds", 10, 1e-3, 3600);
        double delay = fields.number("delay_millis", 200, 0, 1e6) / 1000;
        fields.end();
        return fields.make(
                Optional.empty(),
                () -> Optional.of(new ReplicationSpec(
                        ReplicationSettingsBuilder.builder(d)
                                .target(target)
                                .objectiveMicros(Math.round(objective * 1000))
                                .limits(new FeasibilityLimits(collision, utilisation, extra))
                                .holdUtilisation(holding)
                                .leaseMillis(leaseMillis(d, window))
                                .modelFirst(modelFirst)
                                .build(),
                        window,
                        delay)));
    }

    private static double fraction(Fields fields, String name, double fallback) {
        FieldBounds bounds =
                RecordFields.of(ReplicationPolicy.class).named(name).bounds();
        return fields.number(name, fallback, bounds.least(), bounds.most());
    }

    /** There are no heartbeats: a decision lasts until that of the next window. */
    private static long leaseMillis(ReplicationSettings defaults, double windowSeconds) {
        return Math.min(3_600_000, Math.max(defaults.leaseMillis(), Math.round(windowSeconds * 2_000)));
    }
}
