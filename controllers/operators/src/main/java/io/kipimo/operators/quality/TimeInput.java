package io.kipimo.operators.quality;

import io.kipimo.schemas.quality.JoinInput;

/**
 * Event time of an observation as input of a {@link QueryJoinOperator}; it ends the windows of open queries when no
 * further query comes.
 *
 * @param eventTimeMillis epoch milliseconds
 */
public record TimeInput(long eventTimeMillis) implements JoinInput {}
