package io.kipimo.operators.ttl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.invalidation.AccessCosts;
import io.kipimo.core.ttl.CachingPane;
import io.kipimo.core.ttl.TtlSettings;
import io.kipimo.operators.KeyedState;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.caching.ResultRepresentation;
import io.kipimo.schemas.caching.TtlEstimate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

/** Writes count over a minute; keys without a read for 100 s are forgotten. */
class TtlHarnessTest {
    private static final long START = 3_600_000_000L;
    private static final TtlFlowSettings SETTINGS = new TtlFlowSettings(
            new TtlSettings(0.5, 0.7, 10, 50_000, 100_000, 0),
            60_000,
            1,
            "tpr@10",
            10,
            10_000,
            new AccessCosts(4, 150, 6, 100));

    private static KeyedOneInputStreamOperatorTestHarness<String, RecordEvent, TtlUpdate> records() throws Exception {
        return new KeyedOneInputStreamOperatorTestHarness<>(
                new KeyedProcessOperator<>(new RecordTtlFunction(SETTINGS)), RecordEvent::scope, Types.STRING);
    }

    private static KeyedOneInputStreamOperatorTestHarness<String, QueryChange, TtlUpdate> queries() throws Exception {
        return new KeyedOneInputStreamOperatorTestHarness<>(
                new KeyedProcessOperator<>(new QueryTtlFunction(SETTINGS)), QueryChange::scope, Types.STRING);
    }

    private static RecordEvent event(RecordEvent.RecordEventKind kind, long at, String... keys) {
        String query = kind == RecordEvent.RecordEventKind.ASKED ? "q" : "";
        return new RecordEvent(kind, "shop", "things", START + at, query, List.of(keys));
    }

    private static QueryChange read(long at, int shards, long... records) {
        return QueryChange.read(
                new CacheRead(
                        "shop",
                        "things",
                        "q",
                        CachedKind.QUERY,
                        START + at,
                        0,
                        LongStream.of(records).mapToObj(Long::toString).toList()),
                shards,
                records);
    }

    private static QueryChange rates(long at, int shard, double perSecond) {
        return QueryChangeBuilder.builder()
                .kind(QueryChange.QueryChangeKind.RATES)
                .service("shop")
                .table("things")
                .query("q")
                .atMillis(START + at)
                .shard(shard)
                .writesPerSecond(perSecond)
                .records(new long[0])
                .build();
    }

    private static QueryChange changed(long at) {
        return QueryChange.changed("shop", "things", "q", START + at, true);
    }

    @Test
    void aRecordsTimeFollowsItsWritesAndIsToldOnlyWhereItIsRead() throws Exception {
        try (var harness = records()) {
            harness.open();
            for (int second = 0; second < 60; second++) {
                harness.processElement(event(RecordEvent.RecordEventKind.WRITTEN, 1_000L * second, "r"), START);
            }
            harness.processWatermark(START + 59_999);
            assertThat(harness.extractOutputValues()).as("not read").isEmpty();

            harness.processElement(event(RecordEvent.RecordEventKind.READ, 60_000, "r"), START);
            harness.processWatermark(START + 60_998);
            assertThat(harness.extractOutputValues())
                    .as("its second is not over")
                    .isEmpty();
            harness.processWatermark(START + 60_999);
            List<TtlUpdate> news = harness.extractOutputValues();
            assertThat(news).hasSize(1);
            assertThat(news.get(0).estimate().kind()).isEqualTo(CachedKind.RECORD);
            assertThat(news.get(0).estimate().ttlMillis())
                    .as("a write a second, the median")
                    .isEqualTo((long) (Math.log(2) * 1_000));
        }
    }

