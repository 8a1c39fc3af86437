package io.kipimo.operators.quality;

import io.kipimo.schemas.quality.QueryKey;
import java.io.Serializable;

/** The partitions of the topics of answers and partial results, which have the same number. */
public interface LogPartitions extends Serializable {
    /** Number of partitions of each topic when the job was submitted. */
    int count();

    /** Partition of a query's events: a hash of the key modulo {@link #count}. */
    int partitionOf(QueryKey key);

    /** Subtask that reads and joins a partition. */
    static int owner(int partition, int parallelism) {
        return partition % parallelism;
    }
}
