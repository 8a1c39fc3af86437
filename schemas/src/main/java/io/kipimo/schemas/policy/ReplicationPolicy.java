package io.kipimo.schemas.policy;

import io.kipimo.schemas.field.Distinct;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Size;
import io.kipimo.schemas.field.WithBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;
import java.util.Optional;

/**
 * Settings of the search for a service's replication factors; defaults in {@link #defaults}.
 *
 * @param shadow whether decisions are published, but not applied
 * @param tiers tiers in the order of a request, at least one, names unique
 * @param objectiveMillis bound of the service level agreement on the target latency; 0: none. A trial that exceeds the
 *     bound is rolled back
 * @param maximumCollision P_max, greatest collision probability of copies of first-tier requests at any tier, 0..1
 * @param maximumUtilisation utilisation of servers and of tokens up to which factors may rise
 * @param holdUtilisation utilisation from which factors fall, at least {@code maximumUtilisation}
 * @param extraLoadShare greatest share of the capacity of all tiers that copies may use
 * @param modelFirst whether the model is evaluated before factors are tried on live traffic
 * @param loadChange relative change of the arrival rate that restarts the search
 * @param variabilityChange relative change of any tier's variability w that restarts the search
 * @param smoothingMillis time constant of the averages of arrival rate and variability
 * @param periodMillis greatest time between two decisions, milliseconds
 * @param staleAfterMillis age of the newest window above which factors stay as they are and a trial ends
 * @param leaseMillis time for which a decision is valid, milliseconds
 */
@WithBuilder
public record ReplicationPolicy(
        boolean shadow,

        @Initializer(source = List.class, value = "of") @Distinct @Size(least = 1, most = 16)
        List<ReplicatedTier> tiers,

        TargetLatency target,
        @Range(most = Range.DAY_MILLIS) long objectiveMillis,
        @Range(most = 1) double maximumCollision,
        @Range(least = 0.01, most = 1) double maximumUtilisation,

        @Range(least = 0.01, leastOf = "maximumUtilisation", most = 1)
        double holdUtilisation,

        @Range(most = 1) double extraLoadShare,
        boolean modelFirst,
        TrialPolicy trials,
        @Range(least = 0.01, most = 1e6) double loadChange,
        @Range(least = 0.01, most = 1e6) double variabilityChange,
        @Range(least = 1, most = Range.DAY_MILLIS) long smoothingMillis,
        @Range(least = 100, most = Range.HOUR_MILLIS) long periodMillis,
        @Range(least = 100, most = Range.HOUR_MILLIS) long staleAfterMillis,
        @Range(least = 100, most = Range.HOUR_MILLIS) long leaseMillis,
        Optional<FactorOverride> override)
        implements ReplicationPolicyBuilder.With {
    private static final ReplicationPolicy EMPTY = ReplicationPolicyBuilder.builder()
            .shadow(true)
            .target(TargetLatency.P99)
            .maximumCollision(0.5)
            .maximumUtilisation(0.8)
            .holdUtilisation(0.9)
            .extraLoadShare(0.05)
            .modelFirst(true)
            .trials(TrialPolicy.DEFAULT)
            .loadChange(0.25)
            .variabilityChange(0.5)
            .smoothingMillis(300_000)
            .periodMillis(10_000)
            .staleAfterMillis(30_000)
            .leaseMillis(60_000)
            .build();

    /** A policy that targets the 99th percentile, in shadow mode, within an extra-load budget of 5 %. */
    public static ReplicationPolicy defaults(List<ReplicatedTier> tiers) {
        return builder().tiers(tiers).build();
    }

    /** A builder with the defaults. */
    public static ReplicationPolicyBuilder builder() {
        return EMPTY.toBuilder();
    }

    /** A builder with the values of this policy. */
    public ReplicationPolicyBuilder toBuilder() {
        return ReplicationPolicyBuilder.builder(this);
    }
}
