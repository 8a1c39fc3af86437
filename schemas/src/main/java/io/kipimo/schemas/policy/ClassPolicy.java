package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import java.util.Optional;

/**
 * Service level of one priority class of a service.
 *
 * @param priority 0 is the highest and is never shed; shedding starts at the largest number
 * @param objective mean answer quality to keep, 0..1
 * @param safeFraction admitted fraction when no decision is valid, 0..1
 * @param floor least admitted fraction, in (0, 1]; a rate of zero would leave the control loop
 *     without measurements
 * @param ceiling greatest admitted fraction, in [floor, 1]
 * @param costOrder above 0: the costliest queries are shed first, by predicted cost; of every
 *     decile of cost at least the share {@code 1 - costOrder} is admitted, or the admitted fraction
 *     if that is less. 0: all costs alike
 */
public record ClassPolicy(
        @Name String name,
        @Range(most = 1000) int priority,
        @Range(most = 1) double objective,
        @Range(most = 1) double safeFraction,
        @Range(least = Range.LEAST_FRACTION, most = 1) double floor,
        @Range(least = Range.LEAST_FRACTION, leastOf = "floor", most = 1) double ceiling,
        Optional<ManualOverride> override,
        @Range(most = 1) double costOrder) {

    /** A copy with this override, or without one. */
    public ClassPolicy withOverride(Optional<ManualOverride> other) {
        return toBuilder().override(other).build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder with the values of this policy. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Builder that starts with the defaults. */
    public static final class Builder {
        private String name = "";
        private int priority;
        private double objective;
        private double safeFraction = 1;
        private double floor = 0.05;
        private double ceiling = 1;
        private Optional<ManualOverride> override = Optional.empty();
        private double costOrder;

        private Builder() {}

        private Builder(ClassPolicy other) {
            name = other.name;
            priority = other.priority;
            objective = other.objective;
            safeFraction = other.safeFraction;
            floor = other.floor;
            ceiling = other.ceiling;
            override = other.override;
            costOrder = other.costOrder;
        }

        public Builder name(String value) {
            name = value;
            return this;
        }

        public Builder priority(int value) {
            priority = value;
            return this;
        }

        public Builder objective(double value) {
            objective = value;
            return this;
        }

        public Builder safeFraction(double value) {
            safeFraction = value;
            return this;
        }

        public Builder floor(double value) {
            floor = value;
            return this;
        }

        public Builder ceiling(double value) {
            ceiling = value;
            return this;
        }

        public Builder override(Optional<ManualOverride> value) {
            override = value;
            return this;
        }

        public Builder costOrder(double value) {
            costOrder = value;
            return this;
        }

        public ClassPolicy build() {
            return new ClassPolicy(
                    name, priority, objective, safeFraction, floor, ceiling, override, costOrder);
        }
    }
}
