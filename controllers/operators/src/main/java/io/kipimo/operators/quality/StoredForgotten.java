package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.ForgottenQueries.ForgottenPart;

/**
 * State entry of a {@link QueryJoinOperator}: queries that it has removed from a partition.
 *
 * @param partitions number of partitions of the topic at the snapshot
 */
record StoredForgotten(int partition, int partitions, ForgottenPart part) {}
