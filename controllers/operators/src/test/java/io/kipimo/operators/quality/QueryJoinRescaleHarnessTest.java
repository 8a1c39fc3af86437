package io.kipimo.operators.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.core.Effort;
import io.kipimo.core.quality.join.Events;
import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.operators.KeyedState;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.JoinInput;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** State of the join in the task of the source: it follows the partitions, and only its subtask. */
class QueryJoinRescaleHarnessTest {
    private static final int MAX_PARALLELISM = 128;
    private static final int QUERIES = 100;
    private static final PartitionTime.Tolerance TOLERANCE = new PartitionTime.Tolerance(1_000, 3_600_000);

    private final List<JoinHarness> subtasks = new ArrayList<>();
    private LogPartitions partitions;

    @AfterEach
    void stop() throws Exception {
        for (var subtask : subtasks) {
            subtask.close();
        }
        subtasks.clear();
    }

    /** Fewer than subtasks, and more. */
    static Stream<Integer> counts() {
        return Effort.first(2, 3, 12, 1, 2, 4, 6, 8, 10, 100, 200);
    }

    @ParameterizedTest
    @MethodSource("counts")
    void eachOpenQueryIsMeasuredOnceWhateverTheParallelismOnItsWay(int count) throws Exception {
        List<Measurement> rows = new ArrayList<>();
        List<OperatorSubtaskState> snapshot = List.of();
        int opened = 0;
        for (int parallelism : new int[] {1, 2, 8, 2, 1}) {
            start(count, parallelism, snapshot);
            // Every second one is open during another restart.
            for (int query = 0; query < opened; query++) {
                if (query % 2 == 0 || query < opened - QUERIES) {
                    send(result(query));
                }
            }
            for (int end = opened + QUERIES; opened < end; opened++) {
                send(answer(opened, Events.START));
            }
            rows.addAll(rows());
            snapshot = snapshot();
            stop();
        }
        start(count, 1, snapshot);
        for (int query = 0; query < opened; query++) {
            send(result(query));
        }
        for (var subtask : subtasks) {
            subtask.processWatermark(new Watermark(Events.START + 3_600_000));
        }
        rows.addAll(rows());
        assertThat(rows)
                .extracting(Measurement::queryId)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, opened)
                        .mapToObj(QueryJoinRescaleHarnessTest::id)
                        .toList());
        assertThat(rows).allMatch(row -> row.completeness() == Completeness.COMPLETE);
    }

    static Stream<Arguments> additions() {
        return Effort.first(
                2,
                Arguments.of(3, 6, 3),
                Arguments.of(2, 7, 1),
                Arguments.of(4, 8, 4),
                Arguments.of(4, 16, 2),
                Arguments.of(6, 12, 2),
                Arguments.of(4, 6, 1),
                Arguments.of(3, 4, 1));
    }

    @ParameterizedTest
    @MethodSource("additions")
    void afterPartitionsWereAddedQueriesContinueInTheirSubtask(int former, int count, int parallelism)
            throws Exception {
        start(former, 4, List.of());
        for (int query = 0; query < QUERIES; query++) {
            send(answer(query, Events.START));
        }
        List<OperatorSubtaskState> snapshot = snapshot();
        stop();
        start(count, parallelism, snapshot);
        snapshot = snapshot();
        stop();
        start(count, 8, snapshot);
        for (int query = 0; query < QUERIES; query++) {
            send(result(query));
        }
        assertThat(rows()).hasSize(QUERIES).allMatch(row -> row.completeness() == Completeness.COMPLETE);
    }

    static Stream<Arguments> restarts() {
        return Effort.first(
                2,
                Arguments.of(4, 2, 4, 1),
                Arguments.of(4, 4, 8, 4),
                Arguments.of(4, 1, 4, 2),
                Arguments.of(4, 4, 6, 1));
    }

    /** As strays that another subtask wrote again, behind a backlog that this one has read. */
    @ParameterizedTest
    @MethodSource("restarts")
    void eventsThatComeLongAfterTheirWindowsBeginOnlyQueriesThatWereNeverThere(
            int former, int before, int count, int after) throws Exception {
        start(former, before, List.of());
        advance(Events.START);
        for (int query = 0; query < QUERIES; query++) {
            send(answer(query, Events.START));
            send(result(query));
        }
        advance(Events.START + 60_000);
        List<Measurement> rows = new ArrayList<>(rows());
        List<OperatorSubtaskState> snapshot = snapshot();
        stop();
        start(count, after, snapshot);
        advance(Events.START + 120_000);
        for (int query = 0; query < 2 * QUERIES; query++) {
            rewrite(answer(query, Events.START));
            rewrite(result(query));
        }
        advance(Events.START + 200_000);
        rows.addAll(rows());
        assertThat(rows)
                .hasSize(2 * QUERIES)
                .allMatch(row -> row.completeness() == Completeness.COMPLETE)
                .extracting(Measurement::queryId)
                .doesNotHaveDuplicates();
        assertThat(subtasks.stream()
                        .mapToInt(s -> s.getSideOutput(QueryJoinOperator.LATE_EVENTS_OUTPUT)
                                .size())
                        .sum())
                .as("the others are not lost silently")
                .isEqualTo(2 * QUERIES);
    }

    private void advance(long millis) throws Exception {
        for (var subtask : subtasks) {
            subtask.processWatermark(new Watermark(millis));
        }
    }

    /** Flink writes what a key has as one array into a canonical savepoint: at most 2 GB. */
    @Test
    void theQueriesOfAPartitionAreSpreadOverKeys() throws Exception {
        start(1, 1, List.of());
        for (int query = 0; query < 1_000; query++) {
            send(answer(query, Events.START));
        }
        subtasks.get(0).snapshot(1, 1);
        assertThat(KeyedState.entries(subtasks.get(0))).isGreaterThan(200);
        subtasks.get(0).notifyOfCompletedCheckpoint(1);
        assertThat(KeyedState.entries(subtasks.get(0)))
                .as("only the choice of queries stays")
                .isLessThan(3);
    }

    @Test
    void aParallelismAtWhichQueriesWouldLeaveTheirSubtaskIsRefused() throws Exception {
        start(4, 4, List.of());
        for (int query = 0; query < QUERIES; query++) {
            send(answer(query, Events.START));
        }
        List<OperatorSubtaskState> snapshot = snapshot();
        stop();
        assertThatThrownBy(() -> start(8, 8, snapshot))
                .rootCause()
                .hasMessageMatching("the savepoint has open queries of partition \\d of 4, which may be in"
                        + " partition \\d of 8 now, in another subtask at parallelism 8;"
                        + " allowed: parallelism 4 for the first start, then a savepoint of"
                        + " this start with any parallelism");
        stop();
        assertThatThrownBy(() -> start(6, 4, snapshot))
                .rootCause()
                .hasMessageContaining("allowed: parallelism 1 for the first start");
    }

    /** Flink 2.2.1 fails stop-with-savepoint now and then if a source's vertex has one. */
    @Test
    void noOperatorInTheTaskOfTheSourceHasAUnionList() throws Exception {
        start(4, 2, List.of());
        List<OperatorSubtaskState> states = new ArrayList<>(snapshot());
        states.add(otherState());
        assertThat(states)
                .flatExtracting(OperatorSubtaskState::getManagedOperatorState)
                .flatExtracting(state -> state.getStateNameToPartitionOffsets().values())
                .isNotEmpty()
                .noneMatch(state -> state.getDistributionMode() == OperatorStateHandle.Mode.UNION);
    }

    /** A high-availability store restores what fits, and Flink ignores the rest. */
    @Test
    void aCheckpointOfAFormerJoinIsRefused() throws Exception {
        List<OperatorSubtaskState> other = List.of(otherState());
        assertThatThrownBy(() -> start(4, 1, other))
                .rootCause()
                .hasMessageStartingWith("the savepoint or checkpoint is of a job with another join");
    }

    private static OperatorSubtaskState otherState() throws Exception {
        try (var bounds = BoundsHarness.alone()) {
            bounds.open();
            return bounds.snapshot(1, 1);
        }
    }

    private void start(int count, int parallelism, List<OperatorSubtaskState> snapshot) throws Exception {
        partitions = new HashPartitions(count);
        for (int subtask = 0; subtask < parallelism; subtask++) {
            var harness = JoinHarness.of(
                    Events.policy(), Duration.ofHours(1), partitions, TOLERANCE, MAX_PARALLELISM, parallelism, subtask);
            subtasks.add(harness);
            JoinHarness.open(harness, snapshot, MAX_PARALLELISM, parallelism, subtask);
        }
    }

    private List<OperatorSubtaskState> snapshot() throws Exception {
        List<OperatorSubtaskState> states = new ArrayList<>();
        for (var subtask : subtasks) {
            states.add(subtask.snapshot(1, 1));
            subtask.notifyOfCompletedCheckpoint(1);
        }
        return states;
    }

    private List<Measurement> rows() {
        return subtasks.stream().flatMap(s -> s.extractOutputValues().stream()).toList();
    }

    private void send(QueryEvent event) throws Exception {
        LoggedEvent logged = logged(event);
        logged.place(SampledEvent.NO_LOG, Events.START + 120_000, true);
        deliver(logged, logged);
    }

    /** The log says that the event is in time. */
    private void rewrite(QueryEvent event) throws Exception {
        LoggedEvent logged = logged(event);
        logged.place(Events.START - 1_000, Events.START + 1_000, true);
        deliver(logged, new RewrittenInput(logged));
    }

    private LoggedEvent logged(QueryEvent event) {
        return Events.logged(event, partitions.partitionOf(new QueryKey("shop", event.queryId())));
    }

    private void deliver(LoggedEvent event, JoinInput input) throws Exception {
        subtasks.get(partitions.owner(event.partition(), subtasks.size(), MAX_PARALLELISM))
                .read(input, event.eventTimeMillis());
    }

    private static String id(int query) {
        return "q" + query;
    }

    private static QueryEvent answer(int query, long startMillis) {
        Answer answer = AnswerBuilder.builder()
                .service("shop")
                .queryId(id(query))
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(startMillis)
                .answeredAtMillis(startMillis + 30)
                .deadlineMillis(30)
                .invocations(List.of(Events.timedOut("a")))
                .items(Items.NONE)
                .build();
        return new QueryEvent(answer, null, 0, 0);
    }

    private static QueryEvent result(int query) {
        return new QueryEvent(
                null,
                PartialResultBuilder.builder()
                        .service("shop")
                        .queryId(id(query))
                        .component("a")
                        .server("")
                        .phase(Phase.MATURE)
                        .completedAtMillis(Events.START + 200)
                        .latencyMicros(200_000)
                        .items(Events.items(1, 2, 3))
                        .build(),
                0,
                0);
    }
}
