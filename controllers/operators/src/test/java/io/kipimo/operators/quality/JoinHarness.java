package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.BacklogSampling;
import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.operators.flink.KeyGroups;
import io.kipimo.schemas.codec.EventHead;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.JoinInput;
import io.kipimo.schemas.quality.Measurement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.types.Either;

/** A subtask of the join, behind what its feed does. */
final class JoinHarness extends KeyedOneInputStreamOperatorTestHarness<Integer, JoinInput, Measurement> {
    private final QueryJoinOperator join;
    private final PartitionTimes times;

    private JoinHarness(
            QueryJoinOperator join, PartitionTime.Tolerance tolerance, int maxParallelism, int parallelism, int subtask)
            throws Exception {
        super(join, KeyGroups.noKey(), PartitionKeys.TYPE, maxParallelism, parallelism, subtask);
        this.join = join;
        times = new PartitionTimes(tolerance);
    }

    /** The key under which it takes what is for all subtasks. */
    int address() {
        return new PartitionKeys(new HashPartitions(1), getEnvironment().getTaskInfo()).address();
    }

    /** Whether it has no query. */
    boolean isIdle() {
        return join.isIdle();
    }

    /** @param policy of the only known service */
    static JoinHarness of(
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
    static JoinHarness of(
            Policy policy,
            Duration backStop,
            LogPartitions partitions,
            PartitionTime.Tolerance tolerance,
            int maxParallelism,
            int parallelism,
            int subtask,
            BacklogSampling.BacklogSettings backlog)
            throws Exception {
        return of(policy, backStop, partitions, tolerance, maxParallelism, parallelism, subtask, backlog, false);
    }

    /** As above, behind a shuffle, or chained. */
    static JoinHarness of(
            Policy policy,
            Duration backStop,
            LogPartitions partitions,
            PartitionTime.Tolerance tolerance,
            int maxParallelism,
            int parallelism,
            int subtask,
            BacklogSampling.BacklogSettings backlog,
            boolean isShuffled)
            throws Exception {
        return new JoinHarness(
                new QueryJoinOperator(
                        new JoinSettings(Map.of(policy.service(), policy), "kipimo.", 1000, backStop, backlog),
                        partitions,
                        tolerance,
                        isShuffled),
                tolerance,
                maxParallelism,
                parallelism,
                subtask);
    }

    /** A single subtask of one partition, with these policies. */
    static JoinHarness alone(Map<String, Policy> known, Duration backStop) throws Exception {
        return alone(known, backStop, HeapLimit::ofThisProcess, new HashPartitions(1));
    }

    /**
     * As above, with another heap.
     *
     * @param partitions a single one
     */
    static JoinHarness alone(
            Map<String, Policy> known, Duration backStop, HeapLimit.HeapUse heap, LogPartitions partitions)
            throws Exception {
        PartitionTime.Tolerance tolerance = new PartitionTime.Tolerance(1_000, 3_600_000);
        return new JoinHarness(
                new QueryJoinOperator(
                        new JoinSettings(known, "kipimo.", 1000, backStop, BacklogSampling.BacklogSettings.OFF),
                        partitions,
                        tolerance,
                        false,
                        heap),
                tolerance,
                128,
                1,
                0);
    }

    /**
     * Opens a subtask.
     *
     * @param snapshot of all subtasks, at any parallelism; empty: of none
     */
    static void open(
            AbstractStreamOperatorTestHarness<?> harness,
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

    /** A snapshot of all subtasks, in their order. */
    static List<OperatorSubtaskState> snapshot(List<? extends AbstractStreamOperatorTestHarness<?>> subtasks)
            throws Exception {
        List<OperatorSubtaskState> states = new ArrayList<>();
        for (AbstractStreamOperatorTestHarness<?> subtask : subtasks) {
            states.add(subtask.snapshot(1, 1));
        }
        return states;
    }

    /** Takes what the source has read. */
    void read(JoinInput input, long millis) throws Exception {
        if (input instanceof LoggedEvent event) {
            times.place(event);
            processElement(event, millis);
        } else if (input instanceof RewrittenInput rewritten) {
            processElement(rewritten.event(), millis);
        } else if (input instanceof UnreadEvent unread) {
            processElement(new Unplaced(unread), millis);
        } else if (input instanceof PolicyInput policy) {
            processElement(new PolicyInput(policy.policy(), address()), millis);
        } else {
            processElement(input, millis);
        }
    }

    private final class Unplaced implements DeferredEvent {
        private final UnreadEvent unread;

        Unplaced(UnreadEvent unread) {
            this.unread = unread;
        }

        @Override
        public EventHead head() {
            return unread.head();
        }

        @Override
        public int partition() {
            return unread.partition();
        }

        @Override
        public long behindMillis() {
            return unread.behindMillis();
        }

        @Override
        public LoggedEvent read() {
            Either<DeadLetter, JoinInput> whole = unread.rest().get();
            if (whole.isLeft()) {
                return null;
            }
            LoggedEvent event = (LoggedEvent) whole.right();
            times.place(event);
            return event;
        }

        @Override
        public long leaveOut() {
            times.pass(unread);
            return times.reachedMillis(unread.partition());
        }
    }
}
