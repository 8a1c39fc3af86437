package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.ForgottenQueries.ForgottenPart;

/**
 * Queries that a {@link QueryJoinOperator} has removed from a partition, in its state.
 *
 * @param partitions number of partitions of the topic at the snapshot
 */
record StoredForgotten(int partition, int partitions, ForgottenPart part) {}
