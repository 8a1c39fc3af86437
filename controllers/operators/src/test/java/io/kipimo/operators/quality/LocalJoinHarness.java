package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.BacklogSampling;
import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.JoinInput;
import io.kipimo.schemas.quality.Measurement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.types.Either;

/** A subtask of the join in the task of the source. */
final class LocalJoinHarness {
    private LocalJoinHarness() {}

    /** @param policy of the only known service */
    static OneInputStreamOperatorTestHarness<Either<DeadLetter, JoinInput>, Measurement> of(
            Policy policy,
            Duration backStop,
            LogPartitions partitions,
            PartitionTime.Tolerance tolerance,
            int maxParallelism,
            int parallelism,
            int subtask)
            throws Exception {
        return of(
                policy,
                backStop,
                partitions,
                tolerance,
                maxParallelism,
                parallelism,
                subtask,
                BacklogSampling.BacklogSettings.OFF);
    }

    /** As above, with sampling of a backlog. */
    static OneInputStreamOperatorTestHarness<Either<DeadLetter, JoinInput>, Measurement> of(
            Policy policy,
            Duration backStop,
            LogPartitions partitions,
            PartitionTime.Tolerance tolerance,
            int maxParallelism,
            int parallelism,
            int subtask,
            BacklogSampling.BacklogSettings backlog)
            throws Exception {
        return new KeyedOneInputStreamOperatorTestHarness<>(
                new LocalQueryJoinOperator(
                        new JoinSettings(Map.of(policy.service(), policy), "kipimo.", 1000, backStop, backlog),
                        partitions,
                        tolerance),
                LocalQueryJoinOperator.NO_KEY,
                LocalQueryJoinOperator.KEY_TYPE,
                maxParallelism,
                parallelism,
                subtask);
    }

    /**
     * Opens a subtask.
     *
     * @param snapshot of all subtasks, at any parallelism; empty: of none
     */
    static void open(
            OneInputStreamOperatorTestHarness<Either<DeadLetter, JoinInput>, Measurement> harness,
            List<OperatorSubtaskState> snapshot,
            int maxParallelism,
            int parallelism,
            int subtask)
            throws Exception {
        if (!snapshot.isEmpty()) {
            harness.initializeState(AbstractStreamOperatorTestHarness.repartitionOperatorState(
                    AbstractStreamOperatorTestHarness.repackageState(snapshot.toArray(new OperatorSubtaskState[0])),
                    maxParallelism,
                    snapshot.size(),
                    parallelism,
                    subtask));
        }
        harness.open();
    }
}
