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
 * One second of one class on one front end, unsampled; topic {@code observations}. Identity: service, tier, server,
 * class, variant, second.
 *
 * @param secondMillis start of the second, epoch milliseconds
 * @param offered queries that requested admission
 * @param rejected shed at admission
 * @param answered answers that left within the second
 * @param timedOut those of them that left without some component
 * @param admittedFraction in force at the end of the second, 0..1
 * @param unmeasurable answers whose quality nobody can tell, by reason: part of {@code answered}, none of
 *     {@code timedOut}
 * @param missing which components the answers of {@code timedOut} lacked; empty if none did or the front end does not
 *     count them
 * @param costs the queries with a predicted cost, each bin once
 * @param notAsked measurable answers that did not ask some component; some may be of {@code timedOut} too
 * @param notAskedLossSum sum of their deliberate losses; an answer that states none counts 1
 * @param notAskedComponents which components the answers of {@code notAsked} did not ask
 * @param variant of the counted queries; empty: none
 * @param safeFraction that this front end applies without a valid decision, 0..1; empty: not stated
 * @param listed answers whose list of items the front end read: all, or a random sample
 * @param empty those of them without any item
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

    /** Whether the front end counted the components that its degraded answers lacked. True if it had none. */
    public boolean countsMissing() {
        return timedOut == 0 || !missing.isEmpty();
    }

    /** Last millisecond of the second: when everything in it has happened. */
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
