package io.kipimo.operators.quality;

import static io.kipimo.core.quality.join.Events.START;
import static io.kipimo.core.quality.join.Events.WINDOW;
import static io.kipimo.core.quality.join.Events.answer;
import static io.kipimo.core.quality.join.Events.inTime;
import static io.kipimo.core.quality.join.Events.items;
import static io.kipimo.core.quality.join.Events.mature;
import static io.kipimo.core.quality.join.Events.online;
import static io.kipimo.core.quality.join.Events.partial;
import static io.kipimo.core.quality.join.Events.timedOut;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.core.quality.join.Events;
import io.kipimo.core.quality.join.JoinEngine;
import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryKey;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.junit.jupiter.api.Test;

class QueryJoinHarnessTest {
    /** Of the heap, after a collection. */
    private static MemoryUsage inUse;

    private static final Duration BACK_STOP = Duration.ofMinutes(1);

    /** From the start of a query until its window is over and it is forgotten. */
    private static final long LIFE_MILLIS = WINDOW + JoinEngine.TOMBSTONE_SLACK_MILLIS;

    private static JoinHarness harness(Map<String, Policy> known) throws Exception {
        return JoinHarness.alone(known, BACK_STOP);
    }

    private static JoinHarness opened() throws Exception {
        JoinHarness harness = harness(Map.of("shop", Events.policy()));
        harness.open();
        return harness;
    }

    @Test
    void aQueryIsMeasuredOnCompletionAndLeavesNothingBehind() throws Exception {
        try (var harness = opened()) {
            harness.read(online("a", 1, 3), START + 10);
            harness.read(answer(inTime("a"), timedOut("b")), START + 30);
            harness.read(mature("b", 2, 4), START + 200);

            assertThat(harness.extractOutputValues())
                    .singleElement()
                    .extracting(Measurement::completeness)
                    .isEqualTo(Completeness.COMPLETE);
            assertThat(harness.isIdle()).isFalse();

            harness.processWatermark(START + WINDOW + JoinEngine.TOMBSTONE_SLACK_MILLIS + 1000);
            assertThat(harness.isIdle()).as("idle").isTrue();
        }
    }

    @Test
    void theTombstoneKeepsAStragglerFromMakingASecondMeasurement() throws Exception {
        try (var harness = opened()) {
            harness.read(answer(inTime("a"), inTime("b")), START + 30);
            // Knows of a later start, and so of a later end of the window.
            harness.processWatermark(START + WINDOW);
            harness.read(startedAt("q", START + 500), START + 500);
            harness.processWatermark(START + 60_000);

            assertThat(harness.extractOutputValues()).hasSize(1);
            assertThat(harness.getSideOutput(QueryJoinOperator.LATE_EVENTS_OUTPUT))
                    .hasSize(1);
        }
    }

    @Test
    void anOpenQueryExpiresInEventTimeAndNoEarlier() throws Exception {
        try (var harness = opened()) {
            harness.read(answer(inTime("a"), timedOut("b")), START + 30);
            harness.setProcessingTime(Long.MAX_VALUE / 2);
            harness.processWatermark(START + WINDOW - 1);
            assertThat(harness.extractOutputValues()).isEmpty();

            harness.processWatermark(START + WINDOW + 1000);
            assertThat(harness.extractOutputValues())
                    .singleElement()
                    .extracting(Measurement::completeness)
                    .isEqualTo(Completeness.EXPIRED);
        }
    }

    @Test
    void whenAllInputIsSilentWhatIsOpenIsMeasuredAfterAWhile() throws Exception {
        try (var harness = opened()) {
            harness.read(answer(inTime("a"), timedOut("b")), START + 30);
            harness.processWatermark(START);
            harness.processWatermarkStatus(WatermarkStatus.IDLE);
            harness.getOutput().clear();

            harness.setProcessingTime(BACK_STOP.toMillis() + LIFE_MILLIS - 1);
            assertThat(harness.getOutput()).isEmpty();

            harness.setProcessingTime(BACK_STOP.toMillis() + LIFE_MILLIS);
            assertThat(harness.extractOutputValues())
                    .singleElement()
                    .extracting(Measurement::completeness)
                    .isEqualTo(Completeness.EXPIRED);
            assertThat(harness.isIdle()).isTrue();
            assertThat(harness.getOutput())
                    .as("windows behind the join end, too, and are idle again")
                    .endsWith(new Watermark(START + LIFE_MILLIS), WatermarkStatus.IDLE)
                    .startsWith(WatermarkStatus.ACTIVE);
        }
    }

    @Test
    void anyInputStopsTheBackStop() throws Exception {
        try (var harness = opened()) {
            harness.read(answer(inTime("a"), timedOut("b")), START + 30);
            harness.processWatermarkStatus(WatermarkStatus.IDLE);
            harness.processWatermarkStatus(WatermarkStatus.ACTIVE);
            harness.setProcessingTime(Duration.ofDays(1).toMillis());

            assertThat(harness.extractOutputValues()).isEmpty();
        }
    }

