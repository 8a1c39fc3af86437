package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.BacklogSampling;

/**
 * State entry of a {@link QueryJoinOperator}: which queries of a partition it measures while it samples its backlog.
 *
 * @param partitions number of partitions of the topic at the snapshot
 */
record StoredBacklog(int partition, int partitions, BacklogSampling.BacklogState sampling) {}
