package io.kipimo.schemas.observation;

import io.kipimo.schemas.field.Distinct;
import io.kipimo.schemas.field.Flat;
import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.OfServiceClass;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.schemas.quality.Variants;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Counts of one class on one front end in one second, unsampled; topic {@code observations}. Identity: service, tier,
 * server, class, variant, second.
 *
 * @param secondMillis start of the second, epoch milliseconds
 * @param offered queries that requested admission
 * @param rejected queries shed at admission
 * @param answered answers that left within the second
 * @param timedOut those of {@code answered} that left without some component
 * @param admittedFraction admitted fraction in force at the end of the second, 0..1
 * @param unmeasurable answers that are not measurable, by reason: part of {@code answered}, none of {@code timedOut}
 * @param missing for each component, the number of answers of {@code timedOut} that lacked it; empty if no component
 *     was lacking, or if the front end does not count this
 * @param costs counts of the queries with a predicted cost, each bin once
 * @param notAsked measurable answers that did not ask some component; some may also count in {@code timedOut}
 * @param notAskedLossSum sum of the deliberate losses of {@code notAsked}; an answer that states none counts 1
 * @param notAskedComponents for each component, the number of answers of {@code notAsked} that did not ask it
 * @param variant variant of the counted queries; empty: none
 * @param safeFraction admitted fraction of this front end without a valid decision, 0..1; empty: not stated
 * @param listed answers whose list of items the front end read: all, or a random sample
 * @param empty those of {@code listed} without any item
 */
@WithBuilder
public record Observation(
        @Name String service,
        @Name String tier,
        @Name String server,
        @Name String queryClass,
        @Range(least = 1, most = Range.LATEST_MILLIS) long secondMillis,
        long offered,
        @Range(mostOf = "offered") long rejected,
        long answered,
        @Range(mostOf = "answered") long timedOut,
        @Initializer(source = List.class, value = "of") List<ComponentCount> components,
        @Flat MeasurementBill bill,
        @Range(most = 1) double admittedFraction,

        @Initializer(source = Map.class, value = "of") @Range(least = Long.MIN_VALUE, most = Long.MAX_VALUE)
        Map<Unmeasurable, Long> unmeasurable,

        @Initializer(source = List.class, value = "of") @Distinct
        List<MissingCount> missing,

        @Initializer(source = List.class, value = "of") @Distinct
        List<CostCount> costs,

        @Range(mostOf = "answered") long notAsked,
        @Range(mostOf = "notAsked") double notAskedLossSum,

        @Initializer(source = List.class, value = "of") @Distinct
        List<MissingCount> notAskedComponents,

        @Initializer(source = Variants.class, value = "NONE") @Name(mayBeEmpty = true)
        String variant,

        @Range(most = 1) Optional<Double> safeFraction,
        @Range(mostOf = "answered") long listed,
        @Range(mostOf = "listed") long empty)
        implements OfServiceClass {

    /** Answers whose quality is known to be 1 or can be measured. */
    public long measurable() {
        return answered - Unmeasurable.sum(unmeasurable);
    }

    /**
     * Whether the front end counted the components that its degraded answers lacked. True if no answer was degraded.
     */
    public boolean countsMissing() {
        return timedOut == 0 || !missing.isEmpty();
    }

    /** Last millisecond of the second. By then, all its events have happened. */
    public long endMillis() {
        return secondMillis + 999;
    }

    /** These counts for another second. */
    public Observation at(long otherSecondMillis) {
        return with(queryClass, otherSecondMillis);
    }

    /** These counts for another class. */
    public Observation ofClass(String otherClass) {
        return with(otherClass, secondMillis);
    }

    private Observation with(String otherClass, long otherSecondMillis) {
        return ObservationBuilder.builder(this)
                .queryClass(otherClass)
                .secondMillis(otherSecondMillis)
                .build();
    }
}
