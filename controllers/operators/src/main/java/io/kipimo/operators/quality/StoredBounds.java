package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.ContributionBounds;

/**
 * What an {@link ExpiredBoundsOperator} has learned of a service in a partition, in its state.
 *
 * @param partitions number of partitions of the topic at the snapshot
 */
record StoredBounds(int partition, int partitions, String service, ContributionBounds bounds) {}
