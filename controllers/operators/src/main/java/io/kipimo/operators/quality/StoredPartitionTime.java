package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.PartitionTime;

/**
 * An entry of the state of {@link PartitionTimes}.
 *
 * @param place of the partition
 */
record StoredPartitionTime(int place, PartitionTime time) {
    int partition() {
        return place / PartitionTimes.KINDS;
    }
}
