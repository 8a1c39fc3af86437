package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.WithBuilder;
import java.util.Optional;

/**
 * Service level of one priority class of a service.
 *
 * @param priority 0 is the highest and is never shed; shedding starts at the largest number
 * @param objective mean answer quality to keep, 0..1
 * @param safeFraction admitted fraction when no decision is valid, 0..1
 * @param floor least admitted fraction, in (0, 1]; a rate of zero would leave the control loop without measurements
 * @param ceiling greatest admitted fraction, in [floor, 1]
 * @param costOrder above 0: queries of the highest predicted cost are shed first, but every decile of cost keeps at
 *     least the share {@code 1 - costOrder}, or the admitted fraction if that is less; 0: cost does not count
 */
@WithBuilder
public record ClassPolicy(
        @Name String name,
        @Range(most = 1000) int priority,
        @Range(most = 1) double objective,
        @Range(most = 1) double safeFraction,
        @Range(least = Range.LEAST_FRACTION, most = 1) double floor,

        @Range(least = Range.LEAST_FRACTION, leastOf = "floor", most = 1)
        double ceiling,

        Optional<ManualOverride> override,
        @Range(most = 1) double costOrder)
        implements ClassPolicyBuilder.With {
    private static final ClassPolicy EMPTY = ClassPolicyBuilder.builder()
            .name("")
            .safeFraction(1)
            .floor(0.05)
            .ceiling(1)
            .build();

    /** A builder with the defaults. */
    public static ClassPolicyBuilder builder() {
        return EMPTY.toBuilder();
    }

    /** A builder with the values of this policy. */
    public ClassPolicyBuilder toBuilder() {
        return ClassPolicyBuilder.builder(this);
    }
}
