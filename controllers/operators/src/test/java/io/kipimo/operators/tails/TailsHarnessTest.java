package io.kipimo.operators.tails;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.join.Events;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.core.tails.TailScope;
import io.kipimo.core.tails.TailSums;
import io.kipimo.operators.KeyedState;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.tails.ServerObservationBuilder;
import io.kipimo.schemas.tails.Stay;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowKind;
import io.kipimo.schemas.tails.TrafficCounts;
import io.kipimo.schemas.tails.TrafficCountsBuilder;
import io.kipimo.schemas.tails.Vantage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

/** Windows of 10 s, and of a minute every 20 s. */
class TailsHarnessTest {
    private static final byte[] KEY = {'k', 0, (byte) 0xff};
    private static final int MAX_PARALLELISM = 128;
    private static final long START = 3_600_000_000L;
    private static final TailsSettings SETTINGS = new TailsSettings(10_000, 20_000, 60_000, List.of(50_000L));

    private static KeyedBroadcastOperatorTestHarness<String, ReceivedObservation, Policy, TailWindow> servers(
            int parallelism, int subtask) throws Exception {
        return new KeyedBroadcastOperatorTestHarness<>(
                new CoBroadcastWithKeyedOperator<>(
                        new ServerTailsFunction(SETTINGS, Map.of("shop", Events.policy()), "test."),
                        List.of(PolicyBook.STATE)),
                ReceivedObservation::key,
                Types.STRING,
                MAX_PARALLELISM,
                parallelism,
                subtask);
    }

    private static ReceivedObservation second(
            String service, String server, long secondMillis, long... latenciesMicros) {
        return new ReceivedObservation(
                ServerObservationBuilder.builder()
                        .service(service)
                        .tier("index")
                        .component("shard-1")
                        .server(server)
                        .vantage(server.startsWith("arbiter") ? Vantage.ARBITER : Vantage.SERVER)
                        .secondMillis(secondMillis)
                        .counts(TrafficCountsBuilder.builder()
                                .arrivals(latenciesMicros.length)
                                .completions(latenciesMicros.length)
                                .inServiceMicros(10_000)
                                .busyCoreMicros(10_000)
                                .coreMicros(2_000_000)
                                .observedMicros(1_000_000)
                                .build())
                        .latencies(LatencySketch.of(latenciesMicros).toBytes())
                        .stays(List.of(new Stay(1, 4), new Stay(2, 9)))
                        .build(),
                3,
                77,
                KEY);
    }

    @Test
    void inventedServersAreRefusedAndThoseWhoReportKeepTheirPlace() throws Exception {
        try (var harness = servers(1, 0)) {
            harness.open();
            harness.processBroadcastWatermark(Long.MAX_VALUE);
            harness.processElement(second("shop", "honest", START, 40_000), START);
            int invented = ServerTailsFunction.MOST_SERVERS + 500;
            for (int i = 1; i <= invented; i++) {
                harness.processElement(second("shop", "invented-" + i, START), START);
            }
            harness.processElement(second("shop", "honest", START + 1_000, 40_000), START);

            assertThat(KeyedState.entries(harness)).isEqualTo(ServerTailsFunction.MOST_SERVERS);
            assertThat(harness.getSideOutput(ServerTailsFunction.DEAD_LETTERS))
                    .hasSize(501)
                    .extracting(r -> r.getValue().reason())
                    .containsOnly(RejectionReason.TOO_MANY_NAMES);
            harness.processWatermark(START + 9_999);
            assertThat(harness.extractOutputValues())
                    .filteredOn(w -> w.server().equals("honest"))
                    .extracting(w -> w.counts().completions())
                    .containsExactly(2L);

            harness.processWatermark(START + 200_000);
            assertThat(KeyedState.entries(harness)).as("state").isZero();
            harness.processElement(second("shop", "new", START + 200_000, 40_000), START);
            assertThat(KeyedState.entries(harness)).as("room again").isEqualTo(1);
        }
    }

