package io.kipimo.bench.quality;

import static io.kipimo.bench.quality.JoinCostSubject.BYTES;
import static io.kipimo.bench.quality.JoinCostSubject.COMPONENTS;
import static io.kipimo.bench.quality.JoinCostSubject.DIGEST;
import static io.kipimo.bench.quality.JoinCostSubject.ITEMS;
import static io.kipimo.bench.quality.JoinCostSubject.QUERIES;
import static io.kipimo.bench.quality.JoinCostSubject.SCAN_BYTES;
import static io.kipimo.bench.quality.JoinCostSubject.SCAN_MICROS;

import io.kipimo.bench.machine.SubjectProcess;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Repetitions;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.SubjectComparison;
import io.kipimo.bench.report.Table;
import io.kipimo.bench.side.SideRequest;
import io.kipimo.bench.side.SubjectRun;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures processor time and allocation of an event in the join, without Kafka and Flink. */
public final class JoinCostBenchmark implements Benchmark {
    private static final int WARM_UPS = 8;

    @Override
    public Result run(Context context) throws Exception {
        Table table = new Table("Thread, best repetition");
        rows(context, table, 4, 20, context.choose(500, 50_000, 100_000));
        rows(context, table, 4, 100, context.choose(100, 10_000, 25_000));
        rows(context, table, 40, 20, context.choose(50, 5_000, 10_000));
        rows(context, table, 400, 20, context.choose(5, 1_000, 2_000));
        return new Result(
                List.of(table),
                List.of("bytes include the copy of the message; the shares of late and lost results"
                        + " are as in 'quality'; the collector's work is not included"));
    }

    private static void rows(Context context, Table table, int components, int items, int queries) throws Exception {
        Map<String, SubjectProcess> sides = new LinkedHashMap<>();
        try {
            sides.put("this tree", SubjectProcess.start(JoinCostSubject.class, 3));
            if (context.against().isPresent()) {
                sides.put(
                        "the other tree",
                        SubjectProcess.startOf(context.against().get(), JoinCostSubject.class, 3));
            }
            SideRequest request = new SideRequest(
                    "",
                    "",
                    0,
                    0,
                    queries,
                    Map.of(
                            QUERIES,
                            Integer.toString(queries),
                            COMPONENTS,
                            Integer.toString(components),
                            ITEMS,
                            Integer.toString(items)));
            SubjectComparison<String, SubjectRun> comparison = new SubjectComparison<String, SubjectRun>(context)
                    .warmUps(WARM_UPS)
                    .quietly();
            sides.forEach((name, side) -> comparison.add(name, round -> side.run(request)));
            Map<String, Repetitions<SubjectRun>> runs = comparison.run();
            WorkShape.requireSame(components, items, runs);
            runs.forEach((name, own) -> row(table, name, own.all()));
        } finally {
            sides.values().forEach(SubjectProcess::close);
        }
    }

    private static void row(Table table, String side, List<SubjectRun> runs) {
        SubjectRun best = Collections.min(runs, Comparator.comparingLong(SubjectRun::cpuMicros));
        double events = best.events();
        Map<String, Double> details = best.details();
        table.row()
                .cell("side", side)
                .cell("components", details.get(COMPONENTS))
                .cell("items", details.get(ITEMS))
                .cell("events", best.events())
                .cell("ns an event", 1e3 * best.cpuMicros() / events)
                .cell("of which scanning", 1e3 * details.get(SCAN_MICROS) / events)
                .cell("bytes an event", details.get(BYTES) / events)
                .cell("of which scanning", details.get(SCAN_BYTES) / events)
                .cell(
                        "digest of the measurements",
                        Long.toHexString(details.get(DIGEST).longValue()));
    }
}
