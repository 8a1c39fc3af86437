package io.kipimo.operators.quality;

import io.kipimo.schemas.quality.QueryKey;

/** Partitions by another hash than Kafka's. */
record HashPartitions(int count) implements LogPartitions {
    private static final long serialVersionUID = 1L;

    @Override
    public int partitionOf(QueryKey key) {
        return Math.floorMod(key.hashCode(), count);
    }
}
