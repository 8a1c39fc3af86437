package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.ContributionBounds;

/**
 * State entry of an {@link ExpiredBoundsOperator}: what it has learned about a service in a partition.
 *
 * @param partitions number of partitions of the topic at the snapshot
 */
record StoredBounds(int partition, int partitions, String service, ContributionBounds bounds) {}
