package io.kipimo.core.replication;

import io.kipimo.core.guard.Bounds;
import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.policy.TrialPolicy;

/**
 * Settings of the replicator of a service.
 *
 * @param objectiveMicros the SLA's bound on the target; a trial that breaks it is rolled back; 0: no bound
 * @param limits limits that factors must keep to be tried
 * @param holdUtilisation utilisation from which factors in force are lowered. At least the maximum utilisation of
 *     {@code limits}, at most 1. Between these two utilisations, factors stay but do not rise
 * @param loadChange relative change of the arrival rate that makes the search start again
 * @param variabilityChange relative change of some tier's variability w that makes an ended search start again
 * @param smoothingMillis time constant of the averages of load and variability
 * @param staleAfterMillis if the newest window is older, factors stay, and a running trial is rolled back
 * @param leaseMillis how long a decision is valid
 * @param modelFirst whether steps that the model rules out are skipped
 */
@WithBuilder
public record ReplicationSettings(
        TargetMetric target,
        long objectiveMicros,
        FeasibilityLimits limits,
        double holdUtilisation,
        TrialPolicy trials,
        double loadChange,
        double variabilityChange,
        long smoothingMillis,
        long staleAfterMillis,
        long leaseMillis,
        boolean modelFirst) {
    /** The target is the 99th percentile, without an SLA, and copies may add 5 % extra load. */
    public static final ReplicationSettings DEFAULT = ReplicationSettingsBuilder.builder()
            .target(TargetMetric.P99)
            .limits(new FeasibilityLimits(0.5, 0.8, 0.05))
            .holdUtilisation(0.9)
            .trials(TrialPolicy.DEFAULT)
            .loadChange(0.25)
            .variabilityChange(0.5)
            .smoothingMillis(300_000)
            .staleAfterMillis(30_000)
            .leaseMillis(60_000)
            .modelFirst(true)
            .build();

    public ReplicationSettings {
        Bounds.within("objectiveMicros", (double) objectiveMicros, 0, Long.MAX_VALUE);
        Bounds.within("holdUtilisation", holdUtilisation, limits.maximumUtilisation(), 1);
        Bounds.within("loadChange", loadChange, 0.01, 1e6);
        Bounds.within("variabilityChange", variabilityChange, 0.01, 1e6);
        Bounds.within("smoothingMillis", (double) smoothingMillis, 1, 86_400_000);
        Bounds.within("staleAfterMillis", (double) staleAfterMillis, 1, 3_600_000);
        Bounds.within("leaseMillis", (double) leaseMillis, 1, 3_600_000);
    }

    /** Limits of factors in force. */
    FeasibilityLimits holding() {
        return limits.withMaximumUtilisation(holdUtilisation);
    }

    /**
     * Limits of factors to try. The extra load has the same reserve as the utilisation. Without the reserve, a trial
     * could be ended by the budget that it uses itself, and would gain nothing.
     */
    FeasibilityLimits trying() {
        return limits.withExtraLoadShare(limits.extraLoadShare() * limits.maximumUtilisation() / holdUtilisation);
    }

    /** Gain of the target that is worth one more copy, microseconds. */
    double worthMicros(MeasuredFactors baseline) {
        return trials.minimumGain() * baseline.targetMicros(target);
    }

    /** The settings of a policy. */
    static ReplicationSettings of(ReplicationPolicy policy) {
        return ReplicationSettingsBuilder.builder()
                .target(TargetMetric.valueOf(policy.target().name()))
                .objectiveMicros(policy.objectiveMillis() * 1000)
                .limits(new FeasibilityLimits(
                        policy.maximumCollision(),
                        policy.maximumUtilisation(),
                        policy.extraLoadShare(),
                        policy.tiers().stream()
                                .map(ReplicatedTier::maximumFactor)
                                .map(most -> most == 0 ? Integer.MAX_VALUE : most)
                                .toList()))
                .holdUtilisation(policy.holdUtilisation())
                .trials(policy.trials())
                .loadChange(policy.loadChange())
                .variabilityChange(policy.variabilityChange())
                .smoothingMillis(policy.smoothingMillis())
                .staleAfterMillis(policy.staleAfterMillis())
                .leaseMillis(policy.leaseMillis())
                .modelFirst(policy.modelFirst())
                .build();
    }
}
