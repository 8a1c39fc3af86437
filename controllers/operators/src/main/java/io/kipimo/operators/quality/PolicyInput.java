package io.kipimo.operators.quality;

import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.JoinInput;

/**
 * A policy as input of a {@link QueryJoinOperator}. Each subtask of the source reads all policies, and sends them to
 * the key groups that it owns.
 *
 * @param key key to which the policy is sent, {@link PartitionKeys#address}
 */
public record PolicyInput(Policy policy, int key) implements JoinInput {
    /** Creates an input for a policy that was just read, without a key yet. */
    public PolicyInput(Policy policy) {
        this(policy, 0);
    }

    @Override
    public long eventTimeMillis() {
        return Long.MIN_VALUE;
    }
}
