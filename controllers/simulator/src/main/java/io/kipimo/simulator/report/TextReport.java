package io.kipimo.simulator.report;

import io.kipimo.simulator.scenario.SimulationResult;
import io.kipimo.simulator.scenario.SimulationResult.ClassTotal;
import io.kipimo.simulator.scenario.SimulationResult.TierTotal;
import java.util.List;

/** Results as rows of cells, titles first; the caller aligns the columns. */
public final class TextReport {
    private TextReport() {}

    /** One row for each run and class. */
    public static List<List<String>> classes(List<NamedRun> runs) {
        TextRows rows = new TextRows();
        for (NamedRun run : runs) {
            SimulationResult result = run.result();
            for (int c = 0; c < result.classes().size(); c++) {
                ClassTotal total = result.classes().get(c);
                boolean isFirst = c == 0;
                rows.row()
                        .cell("run", isFirst ? run.name() : "")
                        .cell("class", total.name())
                        .cell("offered", total.offered())
                        .cell("admitted", number(total.admittedShare()))
                        .cell("quality", number(total.quality()))
                        .cell("good", total.good())
                        .cell("time-outs", number(total.timeOutShare()))
                        .cell("mean s", number(total.latencies().mean()))
                        .cell("p50 s", number(total.latencies().p50()))
                        .cell("p95 s", number(total.latencies().p95()))
                        .cell("p99 s", number(total.latencies().p99()))
                        .cell(
                                "windows ok",
                                isFirst
                                        ? result.control()
                                                .map(x -> number(x.quality().shareAtThreshold()))
                                                .orElse("")
                                        : "")
                        .cell(
                                "worst window",
                                isFirst
                                        ? result.control()
                                                .map(x -> number(x.quality().worstWindow()))
                                                .orElse("")
                                        : "");
            }
        }
        return rows.list();
    }

    /** One row for each run and tier. */
    public static List<List<String>> tiers(List<NamedRun> runs) {
        TextRows rows = new TextRows();
        for (NamedRun run : runs) {
            for (TierTotal tier : run.result().tiers()) {
                rows.row()
                        .cell("run", run.name())
                        .cell("tier", tier.name())
                        .cell("executions", tier.executions())
                        .cell("calls", tier.calls())
                        .cell("timed out", tier.timedOutCalls())
                        .cell("refused", tier.refused())
                        .cell("utilisation", number(tier.utilisation()))
                        .cell("mean s", number(tier.latencies().mean()))
                        .cell("p50 s", number(tier.latencies().p50()))
                        .cell("p95 s", number(tier.latencies().p95()))
                        .cell("p99 s", number(tier.latencies().p99()));
            }
        }
        return rows.list();
    }

    /** One row for each run with a replicator. */
    public static List<List<String>> replication(List<NamedRun> runs) {
        TextRows rows = new TextRows();
        for (NamedRun run : runs) {
            run.result().replication().ifPresent(r -> rows.row()
                    .cell("run", run.name())
                    .cell("factors", r.proven().toString())
                    .cell("trials", r.trials())
                    .cell("changes", r.changes().size())
                    .cell(
                            "search ended s",
                            Double.isNaN(r.endedAtSeconds()) ? "still searching" : number(r.endedAtSeconds()))
                    .cell("greatest utilisation", number(r.greatestUtilisation())));
        }
        return rows.list();
    }

    private static String number(double value) {
        return Phrase.of("%.3f", value);
    }
}
