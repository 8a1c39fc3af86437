package io.kipimo.operators.quality;

import io.kipimo.operators.flink.KeyGroups;
import io.kipimo.schemas.quality.Measurement;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;

/** A subtask of the operator that gives expired measurements their low ends. */
final class BoundsHarness extends KeyedOneInputStreamOperatorTestHarness<Integer, Measurement, Measurement> {
    BoundsHarness(LogPartitions partitions, int maxParallelism, int parallelism, int subtask) throws Exception {
        super(
                new ExpiredBoundsOperator(partitions),
                KeyGroups.noKey(),
                PartitionKeys.TYPE,
                maxParallelism,
                parallelism,
                subtask);
    }

    /** The only subtask, which learns from all rows alike. */
    static BoundsHarness alone() throws Exception {
        return new BoundsHarness(new HashPartitions(1), 128, 1, 0);
    }
}
