package io.kipimo.schemas.policy;

import java.util.List;
import java.util.Optional;

/**
 * How the replication factors of a service are searched; defaults in {@link #defaults}.
 *
 * @param shadow decide and publish, change nothing
 * @param tiers first to last, at least one, names unique
 * @param objectiveMillis the SLA's bound on the target; 0: none, no trial is rolled back for it
 * @param maximumCollision P_max: of copies of first-tier requests at any tier, 0..1
 * @param maximumUtilisation of servers and of tokens, up to which factors may rise
 * @param holdUtilisation from which on they come down, at least {@code maximumUtilisation}
 * @param extraLoadShare most work that copies may add, as a share of the capacity of all tiers
 * @param modelFirst whether the model is asked before live traffic is
 * @param loadChange relative change of the arrival rate that makes the search start again
 * @param variabilityChange relative change of some tier's w that does
 * @param smoothingMillis time constant over which both are averaged for that
 * @param periodMillis heartbeat of decisions
 * @param staleAfterMillis age of the newest window at which nothing moves any more and a trial ends
 * @param leaseMillis how long a decision is valid
 */
public record ReplicationPolicy(
        boolean shadow,
        List<ReplicatedTier> tiers,
        TargetLatency target,
        long objectiveMillis,
        double maximumCollision,
        double maximumUtilisation,
        double holdUtilisation,
        double extraLoadShare,
        boolean modelFirst,
        TrialPolicy trials,
        double loadChange,
        double variabilityChange,
        long smoothingMillis,
        long periodMillis,
        long staleAfterMillis,
        long leaseMillis,
        Optional<FactorOverride> override) {

    /** The 99th percentile, in shadow, within an extra-load budget of 5 %. */
    public static ReplicationPolicy defaults(List<ReplicatedTier> tiers) {
        return new ReplicationPolicy(
                true,
                tiers,
                TargetLatency.P99,
                0,
                0.5,
                0.8,
                0.9,
                0.05,
                true,
                TrialPolicy.DEFAULT,
                0.25,
                0.5,
                300_000,
                10_000,
                30_000,
                60_000,
                Optional.empty());
    }

    /** The same with another override, or without one. */
    public ReplicationPolicy withOverride(Optional<FactorOverride> word) {
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
                word);
    }
}
