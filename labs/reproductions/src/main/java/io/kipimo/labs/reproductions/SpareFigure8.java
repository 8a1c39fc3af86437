package io.kipimo.labs.reproductions;

import io.kipimo.core.replication.Factors;
import io.kipimo.core.replication.TargetMetric;
import io.kipimo.simulator.scenario.BuiltIn;
import io.kipimo.simulator.scenario.Latencies;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.SimulationResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Partial replication of web search (sPARE, sec. VI-C, fig. 8): latency of pages and of the queries
 * that they send, two patterns of interference, two loads; the replicator's target is the 99th
 * percentile of pages.
 */
final class SpareFigure8 implements PaperExperiment {
    private static final double SECONDS = 900;
    private static final int[] LOADS = {40, 10};

    /** Mean, 95th and 99th percentile by load and pattern without replication, milliseconds. */
    private static final double[][][] TABLE_2 = {
        {{28.6, 56.6, 97.8}, {35.3, 87.6, 173.7}},
        {{23.8, 45.7, 86.5}, {35.9, 90.8, 167.0}}
    };

    @Override
    public String id() {
        return "spare-figure-8";
    }

    @Override
    public String title() {
        return "Web search by partial replication (sPARE, figure 8)";
    }

    @Override
    public Reproduction run() {
        List<Finding> findings = new ArrayList<>();
        for (int load = 0; load < LOADS.length; load++) {
            for (int pattern = 1; pattern <= 2; pattern++) {
                findings.addAll(findings(load, pattern));
            }
        }
        return new Reproduction(
                id(),
                title(),
                "Scenario solr. Without replication: servers in turn. With: factors that the"
                        + " replicator found on live traffic, servers by tokens.",
                findings,
                List.of());
    }

    private static List<Finding> findings(int load, int pattern) {
        Scenario scenario =
                PartialReplication.scenario(BuiltIn.scenario("solr"), pattern, LOADS[load])
                        .withSeconds(SECONDS);
        SimulationResult none =
                PartialReplication.run(PartialReplication.inTurn(scenario), Factors.ones(2));
        SimulationResult.ReplicationTotal live =
                PartialReplication.live(scenario, TargetMetric.P99, true)
                        .replication()
                        .orElseThrow();
        Factors found = new Factors(live.proven());
        SimulationResult ours = PartialReplication.run(scenario, found);
        String where = String.format(Locale.ROOT, "pattern %d, %d pages/s", pattern, LOADS[load]);
        double[] paper = TABLE_2[load][pattern - 1];
        Latencies before = none.classes().get(0).latencies();
        boolean near =
                Math.abs(before.mean() * 1e3 / paper[0] - 1) <= 0.3
                        && Math.abs(before.p99() * 1e3 / paper[2] - 1) <= 0.3;
        Latencies queriesBefore = none.tiers().get(1).latencies();
        Latencies queries = ours.tiers().get(1).latencies();
        Latencies pages = ours.classes().get(0).latencies();
        double p99 = before.p99() / pages.p99();
        return List.of(
                Finding.compared(
                        where + ", none: mean, p95, p99 (table II)",
                        String.format(
                                Locale.ROOT, "%.1f, %.1f, %.1f ms", paper[0], paper[1], paper[2]),
                        String.format(
                                Locale.ROOT,
                                "%.1f, %.1f, %.1f ms",
                                before.mean() * 1e3,
                                before.p95() * 1e3,
                                before.p99() * 1e3),
                        near,
                        "the work and the speed under neighbours are chosen, not the paper's"),
                Finding.compared(
                        where + ", page p99",
                        "2 to 7 times",
                        String.format(
                                Locale.ROOT,
                                "%.2f times; factors %s in %d trials",
                                p99,
                                found.values(),
                                live.trials()),
                        p99 >= 2 && p99 <= 7,
                        "the tail without replication has another cause"),
                Finding.compared(
                        where + ", page mean",
                        "near 2 times",
                        String.format(Locale.ROOT, "%.2f times", before.mean() / pages.mean()),
                        Math.abs(before.mean() / pages.mean() - 2) <= 0.5,
                        "neighbours have less effect on the mean here"),
                Finding.compared(
                        where + ", query p99",
                        "2 to 7 times",
                        String.format(
                                Locale.ROOT, "%.2f times", queriesBefore.p99() / queries.p99()),
                        queriesBefore.p99() / queries.p99() >= 2,
                        "the replicator measures pages only, and stops when they gain no more"));
    }
}
