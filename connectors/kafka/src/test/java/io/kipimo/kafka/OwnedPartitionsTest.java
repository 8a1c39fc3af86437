package io.kipimo.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.api.connector.source.mocks.MockSplitEnumeratorContext;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which reader gets which partitions, and when. */
class OwnedPartitionsTest {
    private static final KafkaPartitionSplit POLICIES = split("policies", 0, 0);

    private final MockSplitEnumeratorContext<KafkaPartitionSplit> flink = new MockSplitEnumeratorContext<>(2);
    private final OwnedPartitionsContext context =
            new OwnedPartitionsContext(flink, Optional.of(POLICIES), "observations", new KafkaPartitions(4), 128);
    private final Discovery discovery = new Discovery(context);
    private final OwnedPartitionsEnumerator enumerator = new OwnedPartitionsEnumerator(discovery, context);

    @AfterEach
    void close() throws Exception {
        flink.close();
    }

    @Test
    void partitionsThatReadersBringGoToTheirOwnersTogether() throws Throwable {
        discover();
        // After a savepoint of one subtask, the state of its source is anywhere.
        add(0, split("answers", 0, 7), split("answers", 1, 8));
        assertThat(assigned()).as("one reader is missing").isEmpty();
        add(1, split("answers", 2, 9), split("answers", 3, 10));
        assertThat(assigned())
                .isEqualTo(List.of(Map.of(
                        0, List.of("answers-0@7", "answers-2@9"),
                        1, List.of("answers-1@8", "answers-3@10"))));
    }

    /** Policies have no event time. Alone, they would make their reader idle. */
    @Test
    void everyReaderGetsThePoliciesWithItsPartitions() throws Throwable {
        discover();
        add(0, split("answers", 0, 7));
        assertThat(flink.getSplitsAssignmentSequence())
                .as("one reader is missing")
                .isEmpty();
        add(1);
        assertThat(flink.getSplitsAssignmentSequence())
                .singleElement()
                .extracting(SplitsAssignment::assignment)
                .isEqualTo(Map.of(
                        0, List.of(POLICIES, split("answers", 0, 7)),
                        1, List.of(POLICIES)));
        enumerator.addSplitsBack(List.of(), 1);
        add(1);
        assertThat(flink.getSplitsAssignmentSequence().get(1).assignment())
                .as("a reader that comes back reads them again")
                .isEqualTo(Map.of(1, List.of(POLICIES)));
    }

    /** Each subtask has an event time of its own, and a server's observations one partition. */
    @Test
    void everyReaderReadsAllObservations() throws Throwable {
        discover(split("answers", 0, 0), split("observations", 0, 0));
        add(0);
        add(1);
        discovery.found = List.of(split("observations", 1, 0));
        flink.runPeriodicCallable(0);
        flink.runNextOneTimeCallable();
        assertThat(assigned())
                .isEqualTo(List.of(
                        Map.of(
                                0, List.of("answers-0@0", "observations-0@0"),
                                1, List.of("observations-0@0")),
                        Map.of(
                                0, List.of("observations-1@0"),
                                1, List.of("observations-1@0"))));
    }

    /** Readers were at different places, and a reader may get the splits of several others. */
    @Test
    void observationsGoOnWhereTheSlowestReaderWas() throws Throwable {
        discover(split("observations", 0, 0));
        add(0, split("observations", 0, 7), split("observations", 0, 5));
        add(1, split("observations", 0, 6));
        assertThat(assigned())
                .isEqualTo(List.of(Map.of(
                        0, List.of("observations-0@5"),
                        1, List.of("observations-0@5"))));
    }

    @Test
    void newPartitionsAreAssignedTogetherWithTheOthers() throws Throwable {
        discovery.found = List.of(split("answers", 2, 0));
        enumerator.start();
        add(0, split("answers", 0, 7));
        add(1, split("answers", 1, 8));
        flink.runPeriodicCallable(0);
        assertThat(assigned()).as("offsets of the third are not known yet").isEmpty();
        flink.runNextOneTimeCallable();
        assertThat(assigned())
                .isEqualTo(List.of(Map.of(
                        0, List.of("answers-0@7", "answers-2@0"),
                        1, List.of("answers-1@8"))));
    }