    @Test
    void aQueryThatAsksGetsTheSumOfTheRatesAtThatTimeWhateverTheOrderOfArrival() throws Exception {
        List<RecordEvent> events = new ArrayList<>();
        for (int second = 0; second < 60; second++) {
            events.add(event(RecordEvent.RecordEventKind.WRITTEN, 1_000L * second, "r"));
        }
        events.add(event(RecordEvent.RecordEventKind.ASKED, 30_000, "r"));
        Collections.shuffle(events, new Random(7));
        try (var harness = records()) {
            harness.open();
            for (RecordEvent event : events) {
                harness.processElement(event, START);
            }
            harness.processWatermark(START + 60_000);
            List<StreamRecord<QueryChange>> answers = new ArrayList<>(harness.getSideOutput(RecordTtlFunction.RATES));
            assertThat(answers).hasSize(1);
            QueryChange answer = answers.get(0).getValue();
            assertThat(answer.query()).isEqualTo("q");
            assertThat(answer.shard()).isEqualTo(TtlShards.of("r"));
            assertThat(answer.writesPerSecond()).isEqualTo(31 / 30.0, within(1e-9));
        }
    }

    @Test
    void aQueryLearnsFromInvalidationsInTheOrderOfTheirTimes() throws Exception {
        try (var harness = queries()) {
            harness.open();
            // The change arrives before the read that came before it.
            harness.processElement(changed(2_000), START);
            harness.processElement(read(0, 2, 1, 2), START);
            harness.processElement(rates(0, 7, 0.04), START);
            harness.processElement(rates(0, 9, 0.06), START);
            harness.processElement(read(3_500, 1, 1, 3), START);
            harness.processElement(rates(3_500, 7, 0.5), START);
            harness.processWatermark(START + 10_000);

            List<TtlUpdate> news = harness.extractOutputValues();
            assertThat(news).extracting(n -> n.estimate().ttlMillis()).hasSize(2);
            assertThat(news.get(0).estimate().meanMillis().orElseThrow())
                    .as("rates of both shards")
                    .isEqualTo(10_000, within(1e-6));
            assertThat(news.get(1).estimate().isLearnt()).isTrue();
            assertThat(news.get(1).estimate().meanMillis().orElseThrow())
                    .as("Quaestor, eq. 2")
                    .isEqualTo(0.7 * 10_000 + 0.3 * 2_000, within(1e-6));

            harness.processElement(changed(33_500), START);
            harness.processWatermark(START + 40_000);
            List<TtlUpdate> later = harness.extractOutputValues();
            assertThat(later.get(later.size() - 1).estimate().lossPerChange()).isEqualTo(0.5);
        }
    }

    @Test
    void aLateReadWithoutItsRatesGuessesNothing() throws Exception {
        try (var harness = queries()) {
            harness.open();
            harness.processElement(read(0, 2, 1, 2), START);
            harness.processElement(rates(0, 7, 0.04), START);
            harness.processWatermark(START + 10_000);
            assertThat(harness.extractOutputValues()).isEmpty();
        }
    }

    @Test
    void whatIsNotReadAnyMoreIsForgottenAndNothingIsLeft() throws Exception {
        try (var harness = queries()) {
            harness.open();
            harness.processElement(read(0, 0), START);
            harness.processWatermark(START + 100_000);
            assertThat(harness.extractOutputValues())
                    .extracting(TtlUpdate::isForgotten)
                    .containsExactly(false);
            harness.processWatermark(START + 200_000);
            assertThat(harness.extractOutputValues())
                    .extracting(TtlUpdate::isForgotten)
                    .containsExactly(false, true);
            assertThat(KeyedState.entries(harness)).as("state").isZero();
            assertThat(harness.numEventTimeTimers()).as("timers").isZero();
        }
        try (var harness = records()) {
            harness.open();
            harness.processElement(event(RecordEvent.RecordEventKind.READ, 0, "r"), START);
            harness.processElement(event(RecordEvent.RecordEventKind.WRITTEN, 0, "r"), START);
            harness.processWatermark(START + 300_000);
            assertThat(harness.extractOutputValues())
                    .extracting(TtlUpdate::isForgotten)
                    .containsExactly(false, true);
            assertThat(KeyedState.entries(harness)).as("state").isZero();
            assertThat(harness.numEventTimeTimers()).as("timers").isZero();
        }
    }

