package io.kipimo.simulator.report;

import io.kipimo.simulator.scenario.SimulationResult;
import io.kipimo.simulator.scenario.SimulationResult.ClassTotal;
import io.kipimo.simulator.scenario.SimulationResult.TierTotal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Results as rows of cells, titles first; the caller aligns the columns. */
public final class TextReport {
    private TextReport() {}

    /** One row for each run and class. */
    public static List<List<String>> classes(List<NamedRun> runs) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "run",
                "class",
                "offered",
                "admitted",
                "quality",
                "good",
                "time-outs",
                "mean s",
                "p50 s",
                "p95 s",
                "p99 s",
                "windows ok",
                "worst window"));
        for (NamedRun run : runs) {
            SimulationResult result = run.result();
            for (int c = 0; c < result.classes().size(); c++) {
                ClassTotal total = result.classes().get(c);
                boolean isFirst = c == 0;
                rows.add(List.of(
                        isFirst ? run.name() : "",
                        total.name(),
                        Long.toString(total.offered()),
                        number(total.admittedShare()),
                        number(total.quality()),
                        Long.toString(total.good()),
                        number(total.timeOutShare()),
                        number(total.latencies().mean()),
                        number(total.latencies().p50()),
                        number(total.latencies().p95()),
                        number(total.latencies().p99()),
                        isFirst
                                ? result.control()
                                        .map(x -> number(x.shareAtThreshold()))
                                        .orElse("")
                                : "",
                        isFirst
                                ? result.control()
                                        .map(x -> number(x.worstWindow()))
                                        .orElse("")
                                : ""));
            }
        }
        return rows;
    }

    /** One row for each run and tier. */
    public static List<List<String>> tiers(List<NamedRun> runs) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "run",
                "tier",
                "executions",
                "calls",
                "timed out",
                "refused",
                "utilisation",
                "mean s",
                "p50 s",
                "p95 s",
                "p99 s"));
        for (NamedRun run : runs) {
            for (TierTotal tier : run.result().tiers()) {
                rows.add(List.of(
                        run.name(),
                        tier.name(),
                        Long.toString(tier.executions()),
                        Long.toString(tier.calls()),
                        Long.toString(tier.timedOutCalls()),
                        Long.toString(tier.refused()),
                        number(tier.utilisation()),
                        number(tier.latencies().mean()),
                        number(tier.latencies().p50()),
                        number(tier.latencies().p95()),
                        number(tier.latencies().p99())));
            }
        }
        return rows;
    }

    /** One row for each run with a replicator. */
    public static List<List<String>> replication(List<NamedRun> runs) {
        List<List<String>> rows = new ArrayList<>();
        for (NamedRun run : runs) {
            run.result()
                    .replication()
                    .ifPresent(r -> rows.add(List.of(
                            run.name(),
                            r.proven().toString(),
                            Long.toString(r.trials()),
                            Integer.toString(r.changes().size()),
                            Double.isNaN(r.endedAtSeconds()) ? "still searching" : number(r.endedAtSeconds()),
                            number(r.greatestUtilisation()))));
        }
        if (!rows.isEmpty()) {
            rows.add(0, List.of("run", "factors", "trials", "changes", "search ended s", "greatest utilisation"));
        }
        return rows;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
