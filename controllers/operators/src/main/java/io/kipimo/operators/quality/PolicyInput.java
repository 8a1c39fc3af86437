package io.kipimo.operators.quality;

import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.JoinInput;

/** A policy as input of a {@link LocalQueryJoinOperator}. */
public record PolicyInput(Policy policy) implements JoinInput {
    @Override
    public long eventTimeMillis() {
        return Long.MIN_VALUE;
    }
}
