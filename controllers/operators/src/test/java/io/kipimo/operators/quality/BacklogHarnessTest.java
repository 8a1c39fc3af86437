package io.kipimo.operators.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.join.BacklogSampling;
import io.kipimo.core.quality.join.Events;
import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.schemas.codec.EventHead;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.types.Either;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The local join leaves out queries while it is behind, and reads nothing of them but heads. */
class BacklogHarnessTest {
    private static final int MAX_PARALLELISM = 128;
    private static final int QUERIES = 300;
    private static final int WEIGHT = 10;
    private static final long HOUR = 3_600_000;
    private static final BacklogSampling.BacklogSettings SAMPLING =
            new BacklogSampling.BacklogSettings(WEIGHT, 60_000, 1_000);

    private final LogPartitions partitions = new HashPartitions(4);
    private JoinHarness subtask;
    private int whole;

    @AfterEach
    void stop() throws Exception {
        subtask.close();
    }

    @Test
    void oneOfTenIsMeasuredAsAWholeAndTheOthersAreNotRead() throws Exception {
        start(SAMPLING, List.of());
        for (int query = 0; query < QUERIES; query++) {
            send(answer(query, Events.START), HOUR);
            send(result(query, Events.START), HOUR);
        }
        assertMeasured(0, WEIGHT);
        assertThat(whole).isEqualTo(2 * subtask.extractOutputValues().size());
    }

    @Test
    void queriesThatAreOutStayOutAfterARestart() throws Exception {
        start(SAMPLING, List.of());
        for (int query = 0; query < QUERIES; query++) {
            send(answer(query, Events.START), HOUR);
        }
        restart(SAMPLING);
        for (int query = 0; query < QUERIES; query++) {
            send(result(query, Events.START), 0);
        }
        assertMeasured(0, WEIGHT);
    }

    @Test
    void queriesThatWereOpenBeforeAreMeasuredByTheRateAtWhichTheyBegan() throws Exception {
        start(BacklogSampling.BacklogSettings.OFF, List.of());
        for (int query = 0; query < QUERIES; query++) {
            send(answer(query, Events.START), 0);
        }
        restart(SAMPLING);
        for (int query = 0; query < QUERIES; query++) {
            send(result(query, Events.START), HOUR);
        }
        assertMeasured(0, 1);
        long later = Events.START + 60_000;
        restart(SAMPLING);
        for (int query = QUERIES; query < 2 * QUERIES; query++) {
            send(answer(query, later), HOUR);
            send(result(query, later), HOUR);
        }
        assertMeasured(QUERIES, WEIGHT);
    }

    @Test
    void allAreMeasuredAgainOnceTheJobHasCaughtUp() throws Exception {
        start(SAMPLING, List.of());
        for (int query = 0; query < QUERIES; query++) {
            send(answer(query, Events.START), HOUR);
        }
        restart(SAMPLING);
        long later = Events.START + 60_000;
        for (int query = QUERIES; query < 2 * QUERIES; query++) {
            send(answer(query, later), 0);
            send(result(query, later), 0);
        }
        assertMeasured(QUERIES, 1);
    }

    @Test
    void anUnusableEventOfTheSampleIsReadOnceAndJoinsNothing() throws Exception {
        start(SAMPLING, List.of());
        DeadLetter letter = new DeadLetter(
                "partials", 0, 0, RejectionReason.UNREADABLE, "no", new byte[0], new byte[0], Events.START);
        for (int query = 0; query < QUERIES; query++) {
            QueryKey key = new QueryKey("shop", id(query));
            deliver(new UnreadEvent(
                    new EventHead(key, Events.START, true, Events.START),
                    partitions.partitionOf(key),
                    false,
                    Events.START,
                    HOUR,
                    () -> {
                        whole++;
                        return Either.Left(letter);
                    }));
        }
        assertThat(whole).isEqualTo((int) sampled(0, WEIGHT));
    }

