package io.kipimo.simulator.scenario;

import io.kipimo.core.replication.FeasibilityLimits;
import io.kipimo.core.replication.ReplicationSettings;
import io.kipimo.core.replication.ReplicationSettingsBuilder;
import io.kipimo.core.replication.TargetMetric;
import io.kipimo.schemas.document.Section;
import io.kipimo.schemas.field.FieldBounds;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.simulator.control.ReplicationSpec;
import java.util.Optional;

/** Reads the section {@code replication}. */
final class ReplicationReader {
    private ReplicationReader() {}

    static Optional<ReplicationSpec> read(Section fields) {
        ReplicationSettings d = ReplicationSettings.DEFAULT;
        FeasibilityLimits l = d.limits();
        double utilisation = fraction(fields, "maximum_utilisation", l.maximumUtilisation());
        FeasibilityLimits limits = new FeasibilityLimits(
                fraction(fields, "maximum_collision", l.maximumCollision()),
                utilisation,
                fraction(fields, "extra_load_share", l.extraLoadShare()));
        double window = fields.number("window_seconds", 10, 1e-3, 3600);
        double delay = fields.number("delay_millis", 200, 0, 1e6) / 1000;
        ReplicationSettingsBuilder settings = ReplicationSettingsBuilder.builder(d)
                .target(fields.choice("target", TargetMetric.class, d.target()))
                .objectiveMicros(Math.round(fields.number("objective_millis", 0, 0, 1e9) * 1000))
                .limits(limits)
                .holdUtilisation(fraction(fields, "hold_utilisation", Math.max(utilisation, d.holdUtilisation())))
                .leaseMillis(leaseMillis(d, window))
                .modelFirst(fields.flag("model_first", d.modelFirst()));
        return fields.make(() -> new ReplicationSpec(settings.build(), window, delay));
    }

    private static double fraction(Section fields, String name, double fallback) {
        FieldBounds bounds =
                RecordFields.of(ReplicationPolicy.class).named(name).bounds();
        return fields.number(name, fallback, bounds.least(), bounds.most());
    }

    /** There are no heartbeats: a decision lasts until that of the next window. */
    private static long leaseMillis(ReplicationSettings defaults, double windowSeconds) {
        return Math.min(3_600_000, Math.max(defaults.leaseMillis(), Math.round(windowSeconds * 2_000)));
    }
}
