package io.kipimo.operators.quality;

import io.kipimo.schemas.quality.JoinInput;

/**
 * Event time of an observation, as input of a {@link QueryJoinOperator}. It ends the windows of open queries when no
 * further queries come.
 *
 * @param eventTimeMillis epoch milliseconds
 */
public record TimeInput(long eventTimeMillis) implements JoinInput {}
