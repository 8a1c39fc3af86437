package io.kipimo.labs.reproductions;

import io.kipimo.core.replication.Factors;
import io.kipimo.core.replication.TargetMetric;
import io.kipimo.simulator.report.Phrase;
import io.kipimo.simulator.scenario.BuiltIn;
import io.kipimo.simulator.scenario.Latencies;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.SimulationResult;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Reproduces partial replication of web search (sPARE, sec. VI-C, fig. 8): latency of pages and of the queries that
 * they send, under two patterns of interference and two loads. The replicator's target is the 99th percentile of pages.
 */
final class SpareFigure8 implements Experiment {
    private static final int[] LOADS = {40, 10};

    /** The paper's mean, 95th and 99th percentile by load and pattern without replication, in milliseconds. */
    private static final double[][][] TABLE_2 = {
        {{28.6, 56.6, 97.8}, {35.3, 87.6, 173.7}},
        {{23.8, 45.7, 86.5}, {35.9, 90.8, 167.0}}
    };

    private static final String WHY = "the replicator measures pages only, and a page waits for its slowest part";

    private final long seconds;

    SpareFigure8() {
        this(900);
    }

    /**
     * Makes the experiment.
     *
     * @param seconds simulated time of each set of factors
     */
    SpareFigure8(long seconds) {
        this.seconds = seconds;
    }

    /** Gains of the 99th percentiles of pages and queries, and of the mean of pages. */
    private record Gains(int load, int pattern, double pages, double queries, double mean) {}

    @Override
    public Reproduction run() {
        List<Finding> findings = new ArrayList<>();
        List<Gains> gains = new ArrayList<>();
        for (int load = 0; load < LOADS.length; load++) {
            for (int pattern = 1; pattern <= 2; pattern++) {
                gains.add(gains(load, pattern, findings));
            }
        }
        findings.addAll(orderings(gains));
        return new Reproduction(
                "Scenario solr. Without replication: servers in turn. With: factors that the"
                        + " replicator found on live traffic, servers by tokens."
                        + PartialReplication.difference(),
                findings);
    }

    /** Checks the orderings that the paper states. Two gains are similar if they are within a quarter of each other. */
    private static List<Finding> orderings(List<Gains> gains) {
        List<Gains> first = gains.stream().filter(g -> g.pattern() == 1).toList();
        List<Gains> second = gains.stream().filter(g -> g.pattern() == 2).toList();
        double most = gains.stream()
                .mapToDouble(g -> Math.max(g.pages(), g.queries()))
                .max()
                .orElse(0);
        return List.of(
                Finding.compared(
                        "the largest gain is of the pages' p99 in pattern 2",
                        "yes",
                        gains.stream()
                                .map(g -> Phrase.of(
                                        "pattern %d, %d/s: %.2f/%.2f/%.2f",
                                        g.pattern(), LOADS[g.load()], g.pages(), g.queries(), g.mean()))
                                .collect(Collectors.joining("; ", "p99 of pages/of queries/mean of pages: ", "")),
                        second.stream().anyMatch(g -> g.pages() == most),
                        WHY),
                ordering(
                        "pattern 1: queries gain more than pages",
                        first.stream().allMatch(g -> g.queries() > g.pages())),
                ordering(
                        "pattern 2: pages and queries gain alike",
                        second.stream().allMatch(g -> Math.abs(g.queries() / g.pages() - 1) <= 0.25)),
                ordering("the p99 gains more than the mean", gains.stream().allMatch(g -> g.pages() > g.mean())),
                ordering(
                        "more at 40 pages/s than at 10",
                        gains.stream().filter(g -> g.load() == 0).allMatch(high -> gains.stream()
                                .filter(low -> low.load() == 1 && low.pattern() == high.pattern())
                                .allMatch(low -> high.pages() > low.pages() && high.queries() > low.queries()))));
    }

    private static Finding ordering(String what, boolean holds) {
        return Finding.compared(what, "yes", holds ? "yes" : "no", holds, WHY);
    }

    private Gains gains(int load, int pattern, List<Finding> findings) {
        Scenario scenario = PartialReplication.scenario(BuiltIn.scenario("solr"), pattern, LOADS[load])
                .withSeconds((double) seconds);
        SimulationResult none = PartialReplication.run(PartialReplication.inTurn(scenario), Factors.ones(2));
        SimulationResult.ReplicationTotal live = PartialReplication.live(
                        scenario, PartialReplication.papers(TargetMetric.P99))
                .replication()
                .orElseThrow();
        Factors found = new Factors(live.proven());
        SimulationResult ours = PartialReplication.run(scenario, found);
        Factors byDefault = new Factors(PartialReplication.live(scenario, PartialReplication.defaults(TargetMetric.P99))
                .replication()
                .orElseThrow()
                .proven());
        SimulationResult tokens = PartialReplication.run(scenario, Factors.ones(2));
        String where = Phrase.of("pattern %d, %d pages/s", pattern, LOADS[load]);
        double[] paper = TABLE_2[load][pattern - 1];
        Latencies before = none.classes().get(0).latencies();
        boolean near = Math.abs(before.mean() * 1e3 / paper[0] - 1) <= 0.3
                && Math.abs(before.p99() * 1e3 / paper[2] - 1) <= 0.3;
        Latencies queriesBefore = none.tiers().get(1).latencies();
        Latencies queries = ours.tiers().get(1).latencies();
        Latencies pages = ours.classes().get(0).latencies();
        double p99 = before.p99() / pages.p99();
        double queriesGain = queriesBefore.p99() / queries.p99();
        findings.addAll(List.of(
                Finding.compared(
                        where + ", none: mean, p95, p99 (table II)",
                        Phrase.of("%.1f, %.1f, %.1f ms", paper[0], paper[1], paper[2]),
                        Phrase.of("%.1f, %.1f, %.1f ms", before.mean() * 1e3, before.p95() * 1e3, before.p99() * 1e3),
                        near,
                        "the work and the speed under neighbours are chosen, not the paper's"),
                Finding.compared(
                        where + ", page p99",
                        "2 to 7 times",
                        Phrase.of(
                                "%.2f times; factors %s, %.3f extra load, in %d trials;"
                                        + " defaults: %.2f times, factors %s, %.3f extra"
                                        + " load; tokens alone: %.2f times",
                                p99,
                                found.values(),
                                PartialReplication.extraLoad(scenario, found),
                                live.trials(),
                                before.p99()
                                        / PartialReplication.run(scenario, byDefault)
                                                .classes()
                                                .get(0)
                                                .latencies()
                                                .p99(),
                                byDefault.values(),
                                PartialReplication.extraLoad(scenario, byDefault),
                                before.p99()
                                        / tokens.classes().get(0).latencies().p99()),
                        p99 >= 2 && p99 <= 7,
                        "the tail without replication has another cause"),
                Finding.compared(
                        where + ", page mean",
                        "near 2 times",
                        Phrase.of("%.2f times", before.mean() / pages.mean()),
                        Math.abs(before.mean() / pages.mean() - 2) <= 0.5,
                        "neighbours have less effect on the mean here"),
                Finding.compared(
                        where + ", query p99",
                        "2 to 7 times",
                        Phrase.of("%.2f times", queriesGain),
                        queriesGain >= 2 && queriesGain <= 7,
                        "the replicator measures pages only, and stops when they gain no more")));
        return new Gains(load, pattern, p99, queriesGain, before.mean() / pages.mean());
    }
}
