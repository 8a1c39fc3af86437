package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.BacklogSampling;

/**
 * Which queries of a partition a {@link QueryJoinOperator} measures, in its state.
 *
 * @param partitions number of partitions of the topic at the snapshot
 */
record StoredBacklog(int partition, int partitions, BacklogSampling.BacklogState sampling) {}
