package io.kipimo.jobs.options;

import io.kipimo.core.rating.DriftWatch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Options with the bounds beyond which a published rating is stale. */
public final class StaleRatingOptions {
    private static final Options GROUP = new Options();

    public static final BoundedOption<Duration> PROFILE = GROUP.duration(
            "rating.stale.profile",
            Duration.ofMillis(DriftWatch.Drift.DEFAULT.profileMillis()),
            Duration.ofSeconds(1),
            Duration.ofDays(7),
            "Length of a period in which a rated service is profiled.");
    public static final BoundedOption<Double> MIX = GROUP.number(
            "rating.stale.mix",
            DriftWatch.Drift.DEFAULT.mostMixShift(),
            0,
            1,
            "Share of the requests that may change class.");
    public static final BoundedOption<Double> CAPACITY = GROUP.number(
            "rating.stale.capacity",
            DriftWatch.Drift.DEFAULT.mostCapacityChange(),
            0.01,
            100,
            "Fraction by which a tier's capacity may rise or fall.");
    public static final BoundedOption<Double> VARIABILITY = GROUP.number(
            "rating.stale.variability",
            DriftWatch.Drift.DEFAULT.mostVariabilityChange(),
            0.01,
            100,
            "Fraction by which the latencies' coefficient of variation may rise or fall.");

    private StaleRatingOptions() {}

    public static List<BoundedOption<?>> all() {
        return GROUP.all();
    }

    /** Reads the options and reports problems to the reader. */
    public static Optional<DriftWatch.Drift> read(OptionSet.OptionReader reader) {
        return reader.make(() -> new DriftWatch.Drift(
                reader.get(PROFILE).toMillis(), reader.get(MIX), reader.get(CAPACITY), reader.get(VARIABILITY)));
    }
}