    @Test
    void aQueryWhoseRecordsChangeOftenIsToBeCachedAsAListOfIds() throws Exception {
        OperatorSubtaskState snapshot;
        try (var harness = queries()) {
            harness.open();
            // A read a second; of its six records one is written every two seconds.
            for (int second = 0; second < 30; second++) {
                harness.processElement(read(1_000L * second, 1, 1, 2, 3, 4, 5, 6), START);
                harness.processElement(rates(1_000L * second, 7, 0.5), START);
                if (second == 15) {
                    harness.processWatermark(START + 1_000L * second);
                }
            }
            harness.processWatermark(START + 60_000);
            List<TtlUpdate> news = harness.extractOutputValues();
            assertThat(news.get(0).estimate().representation())
                    .as("before enough is known")
                    .isEqualTo(ResultRepresentation.ANY);
            TtlEstimate last = news.get(news.size() - 1).estimate();
            assertThat(last.representation()).isEqualTo(ResultRepresentation.ID_LIST);
            assertThat(last.hitsSavedPerSecond()).isGreaterThan(0.1).isLessThan(1.1);
            snapshot = harness.snapshot(1, 1);
        }
        try (var harness = queries()) {
            harness.initializeState(snapshot);
            harness.open();
            harness.processElement(read(61_000, 0, 1, 2, 3, 4, 5, 6), START);
            harness.processWatermark(START + 130_000);
            assertThat(harness.extractOutputValues())
                    .as("after a restore")
                    .isNotEmpty()
                    .allSatisfy(news ->
                            assertThat(news.estimate().representation()).isEqualTo(ResultRepresentation.ID_LIST));
        }
    }

    @Test
    void aRestoredQueryGoesOnWhereItWas() throws Exception {
        OperatorSubtaskState snapshot;
        try (var harness = queries()) {
            harness.open();
            harness.processElement(read(0, 1, 1, 2), START);
            harness.processElement(rates(0, 7, 0.1), START);
            harness.processWatermark(START + 1_500);
            harness.processElement(changed(2_000), START);
            snapshot = harness.snapshot(1, 1);
        }
        try (var harness = queries()) {
            harness.initializeState(snapshot);
            harness.open();
            harness.processWatermark(START + 10_000);
            assertThat(harness.extractOutputValues()).singleElement().satisfies(news -> assertThat(
                            news.estimate().meanMillis().orElseThrow())
                    .isEqualTo(7_600, within(1e-6)));
        }
    }

    @Test
    void aTablesPanesBecomeItsWindow() throws Exception {
        try (var harness = new KeyedOneInputStreamOperatorTestHarness<>(
                new KeyedProcessOperator<>(new CachingWindowFunction(10_000)), TablePane::scope, Types.STRING)) {
            harness.open();
            for (int part = 0; part < 3; part++) {
                CachingPane pane = new CachingPane();
                pane.read(1_000);
                pane.invalidated("q");
                harness.processElement(new TablePane("shop", "things", START, pane), START);
            }
            harness.processWatermark(START + 9_998);
            assertThat(harness.extractOutputValues()).isEmpty();
            harness.processWatermark(START + 9_999);
            harness.processElement(new TablePane("shop", "things", START, new CachingPane()), START);
            harness.processWatermark(START + 30_000);
            List<CachingWindow> windows = harness.extractOutputValues();
            assertThat(windows).as("what is late is left out").hasSize(1);
            assertThat(windows.get(0).scope()).isEqualTo("shop/things");
            assertThat(windows.get(0).endMillis()).isEqualTo(START + 10_000);
            assertThat(windows.get(0).originReads()).isEqualTo(3);
            assertThat(windows.get(0).mostInvalidated().get(0).invalidations()).isEqualTo(3);
            assertThat(KeyedState.entries(harness)).isZero();
        }
    }
}
