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
 * Measurement of one sampled query; topic {@code quality}. There is exactly one per query, so (service, query id) is
 * its identity.
 *
 * @param measuredAtMillis event time of the last event needed, or of the end of the window, epoch milliseconds
 * @param degraded whether a component timed out or failed; otherwise the quality is 1 less the deliberate loss, by
 *     construction
 * @param scores one per metric of the policy, the primary one first; empty without a
 *     {@linkplain Completeness#hasQuality quality}
 * @param components each component that the answer lists, once
 * @param unmeasurable set if and only if {@link Completeness#NOT_MEASURABLE}
 * @param notAskedLoss deliberate part of the loss, by components that the front end chose not to ask, 0..1; empty: all
 *     were asked, or the front end did not state it
 * @param variant variant of the answer; empty: none
 * @param explored whether the exploration rule made the query ask all components, and therefore sampled it
 * @param weight number of queries of the log that this one represents, if the job sampled a backlog: the inverse of its
 *     inclusion probability (Horvitz and Thompson, 1952); 0: only itself
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
        Optional<Unmeasurable> unmeasurable,
        @Range(most = 1) Optional<Double> notAskedLoss,

        @Initializer(source = Variants.class, value = "NONE") @Name(mayBeEmpty = true)
        String variant,

        boolean explored,
        int weight)
        implements OfServiceClass, MeasurementBuilder.With {
    private static final Measurement EMPTY = MeasurementBuilder.builder()
            .service("")
            .queryId("")
            .queryClass("")
            .completeness(Completeness.COMPLETE)
            .build();

    /** Whether the front end chose not to ask some component. */
    public boolean isTrimmed() {
        // Asked several times a query; an iterator each time would be garbage.
        for (int i = 0; i < components.size(); i++) {
            if (components.get(i).outcome() == Outcome.NOT_ASKED) {
                return true;
            }
        }
        return false;
    }

    /** Deliberate loss, 0..1. It is 1 if some component was not asked and the front end did not state the loss. */
    public double deliberateLoss() {
        return isTrimmed() ? notAskedLoss.orElse(1.0) : 0;
    }

    /** A score of this measurement as if only lateness had lost quality: the deliberate loss is added. */
    public Score ofLateness(Score score) {
        double deliberate = deliberateLoss();
        return deliberate == 0
                ? score
                : new Score(
                        score.metric(), Math.min(1, score.low() + deliberate), Math.min(1, score.high() + deliberate));
    }

    /** Number of queries of the log that this one represents, at least 1. */
    public int represents() {
        return Math.max(1, weight);
    }

    /** A copy with this class. */
    public Measurement ofClass(String otherClass) {
        return otherClass.equals(queryClass)
                ? this
                : toBuilder().queryClass(otherClass).build();
    }

    /** A copy that represents this number of queries, at least 1. */
    public Measurement ofWeight(int queries) {
        return queries == represents() ? this : toBuilder().weight(queries).build();
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
