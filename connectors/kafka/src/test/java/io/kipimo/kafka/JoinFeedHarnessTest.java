package io.kipimo.kafka;

import static io.kipimo.kafka.Entries.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.operators.quality.FeedTime;
import io.kipimo.operators.quality.LogPartitions;
import io.kipimo.operators.quality.PartitionKeys;
import io.kipimo.operators.quality.PolicyInput;
import io.kipimo.operators.quality.RewrittenInput;
import io.kipimo.operators.quality.TimeInput;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.JoinInput;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.SampledEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.TaskInfoImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFinalizer;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.types.Either;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an event states of its partition, as the job's source passes it on. */
class JoinFeedHarnessTest {
    private static final long OUT_OF_ORDER = 2_000;
    private static final long IDLE = 10_000;
    private static final LogPartitions PARTITIONS = new KafkaPartitions(8);

    private static final int MAX_PARALLELISM = 128;

    private static OneInputStreamOperatorTestHarness<Either<DeadLetter, JoinInput>, JoinInput> harness()
            throws Exception {
        return harness(1, 0, false);
    }

    private static OneInputStreamOperatorTestHarness<Either<DeadLetter, JoinInput>, JoinInput> harness(
            int parallelism, int subtask, boolean isShuffled) throws Exception {
        return new KeyedOneInputStreamOperatorTestHarness<Integer, Either<DeadLetter, JoinInput>, JoinInput>(
                new JoinFeed(5, PARTITIONS, new PartitionTime.Tolerance(OUT_OF_ORDER, IDLE), isShuffled),
                input -> 0,
                Types.INT,
                MAX_PARALLELISM,
                parallelism,
                subtask);
    }

    private static LoggedEvent event(int partition, long completedAtMillis, long appendedAtMillis) throws Exception {
        LoggedEvent event = new EventScanner()
                .partial(
                        Codecs.PARTIAL_RESULT.encode(PartialResultBuilder.builder()
                                .service("shop")
                                .queryId("q")
                                .component("c")
                                .server("")
                                .phase(Phase.ONLINE)
                                .completedAtMillis(completedAtMillis)
                                .items(Items.NONE)
                                .build()),
                        partition,
                        0);
        event.place(SampledEvent.NO_LOG, appendedAtMillis, true);
        return event;
    }

    private static LoggedEvent pass(
            OneInputStreamOperatorTestHarness<Either<DeadLetter, JoinInput>, JoinInput> to, LoggedEvent event)
            throws Exception {
        to.processElement(Either.Right(event), 0);
        return event;
    }

    private static void assertPlace(LoggedEvent event, long reachedMillis, long appendedMillis, boolean proven) {
        assertThat(event.watermarkMillis()).isEqualTo(reachedMillis - OUT_OF_ORDER - 1);
        assertThat(event.appendWatermarkMillis()).isEqualTo(appendedMillis - OUT_OF_ORDER - 1);
        assertThat(event.isProven()).isEqualTo(proven);
    }

    @Test
    void anEventStatesWhatItsPartitionHadReached() throws Exception {
        try (var harness = harness()) {
            harness.open();
            assertPlace(pass(harness, event(0, NOW, NOW + 10)), 0, NOW + 10, false);
            // Event time is past the beginning of the partition from here on.
            assertPlace(pass(harness, event(0, NOW + 20, NOW + 30)), NOW, NOW + 30, false);
            assertPlace(pass(harness, event(0, NOW - 500, NOW + 40)), NOW + 20, NOW + 40, true);
            // A clock that is ahead moves its partition to the append time only.
            assertPlace(pass(harness, event(0, NOW + 9_000, NOW + 50)), NOW + 20, NOW + 50, true);
            // A new leader's clock is behind.
            assertPlace(pass(harness, event(0, NOW + 60, NOW - 700)), NOW + 50, NOW + 50, true);
            // Another partition, and a silence.
            assertPlace(pass(harness, event(1, NOW, NOW + 60)), 0, NOW + 60, false);
            long later = NOW + 60 + IDLE;
            assertPlace(pass(harness, event(0, NOW + 70, later)), NOW + 50, later, false);
        }
    }

    @Test
    void itGoesOnAfterARestore() throws Exception {
        OperatorSubtaskState state;
        try (var harness = harness()) {
            harness.open();
            pass(harness, event(0, NOW, NOW));
            pass(harness, event(0, NOW + 100, NOW + 100));
            state = harness.snapshot(1, 1);
            pass(harness, event(0, NOW + 5_000, NOW + 5_000));
        }
        try (var restored = harness()) {
            restored.initializeState(state);
            restored.open();
            assertPlace(pass(restored, event(0, NOW + 200, NOW + 200)), NOW + 100, NOW + 200, true);
        }
    }

