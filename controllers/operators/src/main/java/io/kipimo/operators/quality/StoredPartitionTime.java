package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.PartitionTime;

/**
 * An entry of the state of {@link PartitionTimes}. Immutable, because a state backend keeps the entry and writes it
 * while the partition's time goes on.
 *
 * @param place place of the partition and topic, {@link PartitionTimes#placeOf}
 * @param time time of the partition, copied on the way in and out
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
