package io.kipimo.core.replication;

import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.schemas.tails.TailWindow;
import java.util.List;

/**
 * State of the replication loop of one service.
 *
 * @param tiers names of the tiers, first to last; if the policy names others, the state starts again
 * @param replicator state of the replicator of these tiers
 * @param pending windows that wait for windows of other tiers with the same end
 */
@WithBuilder
public record ReplicationState(List<String> tiers, ReplicatorState replicator, List<TailWindow> pending)
        implements ReplicationStateBuilder.With {
    public ReplicationState {
        tiers = List.copyOf(tiers);
        pending = List.copyOf(pending);
    }

    /** The state before the first policy. */
    public static ReplicationState initial() {
        return new ReplicationState(List.of(), ReplicatorState.initial(1), List.of());
    }

    /** The state before any window. */
    static ReplicationState initial(List<String> tiers) {
        return new ReplicationState(tiers, ReplicatorState.initial(tiers.size()), List.of());
    }
}
