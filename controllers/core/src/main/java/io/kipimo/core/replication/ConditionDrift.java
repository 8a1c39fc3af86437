package io.kipimo.core.replication;

import java.util.Optional;

/** Detects that load or variability have moved away from the conditions under which the search began. */
final class ConditionDrift {
    private ConditionDrift() {}

    /** The reason why the search must start again; empty if conditions are still alike, or not known yet. */
    static Optional<ReplicationReason> of(ReplicatorState state, ReplicationSettings settings) {
        if (state.reference().isEmpty()) {
            return Optional.empty();
        }
        Conditions then = state.reference().orElseThrow();
        Conditions now = state.smoothed().orElseThrow();
        if (now.loadDiffers(then, settings.loadChange())) {
            return Optional.of(ReplicationReason.RESTARTED_LOAD);
        }
        return state.ended() && isMature(then, settings) && now.variabilityDiffers(then, settings.variabilityChange())
                ? Optional.of(ReplicationReason.RESTARTED_VARIABILITY)
                : Optional.empty();
    }

    /** Takes the variability into the reference conditions once it is mature. Called after the end of a search. */
    static ReplicatorState withMatureReference(ReplicatorState state, ReplicationSettings settings) {
        boolean matured = state.reference().filter(c -> isMature(c, settings)).isEmpty()
                && state.smoothed().filter(c -> isMature(c, settings)).isPresent();
        return matured ? state.withReferenceVariability() : state;
    }

    /** Whether the variability was averaged long enough that a difference is not chance. */
    private static boolean isMature(Conditions conditions, ReplicationSettings settings) {
        return 2 * conditions.settledMillis() >= settings.smoothingMillis();
    }
}