    @Test
    void afterTheBackStopOldEventsAreLateAndNewQueriesAreNot() throws Exception {
        try (var harness = opened()) {
            harness.read(answer(inTime("a"), timedOut("b")), START + 30);
            harness.processWatermark(START);
            harness.processWatermarkStatus(WatermarkStatus.IDLE);
            long resumedMillis = BACK_STOP.toMillis() + LIFE_MILLIS;
            harness.setProcessingTime(resumedMillis);
            harness.processWatermarkStatus(WatermarkStatus.ACTIVE);
            // The input's time goes on where it was.
            harness.processWatermark(START + 1);
            harness.read(mature("b", 2, 4), START + 200);
            harness.read(startedAt("new", START + resumedMillis), START + resumedMillis);

            assertThat(harness.extractOutputValues()).hasSize(1);
            assertThat(harness.getSideOutput(QueryJoinOperator.LATE_EVENTS_OUTPUT))
                    .hasSize(1);
            assertThat(harness.isIdle()).as("the new query").isFalse();
            assertThat(harness.getOutput()).as("time does not go back").doesNotContain(new Watermark(START + 1));
        }
    }

    @Test
    void eventTimeGoesOnAfterARestartWhereItWas() throws Exception {
        OperatorSubtaskState snapshot;
        try (var harness = opened()) {
            harness.read(answer(inTime("a"), inTime("b")), START + 30);
            harness.processWatermark(START + LIFE_MILLIS + 1000);
            assertThat(harness.isIdle()).as("it is forgotten").isTrue();
            snapshot = harness.snapshot(1, 1);
        }
        try (var harness = harness(Map.of("shop", Events.policy()))) {
            harness.initializeState(snapshot);
            harness.open();
            // The input has said nothing of time yet.
            harness.read(answer(inTime("a"), inTime("b")), START + 30);
            harness.read(online("a", 1), START + 10);
            harness.processWatermark(START);

            assertThat(harness.extractOutputValues()).isEmpty();
            assertThat(harness.getSideOutput(QueryJoinOperator.LATE_EVENTS_OUTPUT))
                    .hasSize(2);
        }
    }

    @Test
    void aQueryThatComesDuringTheSilenceIsNotSettledByIt() throws Exception {
        try (var harness = opened()) {
            harness.read(answer(inTime("a"), timedOut("b")), START + 30);
            harness.processWatermarkStatus(WatermarkStatus.IDLE);
            // Sources say that they are active again a moment after their first record.
            long resumedMillis = START + Duration.ofHours(1).toMillis();
            harness.read(startedAt("new", resumedMillis), resumedMillis);
            harness.setProcessingTime(Duration.ofDays(1).toMillis());

            assertThat(harness.extractOutputValues())
                    .singleElement()
                    .extracting(Measurement::queryId)
                    .isEqualTo("q");
            assertThat(harness.isIdle()).as("the new query").isFalse();
        }
    }

    @Test
    void aLateEventNeverTouchesState() throws Exception {
        try (var harness = opened()) {
            harness.processWatermark(START + WINDOW);
            harness.read(mature("b", 2, 4), START + 200);
            harness.read(partial("b", Phase.MATURE, START + 3 * WINDOW, items(1)), START + 3 * WINDOW);

            assertThat(harness.isIdle()).isTrue();
            assertThat(harness.getSideOutput(QueryJoinOperator.LATE_EVENTS_OUTPUT))
                    .hasSize(2);
            assertThat(harness.extractOutputValues()).isEmpty();
        }
    }

    @Test
    void anUnknownServiceIsADeadLetterThatNamesItsRecord() throws Exception {
        try (var harness = harness(Map.of())) {
            harness.open();
            harness.read(new EventScanner().answer(answer(inTime("a")).wire(), 3, 42), START + 30);

            assertThat(harness.getSideOutput(QueryJoinOperator.DEAD_LETTERS_OUTPUT))
                    .singleElement()
                    .satisfies(r -> {
                        assertThat(r.getValue().reason()).isEqualTo(RejectionReason.UNKNOWN_SERVICE);
                        assertThat(r.getValue().topic()).isEqualTo("kipimo.answers");
                        assertThat(r.getValue().partition()).isEqualTo(3);
                        assertThat(r.getValue().offset()).isEqualTo(42);
                        assertThat(r.getValue().detail()).contains("shop");
                    });
        }
    }

    private static Policy unusable() {
        return Events.policy().toBuilder()
                .metrics(List.of("nope@10"))
                .version(2)
                .build();
    }