    @Test
    void strayEventsThatAreReadFirstAreSampledToo() throws Exception {
        start(SAMPLING, List.of());
        for (int query = 0; query < QUERIES; query++) {
            // Nothing else is read of their own partitions.
            QueryEvent answer = answer(query, Events.START);
            int stray = (partitions.partitionOf(new QueryKey("shop", answer.queryId())) + 1) % 4;
            send(answer, stray, HOUR);
            send(result(query, Events.START), stray, HOUR);
        }
        assertMeasured(0, WEIGHT);
    }

    private void start(BacklogSampling.BacklogSettings sampling, List<OperatorSubtaskState> snapshot) throws Exception {
        subtask = JoinHarness.of(
                Events.policy(),
                Duration.ofHours(1),
                partitions,
                new PartitionTime.Tolerance(1_000, HOUR),
                MAX_PARALLELISM,
                1,
                0,
                sampling);
        JoinHarness.open(subtask, snapshot, MAX_PARALLELISM, 1, 0);
    }

    private void restart(BacklogSampling.BacklogSettings sampling) throws Exception {
        OperatorSubtaskState snapshot = subtask.snapshot(1, 1);
        subtask.close();
        start(sampling, List.of(snapshot));
    }

    /** The rows of {@link #QUERIES} queries from one on are those of the sample, complete, and say so. */
    private void assertMeasured(int from, int weight) {
        List<Measurement> rows = subtask.extractOutputValues();
        assertThat(rows)
                .extracting(Measurement::queryId)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(from, from + QUERIES)
                        .mapToObj(BacklogHarnessTest::id)
                        .filter(id -> ConsistentSampling.isSampled(id, 1.0 / weight))
                        .toList());
        assertThat(rows)
                .isNotEmpty()
                .allMatch(row -> row.completeness() == Completeness.COMPLETE && row.represents() == weight);
    }

    private static long sampled(int from, int weight) {
        return IntStream.range(from, from + QUERIES)
                .filter(query -> ConsistentSampling.isSampled(id(query), 1.0 / weight))
                .count();
    }

    private void send(QueryEvent event, long behindMillis) throws Exception {
        send(event, partitions.partitionOf(new QueryKey("shop", event.queryId())), behindMillis);
    }

    private void send(QueryEvent event, int partition, long behindMillis) throws Exception {
        LoggedEvent logged = Events.logged(event, partition);
        long append = logged.eventTimeMillis();
        logged.place(SampledEvent.NO_LOG, append, true);
        deliver(new UnreadEvent(
                new EventHead(
                        logged.key(),
                        logged.startedAtMillis(),
                        logged.isAnswer() || logged.knowsStart(),
                        logged.eventTimeMillis()),
                logged.partition(),
                logged.isAnswer(),
                append,
                behindMillis,
                () -> {
                    whole++;
                    return Either.Right(logged);
                }));
    }

    private void deliver(UnreadEvent event) throws Exception {
        subtask.read(event, event.eventTimeMillis());
    }

    private static String id(int query) {
        return "q" + query;
    }

    private static QueryEvent answer(int query, long startMillis) {
        return new QueryEvent(
                AnswerBuilder.builder()
                        .service("shop")
                        .queryId(id(query))
                        .queryClass("high")
                        .kind(AnswerKind.ONLINE)
                        .startedAtMillis(startMillis)
                        .answeredAtMillis(startMillis + 30)
                        .deadlineMillis(30)
                        .invocations(List.of(Events.timedOut("a")))
                        .items(Items.NONE)
                        .build(),
                null,
                0,
                0);
    }

    private static QueryEvent result(int query, long startMillis) {
        return new QueryEvent(
                null,
                PartialResultBuilder.builder()
                        .service("shop")
                        .queryId(id(query))
                        .component("a")
                        .server("")
                        .phase(Phase.MATURE)
                        .completedAtMillis(startMillis + 200)
                        .latencyMicros(200_000)
                        .items(Events.items(1, 2, 3))
                        .build(),
                0,
                0);
    }
}