    @Test
    void aServersSecondsBecomeItsWindowsAndAPartOfItsComponent() throws Exception {
        try (var harness = servers(1, 0)) {
            harness.open();
            harness.processBroadcastWatermark(Long.MAX_VALUE);
            for (int second = 0; second < 10; second++) {
                harness.processElement(second("shop", "a", START + 1000L * second, 40_000, 60_000), START);
            }
            harness.processWatermark(START + 9_998);
            assertThat(harness.extractOutputValues()).as("not before its end").isEmpty();
            harness.processWatermark(START + 9_999);

            List<TailWindow> windows = harness.extractOutputValues();
            assertThat(windows).hasSize(1);
            TailWindow window = windows.get(0);
            assertThat(window.level()).isEqualTo(TailLevel.SERVER);
            assertThat(window.kind()).isEqualTo(TailWindowKind.TUMBLING);
            assertThat(window.scope()).isEqualTo("shop/index/shard-1/a");
            assertThat(window.endMillis()).isEqualTo(START + 10_000);
            assertThat(window.requestsPerSecond()).isEqualTo(2);
            assertThat(window.latency().orElseThrow().serviceLevels().get(0).share())
                    .isEqualTo(0.5);
            assertThat(window.demand().orElseThrow().meanMicros()).isEqualTo(5_000);
            assertThat(harness.getSideOutput(ServerTailsFunction.PANES))
                    .extracting(r -> r.getValue().whole())
                    .containsExactly(TailScope.component("shop", "index", "shard-1"));

            harness.processWatermark(START + 200_000);
            assertThat(harness.extractOutputValues())
                    .filteredOn(w -> w.kind() == TailWindowKind.SLIDING)
                    .extracting(TailWindow::endMillis)
                    .containsExactly(START + 20_000, START + 40_000, START + 60_000);
            assertThat(KeyedState.entries(harness)).as("state").isZero();
            assertThat(harness.numEventTimeTimers()).as("timers").isZero();
        }
    }

    @Test
    void whatIsLateOrOfAnUnknownServiceIsADeadLetterAndASecondCountsOnce() throws Exception {
        try (var harness = servers(1, 0)) {
            harness.open();
            harness.processBroadcastWatermark(Long.MAX_VALUE);
            harness.processElement(second("shop", "a", START, 1), START);
            harness.processElement(second("shop", "a", START, 1), START);
            harness.processElement(second("nobody", "a", START, 1), START);
            harness.processWatermark(START + 9_999);
            harness.processElement(second("shop", "b", START + 1000, 1), START);

            List<DeadLetter> letters = harness.getSideOutput(ServerTailsFunction.DEAD_LETTERS).stream()
                    .map(StreamRecord::getValue)
                    .toList();
            assertThat(letters)
                    .extracting(DeadLetter::reason)
                    .containsExactly(RejectionReason.UNKNOWN_SERVICE, RejectionReason.LATE);
            assertThat(letters).allSatisfy(letter -> {
                assertThat(letter.topic()).isEqualTo("test.server-observations");
                assertThat(letter.partition()).isEqualTo(3);
                assertThat(letter.offset()).isEqualTo(77);
                assertThat(letter.key()).isEqualTo(KEY);
                assertThat(Codecs.SERVER_OBSERVATION.decode(letter.payload())).isNotNull();
            });
            assertThat(harness.extractOutputValues())
                    .hasSize(1)
                    .allSatisfy(w -> assertThat(w.counts().completions()).isEqualTo(1));
        }
    }

    @Test
    void anArbiterIsAPartOfItsTiersArbitersAndOfNothingElse() throws Exception {
        try (var harness = servers(1, 0)) {
            harness.open();
            harness.processBroadcastWatermark(Long.MAX_VALUE);
            harness.processElement(second("shop", "arbiter-1", START, 1), START);
            harness.processWatermark(START + 100_000);
            assertThat(harness.extractOutputValues()).isEmpty();
            assertThat(harness.getSideOutput(ServerTailsFunction.PANES))
                    .extracting(r -> r.getValue().whole())
                    .containsExactly(TailScope.arbiters("shop", "index"));
        }
    }

