package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.ForgottenQueries.Part;

/**
 * Queries that a {@link LocalQueryJoinOperator} has removed from a partition, in its state.
 *
 * @param partitions number of partitions of the topic at the snapshot
 */
record StoredForgotten(int partition, int partitions, Part part) {}
