package io.kipimo.jobs.options;

import io.kipimo.core.rating.DriftSettings;
import java.time.Duration;
import java.util.List;

/** Bounds beyond which a published rating is stale. */
public final class StaleRatingOptions {
    public static final BoundedOption<Duration> PROFILE = Options.duration(
            "rating.stale.profile",
            Duration.ofMillis(DriftSettings.DEFAULT.profileMillis()),
            Duration.ofSeconds(1),
            Duration.ofDays(7),
            "Length of a period in which a rated service is profiled. The first period "
                    + "after a rating is the reference. If two later ones in a row "
                    + "differ too much from it, the rating is stale.");
    public static final BoundedOption<Double> MIX = Options.number(
            "rating.stale.mix",
            DriftSettings.DEFAULT.mostMixShift(),
            0,
            1,
            "Share of the requests that may change class.");
    public static final BoundedOption<Double> CAPACITY = Options.number(
            "rating.stale.capacity",
            DriftSettings.DEFAULT.mostCapacityChange(),
            0.01,
            100,
            "Fraction by which a tier's capacity may rise or fall.");
    public static final BoundedOption<Double> VARIABILITY = Options.number(
            "rating.stale.variability",
            DriftSettings.DEFAULT.mostVariabilityChange(),
            0.01,
            100,
            "Fraction by which the latencies' coefficient of variation may rise or fall.");

    private StaleRatingOptions() {}

    public static List<BoundedOption<?>> all() {
        return List.of(PROFILE, MIX, CAPACITY, VARIABILITY);
    }

    /** Reads the options and reports problems to the reader. */
    public static DriftSettings read(OptionSet.Reader reader) {
        return new DriftSettings(
                reader.get(PROFILE).toMillis(), reader.get(MIX), reader.get(CAPACITY), reader.get(VARIABILITY));
    }
}