    @Test
    void aSavepointRestoredAtAnotherParallelismGoesOn() throws Exception {
        OperatorSubtaskState snapshot;
        try (var harness = servers(1, 0)) {
            harness.open();
            harness.processBroadcastWatermark(Long.MAX_VALUE);
            for (String server : List.of("a", "b", "c", "d")) {
                harness.processElement(second("shop", server, START, 5), START);
                harness.processElement(second("shop", server, START + 10_000, 7), START);
            }
            harness.processWatermark(START + 9_999);
            assertThat(harness.extractOutputValues()).hasSize(4);
            snapshot = harness.snapshot(1, 1);
        }
        List<TailWindow> windows = new ArrayList<>();
        int late = 0;
        for (int subtask = 0; subtask < 3; subtask++) {
            try (var harness = servers(3, subtask)) {
                harness.setup();
                harness.initializeState(AbstractStreamOperatorTestHarness.repartitionOperatorState(
                        snapshot, MAX_PARALLELISM, 1, 3, subtask));
                harness.open();
                harness.processBroadcastWatermark(Long.MAX_VALUE);
                for (String server : List.of("a", "b", "c", "d")) {
                    ReceivedObservation again = second("shop", server, START + 10_000, 7);
                    if (isOf(subtask, again.key())) {
                        harness.processElement(again, START);
                        // Event time begins anew, and the first window was closed before.
                        harness.processElement(second("shop", server, START + 3000, 9), START);
                    }
                }
                harness.processWatermark(START + 200_000);
                windows.addAll(harness.extractOutputValues());
                var letters = harness.getSideOutput(ServerTailsFunction.DEAD_LETTERS);
                late += letters == null ? 0 : letters.size();
                assertThat(KeyedState.entries(harness)).isZero();
                assertThat(harness.numEventTimeTimers()).isZero();
            }
        }
        assertThat(late).isEqualTo(4);
        assertThat(windows)
                .filteredOn(w -> w.kind() == TailWindowKind.TUMBLING)
                .hasSize(4)
                .allSatisfy(w -> assertThat(w.counts().completions()).isEqualTo(1))
                .allSatisfy(w -> assertThat(w.endMillis()).isEqualTo(START + 20_000));
        assertThat(windows)
                .filteredOn(w -> w.kind() == TailWindowKind.SLIDING)
                .hasSize(12)
                .allSatisfy(w -> assertThat(w.counts().completions()).isEqualTo(2));
    }

    private static boolean isOf(int subtask, String key) {
        return org.apache.flink.runtime.state.KeyGroupRangeAssignment.assignKeyToParallelOperator(
                        key, MAX_PARALLELISM, 3)
                == subtask;
    }

    @Test
    void aComponentIsTheMergeOfItsServersAndLeavesNothingBehind() throws Exception {
        TailScope component = TailScope.component("shop", "index", "shard-1");
        try (var harness = new KeyedOneInputStreamOperatorTestHarness<>(
                new KeyedProcessOperator<>(new ScopeTailsFunction(SETTINGS)),
                (ScopePane pane) -> pane.whole().key(),
                Types.STRING)) {
            harness.open();
            for (int server = 1; server <= 300; server++) {
                harness.processElement(
                        new ScopePane(
                                component, START, new TailSums(TrafficCounts.NONE, LatencySketch.of(1000L * server))),
                        START);
            }
            harness.processWatermark(START + 9_999);
            TailWindow window = harness.extractOutputValues().get(0);
            assertThat(window.servers()).isEqualTo(300);
            assertThat(window.latency().orElseThrow().p99Micros()).isBetween(294_000.0, 300_000.0);
            assertThat(harness.getSideOutput(ServerTailsFunction.PANES))
                    .extracting(r -> r.getValue().whole())
                    .containsExactly(TailScope.tier("shop", "index"));

            harness.processWatermark(START + 200_000);
            assertThat(KeyedState.entries(harness)).isZero();
            assertThat(harness.numEventTimeTimers()).isZero();
        }
    }

    @Test
    void formatsReadWhatTheyWrite() throws Exception {
        ReceivedObservation received = second("shop", "a", START, 1, 2, 3);
        DataOutputSerializer out = new DataOutputSerializer(64);
        TailsFormats.RECEIVED_OBSERVATION.coder().write(received, out);
        assertThat(TailsFormats.RECEIVED_OBSERVATION.coder().read(new DataInputDeserializer(out.getCopyOfBuffer()), 1))
                .usingRecursiveComparison()
                .isEqualTo(received);
        ScopePane pane = new ScopePane(
                TailScope.tier("shop", "index"),
                START,
                new TailSums(received.observation().counts(), LatencySketch.of(4, 5)));
        out.clear();
        TailsFormats.SCOPE_PANE.coder().write(pane, out);
        ScopePane read = TailsFormats.SCOPE_PANE.coder().read(new DataInputDeserializer(out.getCopyOfBuffer()), 1);
        assertThat(read.whole()).isEqualTo(pane.whole());
        assertThat(read.sums().latencies()).isEqualTo(pane.sums().latencies());
        assertThat(read.sums().counts()).isEqualTo(pane.sums().counts());
    }
}
