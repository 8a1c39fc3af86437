package io.kipimo.schemas.quality;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.OfServiceClass;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Text;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;
import java.util.Optional;

/**
 * Measurement of one sampled query; topic {@code quality}. There is exactly one per query, so
 * (service, query id) is its identity.
 *
 * @param measuredAtMillis event time of the last event needed, or of the end of the window, epoch
 *     milliseconds
 * @param degraded whether a component timed out or failed; otherwise the quality is 1 by
 *     construction
 * @param scores one per metric of the policy, the primary one first; empty without a {@linkplain
 *     Completeness#hasQuality quality}
 * @param components each invoked component, once
 * @param unmeasurable set if and only if {@link Completeness#NOT_MEASURABLE}
 */
@WithBuilder
public record Measurement(
        @Name String service,
        @Text String queryId,
        String queryClass,
        @Range(least = 1, most = Range.LATEST_MILLIS) long startedAtMillis,
        @Range(least = 1, most = Range.LATEST_MILLIS) long measuredAtMillis,
        Completeness completeness,
        boolean degraded,
        @Range(most = Range.MOST_ITEMS) int topK,
        @Initializer(source = List.class, value = "of") List<Score> scores,
        @Initializer(source = List.class, value = "of") List<ComponentShare> components,
        boolean truncated,
        Optional<Unmeasurable> unmeasurable)
        implements OfServiceClass {
    private static final Measurement EMPTY =
            MeasurementBuilder.builder()
                    .service("")
                    .queryId("")
                    .queryClass("")
                    .completeness(Completeness.COMPLETE)
                    .build();

    /** A copy with this class. */
    public Measurement ofClass(String otherClass) {
        return otherClass.equals(queryClass) ? this : toBuilder().queryClass(otherClass).build();
    }

    /** A copy with these scores. */
    public Measurement withScores(List<Score> others) {
        return toBuilder().scores(others).build();
    }

    /** A copy without loss attributed to components. */
    public Measurement withoutLosses() {
        return toBuilder()
                .components(
                        components.stream()
                                .map(
                                        c ->
                                                new ComponentShare(
                                                        c.component(),
                                                        c.outcome(),
                                                        c.latencyMicros(),
                                                        c.missing(),
                                                        0,
                                                        c.contribution()))
                                .toList())
                .build();
    }

    /** A builder with the defaults. */
    public static MeasurementBuilder builder() {
        return EMPTY.toBuilder();
    }

    /** A builder with the values of this measurement. */
    public MeasurementBuilder toBuilder() {
        return MeasurementBuilder.builder(this);
    }
}