    /** The policy was stored by a program with another class path, or by hand. */
    @Test
    void aPolicyWithAnUnknownMetricStopsNothingButItsService() throws Exception {
        Policy other = Events.policy().toBuilder().service("other").build();
        try (var harness = harness(Map.of("shop", unusable(), "other", other))) {
            harness.open();
            harness.read(answer(inTime("a")), START + 30);
            harness.read(
                    Events.event(AnswerBuilder.builder(
                                    answer(inTime("a")).toQueryEvent().answer())
                            .service("other")
                            .build()),
                    START + 30);

            assertThat(harness.extractOutputValues())
                    .singleElement()
                    .extracting(Measurement::service)
                    .isEqualTo("other");
            assertThat(harness.getSideOutput(QueryJoinOperator.DEAD_LETTERS_OUTPUT))
                    .singleElement()
                    .satisfies(r -> assertThat(r.getValue().detail())
                            .contains("service 'shop' cannot be used")
                            .contains("similarity is 'nope@10'"));
            // A usable one ends it.
            harness.read(new PolicyInput(Events.policy().toBuilder().version(3).build()), 0);
            harness.read(answer(inTime("a")), START + 30);
            assertThat(harness.extractOutputValues()).hasSize(2);
        }
    }

    @Test
    void anUnusablePolicyDoesNotReplaceAUsableOne() throws Exception {
        try (var harness = opened()) {
            harness.read(new PolicyInput(unusable()), 0);
            harness.read(answer(inTime("a")), START + 30);
            assertThat(harness.extractOutputValues()).hasSize(1);
        }
    }

    @Test
    void openQueriesOfAPolicyThatCannotBeUsedAnyMoreAreForgotten() throws Exception {
        OperatorSubtaskState snapshot;
        try (var harness = opened()) {
            harness.read(answer(inTime("a"), timedOut("b")), START + 30);
            snapshot = harness.snapshot(1, 1);
        }
        try (var harness = harness(Map.of("shop", unusable()))) {
            harness.initializeState(snapshot);
            harness.open();
            harness.processWatermark(START + LIFE_MILLIS + 1000);
            assertThat(harness.isIdle()).isTrue();
        }
    }

    @Test
    void aPolicyThatComesLaterIsFollowedFromThenOn() throws Exception {
        try (var harness = harness(Map.of())) {
            harness.open();
            harness.read(new PolicyInput(Events.policy()), 0);
            harness.read(answer(inTime("a")), START + 30);

            assertThat(harness.extractOutputValues()).hasSize(1);
        }
    }

    /** Also while event time stands still, since some partition cannot be read. */
    @Test
    void aHeapThatIsNearlyFullIsRefusedInOneLineBeforeItEnds() throws Exception {
        inUse = used(900);
        try (var harness = withHeap(new HashPartitions(1))) {
            harness.open();
            // What a former attempt of the job has left is no reason.
            send(harness, 0, 2_000);
            inUse = used(850);
            send(harness, 2_000, 4_000);
            inUse = used(851);
            assertThatThrownBy(() -> send(harness, 4_000, 6_000))
                    .hasMessageMatching(
                            "851 of the 1000 MB for old objects in this TaskManager's heap are in use after a collection,"
                                    + " and this subtask of the join has [45]\\d{3} open queries; allowed: 85 %\\. Lower the .*");
        }
    }

    /** While state is read, a query is there as bytes and as an object. A restart must not fail for that, and again. */
    @Test
    void whatACollectionLeavesWhileStateIsReadIsNoReason() throws Exception {
        LogPartitions filling = new LogPartitions() {
            @Override
            public int count() {
                return 1;
            }

            @Override
            public int partitionOf(QueryKey key) {
                inUse = used(900);
                return 0;
            }
        };
        OperatorSubtaskState snapshot;
        try (var harness = harness(Map.of("shop", Events.policy()))) {
            harness.open();
            send(harness, 0, 1);
            snapshot = harness.snapshot(1, 1);
        }
        inUse = used(500);
        try (var harness = withHeap(filling)) {
            harness.initializeState(snapshot);
            harness.open();
            assertThat(inUse.getUsed()).isEqualTo(used(900).getUsed());
            send(harness, 1, 3_000);
            assertThat(harness.isIdle()).isFalse();
        }
    }

    private static JoinHarness withHeap(LogPartitions partitions) throws Exception {
        return JoinHarness.alone(Map.of("shop", Events.policy()), BACK_STOP, () -> inUse, partitions);
    }

    private static MemoryUsage used(long mebibytes) {
        return new MemoryUsage(0, mebibytes << 20, mebibytes << 20, 1_000 << 20);
    }

    private static void send(JoinHarness harness, int from, int to) throws Exception {
        for (int query = from; query < to; query++) {
            harness.read(startedAt("q" + query, START), START);
        }
    }

    /** A result that was there at once. */
    private static LoggedEvent startedAt(String queryId, long millis) {
        return Events.event(PartialResultBuilder.builder()
                .service("shop")
                .queryId(queryId)
                .component("b")
                .server("")
                .phase(Phase.MATURE)
                .completedAtMillis(millis)
                .items(items(1))
                .startedAtMillis(millis)
                .build());
    }
}
