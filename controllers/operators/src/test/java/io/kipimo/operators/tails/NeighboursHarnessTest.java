package io.kipimo.operators.tails;

import io.kipimo.core.quality.join.Events;
import io.kipimo.core.tails.LatencySketch;
import io.kipimo.operators.isolation.EdgeRecords;
import io.kipimo.operators.isolation.Neighbours;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.tails.ServerObservation;
import io.kipimo.schemas.tails.ServerObservationBuilder;
import io.kipimo.schemas.tails.Stay;
import io.kipimo.schemas.tails.TrafficCountsBuilder;
import io.kipimo.schemas.tails.Vantage;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

/** One service's data harms no other one in the tails job. */
class NeighboursHarnessTest {
    private static final long START = 3_600_000_000L;
    private static final TailsSettings SETTINGS = new TailsSettings(10_000, 20_000, 60_000, List.of(50_000L));
    private static final Policy GOOD = Events.policy();
    private static final Policy BAD = GOOD.toBuilder().service(Neighbours.BAD).build();

    private static long at(int step) {
        return START + 5_000L * step;
    }

    private static ServerObservation good(int step) {
        return ServerObservationBuilder.builder()
                .service("shop")
                .tier("index")
                .component("shard-1")
                .server("a")
                .vantage(Vantage.SERVER)
                .secondMillis(at(step))
                .counts(TrafficCountsBuilder.builder()
                        .arrivals(2)
                        .completions(2)
                        .inServiceMicros(10_000)
                        .busyCoreMicros(10_000)
                        .coreMicros(2_000_000)
                        .observedMicros(1_000_000)
                        .build())
                .latencies(LatencySketch.of(40_000, 60_000).toBytes())
                .stays(List.of(new Stay(1, 4), new Stay(2, 9)))
                .build();
    }

    private static ServerObservation bad(int step, EdgeRecords edges) {
        // Readers refuse a sketch that cannot be read.
        byte[] sketch = edges.random().nextBoolean()
                ? LatencySketch.of(0, 1, 864_000_000_000L).toBytes()
                : new byte[0];
        return edges.random().nextInt(4) == 0
                ? edges.of(Codecs.SERVER_OBSERVATION, Map.of("service", Neighbours.BAD, "latencies", sketch))
                : edges.of(
                        Codecs.SERVER_OBSERVATION,
                        Map.of("service", Neighbours.BAD, "secondMillis", at(step), "latencies", sketch));
    }

    private static KeyedBroadcastOperatorTestHarness<String, ReceivedObservation, Policy, ?> servers()
            throws Exception {
        var harness = new KeyedBroadcastOperatorTestHarness<>(
                new CoBroadcastWithKeyedOperator<>(
                        new ServerTailsFunction(SETTINGS, Map.of("shop", GOOD, Neighbours.BAD, BAD), "test."),
                        List.of(PolicyBook.STATE)),
                ReceivedObservation::key,
                Types.STRING,
                1,
                1,
                0);
        harness.open();
        harness.processBroadcastWatermark(Long.MAX_VALUE);
        return harness;
    }

    private static void feed(
            KeyedBroadcastOperatorTestHarness<String, ReceivedObservation, Policy, ?> harness,
            ServerObservation observation)
            throws Exception {
        harness.processElement(new ReceivedObservation(observation, 0, 1, new byte[0]), START);
    }

    @Test
    void serversOfAService() throws Exception {
        Neighbours.check(
                NeighboursHarnessTest::servers,
                (harness, step, edges) -> feed(harness, good(step)),
                (harness, step, edges) -> {
                    if (edges.random().nextInt(4) == 0) {
                        harness.processBroadcastElement(edges.policy(BAD, Neighbours.BAD, step + 2L), START);
                    } else {
                        feed(harness, bad(step, edges));
                    }
                },
                (harness, step, edges) -> harness.processWatermark(at(step)),
                ServerTailsFunction.PANES);
    }

    /** Panes of the level below, as the servers' windows send them. */
    private static List<ScopePane> panes(ServerObservation observation) throws Exception {
        try (var below = servers()) {
            feed(below, observation);
            below.processWatermark(Long.MAX_VALUE - 1);
            var panes = below.getSideOutput(ServerTailsFunction.PANES);
            return panes == null
                    ? List.of()
                    : panes.stream().map(r -> r.getValue()).toList();
        }
    }

    @Test
    void levelsAbove() throws Exception {
        Neighbours.check(
                () -> {
                    var harness = new KeyedOneInputStreamOperatorTestHarness<>(
                            new KeyedProcessOperator<>(new ScopeTailsFunction(SETTINGS)),
                            (ScopePane pane) -> pane.whole().key(),
                            Types.STRING);
                    harness.open();
                    return harness;
                },
                (harness, step, edges) -> {
                    for (ScopePane pane : panes(good(step))) {
                        harness.processElement(pane, START);
                    }
                },
                (harness, step, edges) -> {
                    for (ScopePane pane : panes(bad(step, edges))) {
                        harness.processElement(pane, START);
                    }
                },
                (harness, step, edges) -> harness.processWatermark(at(step)),
                ServerTailsFunction.PANES);
    }
}
