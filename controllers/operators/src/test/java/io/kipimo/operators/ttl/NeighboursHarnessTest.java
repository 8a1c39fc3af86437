package io.kipimo.operators.ttl;

import io.kipimo.core.invalidation.AccessCosts;
import io.kipimo.core.ttl.CachingPane;
import io.kipimo.core.ttl.TtlSettings;
import io.kipimo.operators.isolation.EdgeRecords;
import io.kipimo.operators.isolation.Neighbours;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CacheUse;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.codec.Codecs;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

/** One service's data harms no other one in the ttl job. */
class NeighboursHarnessTest {
    private static final long START = 3_600_000_000L;
    private static final double[] RATES = {
        0, Double.MIN_VALUE, 1e-300, 1e300, Double.MAX_VALUE, Double.POSITIVE_INFINITY, Double.NaN
    };
    private static final TtlFlowSettings SETTINGS = new TtlFlowSettings(
            new TtlSettings(0.5, 0.7, 10, 50_000, 50_000, 0),
            60_000,
            1,
            "tpr@10",
            10,
            10_000,
            new AccessCosts(4, 150, 6, 100));

    private static long at(int step) {
        return START + 5_000L * step;
    }

    private static CacheRead read(int step, EdgeRecords edges) {
        return edges.random().nextInt(4) == 0
                ? edges.of(Codecs.CACHE_READ, Map.of("service", Neighbours.BAD))
                : edges.of(Codecs.CACHE_READ, Map.of("service", Neighbours.BAD, "readMillis", at(step)));
    }

    private static CacheRead good(int step) {
        return new CacheRead("shop", "things", "q", CachedKind.QUERY, at(step), 0, List.of("1", "2", "3"));
    }

    private static RecordEvent record(RecordEvent.RecordEventKind kind, String service, long atMillis) {
        return new RecordEvent(
                kind, service, "things", atMillis, kind == RecordEvent.RecordEventKind.ASKED ? "q" : "", List.of("r"));
    }

    @Test
    void records() throws Exception {
        Neighbours.check(
                () -> {
                    var harness = new KeyedOneInputStreamOperatorTestHarness<>(
                            new KeyedProcessOperator<>(new RecordTtlFunction(SETTINGS)),
                            RecordEvent::scope,
                            Types.STRING);
                    harness.open();
                    return harness;
                },
                (harness, step, edges) -> {
                    for (RecordEvent.RecordEventKind kind : RecordEvent.RecordEventKind.values()) {
                        harness.processElement(record(kind, "shop", at(step)), START);
                    }
                },
                (harness, step, edges) -> {
                    RecordEvent.RecordEventKind[] kinds = RecordEvent.RecordEventKind.values();
                    long[] times = {1, at(step), at(step), at(step) + 1, 7_258_118_400_000L};
                    harness.processElement(
                            record(
                                    kinds[edges.random().nextInt(kinds.length)],
                                    Neighbours.BAD,
                                    times[edges.random().nextInt(times.length)]),
                            START);
                },
                (harness, step, edges) -> harness.processWatermark(at(step)),
                RecordTtlFunction.RATES);
    }

    @Test
    void queries() throws Exception {
        Neighbours.check(
                () -> {
                    var harness = new KeyedOneInputStreamOperatorTestHarness<>(
                            new KeyedProcessOperator<>(new QueryTtlFunction(SETTINGS)),
                            QueryChange::scope,
                            Types.STRING);
                    harness.open();
                    return harness;
                },
                (harness, step, edges) -> {
                    harness.processElement(QueryChange.read(good(step), 1, new long[] {1, 2, 3}), START);
                    harness.processElement(rates("shop", at(step), 0, 0.1), START);
                    if (step % 4 == 3) {
                        harness.processElement(QueryChange.changed("shop", "things", "q", at(step), true), START);
                    }
                },
                (harness, step, edges) -> {
                    switch (edges.random().nextInt(3)) {
                        case 0 ->
                            harness.processElement(
                                    QueryChange.read(
                                            read(step, edges),
                                            edges.random().nextInt(3),
                                            edges.random().longs(3).toArray()),
                                    START);
                        case 1 ->
                            harness.processElement(
                                    rates(
                                            Neighbours.BAD,
                                            at(step),
                                            edges.random().nextInt(3),
                                            RATES[edges.random().nextInt(RATES.length)]),
                                    START);
                        default ->
                            harness.processElement(
                                    QueryChange.changed(Neighbours.BAD, "things", "q", at(step), true), START);
                    }
                },
                (harness, step, edges) -> harness.processWatermark(at(step)));
    }

    private static QueryChange rates(String service, long at, int shard, double perSecond) {
        return QueryChangeBuilder.builder()
                .kind(QueryChange.QueryChangeKind.RATES)
                .service(service)
                .table("things")
                .query("q")
                .atMillis(at)
                .shard(shard)
                .writesPerSecond(perSecond)
                .records(new long[0])
                .build();
    }

    @Test
    void splitOfReads() throws Exception {
        Neighbours.check(
                () -> {
                    var harness =
                            new OneInputStreamOperatorTestHarness<>(new ProcessOperator<>(new ReadSplitFunction(10)));
                    harness.open();
                    return harness;
                },
                (harness, step, edges) -> harness.processElement(good(step), START),
                (harness, step, edges) -> harness.processElement(read(step, edges), START),
                (harness, step, edges) -> harness.processWatermark(at(step)),
                ReadSplitFunction.QUERIES);
    }

    private static CacheUse use(int step, EdgeRecords edges) {
        return edges.random().nextInt(4) == 0
                ? edges.of(Codecs.CACHE_USE, Map.of("service", Neighbours.BAD))
                : edges.of(Codecs.CACHE_USE, Map.of("service", Neighbours.BAD, "secondMillis", at(step)));
    }

    private static CacheUse goodUse(int step) {
        return new EdgeRecords(5).of(Codecs.CACHE_USE, Map.of("service", "shop", "secondMillis", at(step)));
    }

    @Test
    void sumsOfUses() throws Exception {
        Neighbours.check(
                () -> {
                    var harness =
                            new OneInputStreamOperatorTestHarness<>(new CachingPanesOperator<>(TtlFlow.USES, 10_000));
                    harness.setup(TtlFormats.TABLE_PANE.typeInfo().createSerializer(new SerializerConfigImpl()));
                    harness.open();
                    return harness;
                },
                (harness, step, edges) -> harness.processElement(goodUse(step), START),
                (harness, step, edges) -> harness.processElement(use(step, edges), START),
                (harness, step, edges) -> harness.processWatermark(at(step)));
    }

    @Test
    void windowsOfTables() throws Exception {
        Neighbours.check(
                () -> {
                    var harness = new KeyedOneInputStreamOperatorTestHarness<>(
                            new KeyedProcessOperator<>(new CachingWindowFunction(10_000)),
                            TablePane::scope,
                            Types.STRING);
                    harness.open();
                    return harness;
                },
                (harness, step, edges) -> harness.processElement(pane(goodUse(step)), START),
                (harness, step, edges) -> harness.processElement(pane(use(step, edges)), START),
                (harness, step, edges) -> harness.processWatermark(at(step)));
    }

    private static TablePane pane(CacheUse use) {
        CachingPane pane = new CachingPane();
        pane.used(use.counts());
        return new TablePane(use.service(), use.table(), use.secondMillis() / 10_000 * 10_000, pane);
    }
}