    @Test
    void aReaderThatComesBackGetsItsPartitionsAgain() throws Throwable {
        discover(split("answers", 0, 0), split("answers", 1, 0));
        add(0);
        add(1);
        flink.unregisterReader(1);
        enumerator.addSplitsBack(List.of(split("answers", 1, 0)), 1);
        add(1);
        assertThat(assigned())
                .isEqualTo(List.of(
                        Map.of(0, List.of("answers-0@0"), 1, List.of("answers-1@0")),
                        Map.of(1, List.of("answers-1@0"))));
    }

    @Test
    void aCheckpointKnowsThePartitionsThatNoReaderHasYet() throws Throwable {
        add(0, split("answers", 0, 7), split("observations", 0, 3));
        discovery.state = new KafkaSourceEnumState(
                List.of(split("answers", 0, 0), split("answers", 1, 0), split("observations", 0, 0)),
                List.of(split("answers", 2, 0)),
                true);
        KafkaSourceEnumState state = enumerator.snapshotState(1);
        assertThat(state.assignedSplits()).map(OwnedPartitionsTest::place).containsExactly("answers-1@0");
        assertThat(state.unassignedSplits())
                .map(OwnedPartitionsTest::place)
                .containsExactlyInAnyOrder("answers-0@7", "answers-2@0", "observations-0@3");
        assertThat(state.initialDiscoveryFinished()).isTrue();
    }

    /** The assignments so far, by reader, without the policies. */
    private List<Map<Integer, List<String>>> assigned() {
        return flink.getSplitsAssignmentSequence().stream()
                .map(SplitsAssignment::assignment)
                .map(all -> all.entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().stream()
                                .filter(s -> !s.equals(POLICIES))
                                .map(OwnedPartitionsTest::place)
                                .sorted()
                                .toList())))
                .toList();
    }

    private void add(int subtask, KafkaPartitionSplit... brought) {
        flink.registerReader(ReaderInfo.createReaderInfo(subtask, "here", Arrays.asList(brought)));
        enumerator.addReader(subtask);
    }

    /** As Kafka's enumerator: first the partitions are listed, then their offsets. */
    private void discover(KafkaPartitionSplit... found) throws Throwable {
        discovery.found = List.of(found);
        enumerator.start();
        flink.runPeriodicCallable(0);
        flink.runNextOneTimeCallable();
    }

    private static KafkaPartitionSplit split(String topic, int partition, long offset) {
        return new KafkaPartitionSplit(new TopicPartition(topic, partition), offset);
    }

    private static String place(KafkaPartitionSplit split) {
        return split.splitId() + "@" + split.getStartingOffset();
    }

    /** Finds partitions in two steps, and gives all to the first reader. */
    private static final class Discovery implements SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> {
        private final SplitEnumeratorContext<KafkaPartitionSplit> context;
        private List<KafkaPartitionSplit> found = List.of();
        private KafkaSourceEnumState state;

        Discovery(SplitEnumeratorContext<KafkaPartitionSplit> context) {
            this.context = context;
        }

        @Override
        public void start() {
            context.callAsync(
                    () -> found,
                    (partitions, failure) -> context.callAsync(
                            () -> partitions,
                            (splits, f) -> context.assignSplits(new SplitsAssignment<>(Map.of(0, splits)))),
                    0,
                    10_000);
        }

        @Override
        public void handleSplitRequest(int subtask, String host) {}

        @Override
        public void addSplitsBack(List<KafkaPartitionSplit> splits, int subtask) {}

        @Override
        public void addReader(int subtask) {}

        @Override
        public KafkaSourceEnumState snapshotState(long checkpoint) {
            return state;
        }

        @Override
        public void close() {}
    }
}
