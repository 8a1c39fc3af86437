package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Range;
import java.util.List;
import java.util.Optional;

/**
 * Search for the replication factors of a service; defaults in {@link #defaults}.
 *
 * @param shadow decide and publish, change nothing
 * @param tiers tiers in the order of a request, at least one, names unique
 * @param objectiveMillis the SLA's bound on the target; 0: none. A trial that breaks it is rolled
 *     back
 * @param maximumCollision P_max, greatest collision probability of copies of first-tier requests at
 *     any tier, 0..1
 * @param maximumUtilisation utilisation of servers and of tokens up to which factors may rise
 * @param holdUtilisation utilisation from which factors fall, at least {@code maximumUtilisation}
 * @param extraLoadShare greatest share of the capacity of all tiers that copies may use
 * @param modelFirst whether the model is evaluated before factors are tried on live traffic
 * @param loadChange relative change of the arrival rate that restarts the search
 * @param variabilityChange relative change of w of any tier that restarts the search
 * @param smoothingMillis time constant of the averages of both
 * @param periodMillis heartbeat of decisions
 * @param staleAfterMillis age of the newest window from which factors stay as they are and a trial
 *     ends
 * @param leaseMillis how long a decision is valid, milliseconds
 */
public record ReplicationPolicy(
        boolean shadow,
        List<ReplicatedTier> tiers,
        TargetLatency target,
        @Range(most = Range.DAY_MILLIS) long objectiveMillis,
        @Range(most = 1) double maximumCollision,
        @Range(least = 0.01, most = 1) double maximumUtilisation,
        @Range(least = 0.01, leastOf = "maximumUtilisation", most = 1) double holdUtilisation,
        @Range(most = 1) double extraLoadShare,
        boolean modelFirst,
        TrialPolicy trials,
        @Range(least = 0.01, most = 1e6) double loadChange,
        @Range(least = 0.01, most = 1e6) double variabilityChange,
        @Range(least = 1, most = Range.DAY_MILLIS) long smoothingMillis,
        @Range(least = 100, most = Range.HOUR_MILLIS) long periodMillis,
        @Range(least = 100, most = Range.HOUR_MILLIS) long staleAfterMillis,
        @Range(least = 100, most = Range.HOUR_MILLIS) long leaseMillis,
        Optional<FactorOverride> override) {

    /** The 99th percentile, in shadow, within an extra-load budget of 5 %. */
    public static ReplicationPolicy defaults(List<ReplicatedTier> tiers) {
        return builder().tiers(tiers).build();
    }

    /** A copy with this override, or without one. */
    public ReplicationPolicy withOverride(Optional<FactorOverride> word) {
        return toBuilder().override(word).build();
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
        private boolean shadow = true;
        private List<ReplicatedTier> tiers = List.of();
        private TargetLatency target = TargetLatency.P99;
        private long objectiveMillis;
        private double maximumCollision = 0.5;
        private double maximumUtilisation = 0.8;
        private double holdUtilisation = 0.9;
        private double extraLoadShare = 0.05;
        private boolean modelFirst = true;
        private TrialPolicy trials = TrialPolicy.DEFAULT;
        private double loadChange = 0.25;
        private double variabilityChange = 0.5;
        private long smoothingMillis = 300_000;
        private long periodMillis = 10_000;
        private long staleAfterMillis = 30_000;
        private long leaseMillis = 60_000;
        private Optional<FactorOverride> override = Optional.empty();

        private Builder() {}

        private Builder(ReplicationPolicy other) {
            shadow = other.shadow;
            tiers = other.tiers;
            target = other.target;
            objectiveMillis = other.objectiveMillis;
            maximumCollision = other.maximumCollision;
            maximumUtilisation = other.maximumUtilisation;
            holdUtilisation = other.holdUtilisation;
            extraLoadShare = other.extraLoadShare;
            modelFirst = other.modelFirst;
            trials = other.trials;
            loadChange = other.loadChange;
            variabilityChange = other.variabilityChange;
            smoothingMillis = other.smoothingMillis;
            periodMillis = other.periodMillis;
            staleAfterMillis = other.staleAfterMillis;
            leaseMillis = other.leaseMillis;
            override = other.override;
        }

        public Builder shadow(boolean value) {
            shadow = value;
            return this;
        }

        public Builder tiers(List<ReplicatedTier> value) {
            tiers = value;
            return this;
        }

        public Builder target(TargetLatency value) {
            target = value;
            return this;
        }

        public Builder objectiveMillis(long value) {
            objectiveMillis = value;
            return this;
        }

        public Builder maximumCollision(double value) {
            maximumCollision = value;
            return this;
        }

        public Builder maximumUtilisation(double value) {
            maximumUtilisation = value;
            return this;
        }

        public Builder holdUtilisation(double value) {
            holdUtilisation = value;
            return this;
        }

        public Builder extraLoadShare(double value) {
            extraLoadShare = value;
            return this;
        }

        public Builder modelFirst(boolean value) {
            modelFirst = value;
            return this;
        }

        public Builder trials(TrialPolicy value) {
            trials = value;
            return this;
        }

        public Builder loadChange(double value) {
            loadChange = value;
            return this;
        }

        public Builder variabilityChange(double value) {
            variabilityChange = value;
            return this;
        }

        public Builder smoothingMillis(long value) {
            smoothingMillis = value;
            return this;
        }

        public Builder periodMillis(long value) {
            periodMillis = value;
            return this;
        }

        public Builder staleAfterMillis(long value) {
            staleAfterMillis = value;
            return this;
        }

        public Builder leaseMillis(long value) {
            leaseMillis = value;
            return this;
        }

        public Builder override(Optional<FactorOverride> value) {
            override = value;
            return this;
        }

        public ReplicationPolicy build() {
            return new ReplicationPolicy(
                    shadow,
                    tiers,
                    target,
                    objectiveMillis,
                    maximumCollision,
                    maximumUtilisation,
                    holdUtilisation,
                    extraLoadShare,
                    modelFirst,
                    trials,
                    loadChange,
                    variabilityChange,
                    smoothingMillis,
                    periodMillis,
                    staleAfterMillis,
                    leaseMillis,
                    override);
        }
    }
}
