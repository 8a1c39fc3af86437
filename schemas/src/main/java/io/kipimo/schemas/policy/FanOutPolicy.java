package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Distinct;
import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;

/**
 * Settings for asking fewer components for a query if a learned model expects that the answer keeps the floor.
 *
 * @param floor share of the full answer that each query must be expected to keep, 0..1
 * @param classes classes whose queries may ask fewer components; at least one, and all in this policy
 * @param shadow whether choices are published, but not carried out
 * @param exploration share of the queries that are always asked in full and always sampled, 0..1
 * @param minimumSaving share of the work that must be saved; with less, all components are asked
 * @param periodMillis least time between two publications, unless the state changes
 * @param leaseMillis time for which a publication is valid, milliseconds
 * @param price a component that the floor does not need is asked if its expected share of the answer is above
 *     {@code price} times its share of the total cost; 0: the floor alone decides
 * @param costs costs of components; a component that is not named costs its measured mean latency
 */
@WithBuilder
public record FanOutPolicy(
        @Range(most = 1) double floor,

        @Name @Initializer(source = List.class, value = "of") @Distinct
        List<String> classes,

        boolean shadow,
        @Range(most = 1) double exploration,
        @Range(most = 1) double minimumSaving,
        @Range(least = 100, most = Range.HOUR_MILLIS) long periodMillis,
        @Range(least = 1_000, most = Range.DAY_MILLIS) long leaseMillis,
        @Range(most = 1e6) double price,

        @Initializer(source = List.class, value = "of") @Distinct
        List<ComponentCost> costs) {
    private static final FanOutPolicy EMPTY = FanOutPolicyBuilder.builder()
            .floor(0.93)
            .shadow(true)
            .exploration(0.02)
            .minimumSaving(0.1)
            .periodMillis(60_000)
            .leaseMillis(600_000)
            .build();

    /** A policy with a floor of 0.93 for these classes, in shadow mode. */
    public static FanOutPolicy defaults(List<String> classes) {
        return builder().classes(classes).build();
    }

    /** A builder with the defaults. */
    public static FanOutPolicyBuilder builder() {
        return EMPTY.toBuilder();
    }

    /** A builder with the values of this policy. */
    public FanOutPolicyBuilder toBuilder() {
        return FanOutPolicyBuilder.builder(this);
    }
}
