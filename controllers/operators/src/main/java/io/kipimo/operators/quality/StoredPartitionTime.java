package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.PartitionTime;

/**
 * An entry of the state of {@link PartitionTimes}. Immutable: a state backend keeps it, and writes it while the
 * partition is read on.
 *
 * @param place of the partition
 * @param time a copy, in and out
 */
record StoredPartitionTime(int place, PartitionTime time) {
    StoredPartitionTime {
        time = time.copy();
    }

    @Override
    public PartitionTime time() {
        return time.copy();
    }

    int partition() {
        return place / PartitionTimes.KINDS;
    }
}