    /** A state backend writes a checkpoint while the task reads on. What it reads then is not in the checkpoint. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCheckpointThatIsWrittenLaterHasWhatWasReadBefore(boolean isRestored) throws Exception {
        OperatorSubtaskState before;
        try (var harness = harness()) {
            harness.open();
            pass(harness, event(0, NOW, NOW));
            before = harness.snapshot(1, 1);
        }
        OperatorSnapshotFinalizer written;
        try (var harness = harness()) {
            if (isRestored) {
                harness.initializeState(before);
            }
            harness.open();
            pass(harness, event(0, NOW + 100, NOW + 100));
            OperatorSnapshotFutures begun = harness.getOperator()
                    .snapshotState(
                            2,
                            2,
                            CheckpointOptions.forCheckpointWithDefaultLocation(),
                            new MemCheckpointStreamFactory(1 << 20));
            pass(harness, event(0, NOW + 5_000, NOW + 5_000));
            written = OperatorSnapshotFinalizer.create(begun);
        }
        try (var restored = harness()) {
            restored.initializeState(written.getJobManagerOwnedState());
            restored.open();
            assertPlace(pass(restored, event(0, NOW + 200, NOW + 200)), NOW + 100, NOW + 200, true);
        }
    }

    /** Each subtask gets what it stored of the partitions that it owns, at any parallelism. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 12})
    void itFollowsItsPartitionWhenTheJobIsRescaled(int parallelism) throws Exception {
        OperatorSubtaskState state;
        try (var harness = harness()) {
            harness.open();
            for (int partition = 0; partition < PARTITIONS.count(); partition++) {
                pass(harness, event(partition, NOW, NOW));
                pass(harness, event(partition, NOW + 100 + partition, NOW + 200));
            }
            state = harness.snapshot(1, 1);
        }
        for (int partition = 0; partition < PARTITIONS.count(); partition++) {
            int owner = PARTITIONS.owner(partition, parallelism, MAX_PARALLELISM);
            try (var restored = harness(parallelism, owner, false)) {
                restored.initializeState(AbstractStreamOperatorTestHarness.repartitionOperatorState(
                        state, MAX_PARALLELISM, 1, parallelism, owner));
                restored.open();
                assertPlace(
                        pass(restored, event(partition, NOW + 300, NOW + 300)), NOW + 100 + partition, NOW + 300, true);
            }
        }
    }

    @Test
    void whatItPassesOnAreEventsAndPoliciesOfItsSubtask() throws Exception {
        try (var harness = harness()) {
            harness.open();
            LoggedEvent event = event(0, NOW, NOW);
            harness.processElement(Either.Right(new TimeInput(NOW)), 0);
            harness.processElement(Either.Right(new RewrittenInput(event)), 0);
            assertThat(harness.extractOutputValues()).singleElement().satisfies(out -> assertThat(
                            ((LoggedEvent) out).appendWatermarkMillis())
                    .as("its former place")
                    .isEqualTo(event.appendWatermarkMillis()));
        }
    }

    /** Watermarks would let the others pass an idle subtask that has records again. */
    @Test
    void throughAShuffleItTellsEverySubtaskHowFarItHasCome() throws Exception {
        try (var harness = harness(2, 1, true)) {
            harness.open();
            harness.processWatermark(new Watermark(NOW));
            harness.processWatermarkStatus(WatermarkStatus.IDLE);
            assertThat(harness.getOutput()).allMatch(StreamRecord.class::isInstance);
            List<FeedTime> said = harness.extractOutputValues().stream()
                    .map(FeedTime.class::cast)
                    .toList();
            assertThat(said).hasSize(2 * MAX_PARALLELISM).allMatch(time -> time.feed() == 1 && time.feeds() == 2);
            assertThat(said.get(0).isIdle()).isFalse();
            assertThat(said.subList(MAX_PARALLELISM, said.size()))
                    .allMatch(time -> time.isIdle() && time.eventTimeMillis() == NOW)
                    .extracting(time -> KeyGroupRangeAssignment.assignToKeyGroup(time.key(), MAX_PARALLELISM))
                    .containsExactlyElementsOf(
                            IntStream.range(0, MAX_PARALLELISM).boxed().toList());
        }
    }

    /** Whatever the parallelism of the join, each of its subtasks gets every policy, and takes it once. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 128})
    void throughAShuffleEverySubtaskOfTheJoinGetsEveryPolicyOnce(int parallelism) throws Exception {
        List<Integer> keys = new ArrayList<>();
        for (int subtask = 0; subtask < 2; subtask++) {
            try (var harness = harness(2, subtask, true)) {
                harness.open();
                harness.processElement(
                        Either.Right(new PolicyInput(
                                Policy.builder().service("shop").version(1).build())),
                        0);
                harness.extractOutputValues().forEach(out -> keys.add(((PolicyInput) out).key()));
            }
        }
        for (int subtask = 0; subtask < parallelism; subtask++) {
            TaskInfo join = new TaskInfoImpl("join", MAX_PARALLELISM, subtask, parallelism, 0);
            assertThat(keys).containsOnlyOnce(new PartitionKeys(PARTITIONS, join).address());
        }
    }
}
