package io.kipimo.labs.reproductions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/papers.md}: every figure and table of the five papers. {@code -Ddocs.write=true} writes it, with the
 * verdicts of the experiments in {@code -Ddocs.run=quaestor-figure-8,...}, or of {@code all}.
 */
class PapersDocsTest {
    private static final Path PAGE = Path.of("../../docs/papers.md");
    private static final int CELLS = 5;
    private static final String UNKNOWN = "not run";

    /** Figure, and the experiment's id, or where it is instead, or why it is not. */
    private static final String FIGURES = """
            Ubora 1, 2, 4 | drawings
            Ubora 3, table I | the authors' cluster: how its components, maturity and QCoD (the quartiles' distance over their sum) vary. Topic `quality` has a service's own; a metric of maturity or QCoD is not built
            Ubora 5 | yearly cost by the prices of 2009, which no part of Kipimo computes. By the paper's equations an offline testbed costs 1.5 times as much, and a copy of the data 1.2 times
            Ubora 6 | ubora-figure-6
            Ubora 6.4, the least filled memo node | not built: the gateway spreads the memo cache by hash
            Ubora 7, 8, 9 | live, through the gateway: [`bench replay`](performance.md#record-and-replay), at 10 and 40 % sampled. "NoOpt" switches off what the gateway does not have: a query carries its context, so no messages change a component's mode. 9 (the options of one service) is not repeated
            Ubora 10 | hardware counters were not tried. [What a front end knows](performance.md#what-did-not-pay) was
            Ubora 11 | ubora-figure-11
            Ubora 11, as a curve | ubora-mixes
            Ubora table II | ubora-table-2
            sPARE 1, 3, 4, 5, 7 | drawings
            sPARE 2 | spare-figure-2
            sPARE 6, table I | spare-figure-6
            sPARE 8, table II | spare-figure-8
            sPARE V-A | spare-estimator
            Zoolander 1, 6 | drawings
            Zoolander 2 | the cost of delays in Gridlab-D depends on which of its accesses wait for which others. Kipimo has no model of a caller
            Zoolander 3, 4, table 1 | the input of 5, 8 and 9: the service times are made to have the printed shares (`PaperExperimentsTest`), so they show nothing
            Zoolander 5 | zoolander-figure-5
            Zoolander 7 | the delay of a repeater in C on another machine. [`bench duplicates`](performance.md#ordered-duplicates) measures latencies through `kipimo duplicate` as a whole
            Zoolander 8 | zoolander-figure-8
            Zoolander 9 | zoolander-figure-9
            Quaestor 1 | pages of other services around the world
            Quaestor 2, 3, 5, 6, 7 | drawings
            Quaestor 4 | the levels of consistency: `ConsistencyTest`, `SafeRevalidationITCase` ([levels](caching.md#who-does-what))
            Quaestor 3.2, ACID transactions | not built
            Quaestor 8a, b, c, f | quaestor-figure-8
            Quaestor 8d, e | quaestor-figure-8d
            Quaestor 9 | quaestor-figure-9
            Quaestor 10 | quaestor-figure-10
            Quaestor 11 | quaestor-figure-11
            Quaestor 12 | live: [`bench invalidation`](performance.md#cached-answers), on one machine
            Quaestor table 1 | quaestor-table-1
            Quaestor 6.2, production | a shop under its customers
            SoAR 1 | a data base whose name the paper withholds. Its shape, a throughput that falls as users queue, is `rate --model usl`
            SoAR 2, 3, 7, 9, table 2 | drawings and definitions
            SoAR 4, 5, 6, table 3 | rating-table-3
            SoAR 8 | the shortest experiment that tells: `DeltaAnalyzer`, tested on models (`DeltaAnalyzerTest`)
            SoAR 10, tables 4, 5, 6, 7, 8, 9, 10 | loading BG's social graph into MongoDB, MySQL and SQL-X; [`bench rating-stores`](performance.md#rating-a-service) counts the experiments of each technique on Redis
            SoAR 11 | a slow generator among three: [by many generators](rating.md#by-many-generators-over-topics)
            SoAR table 1 | MongoDB, HBase, Neo4j and an unnamed data base. [`bench rating-stores`](performance.md#rating-a-service) rates Redis under the same two actions
            none | shedding
            none | fanout
            none | rivals
            """;

    private static String page(Map<String, String> verdicts) {
        StringBuilder text = new StringBuilder("""
                # The papers' figures and tables

                `PapersDocsTest` writes this page from the experiments. *Proof* is what `ReproductionsCanFailTest` breaks in the
                product, so that figures that matched then differ. [The results](performance.md#the-papers-experiments) are apart.

                | figure | state | command | proof | verdict |
                |---|---|---|---|---|
                """);
        for (String line : FIGURES.lines().toList()) {
            List<String> parts =
                    Arrays.stream(line.split("\\|")).map(String::strip).toList();
            String id = parts.get(1);
            boolean runs =
                    PaperExperiments.all().stream().anyMatch(one -> one.id().equals(id));
            text.append("| ")
                    .append(String.join(
                            " | ",
                            runs
                                    ? List.of(
                                            parts.get(0).equals("none") ? "(ours)" : parts.get(0),
                                            "made again",
                                            "`reproduce " + id + "`",
                                            ReproductionsCanFailTest.proof(id),
                                            verdicts.getOrDefault(id, UNKNOWN))
                                    : List.of(parts.get(0), id, "", "", "")))
                    .append(" |\n");
        }
        return text.toString();
    }

    /** Of the page as it is. */
    private static Map<String, String> verdicts() throws IOException {
        Map<String, String> verdicts = new HashMap<>();
        for (String line : Files.exists(PAGE) ? Files.readAllLines(PAGE) : List.<String>of()) {
            List<String> cells =
                    Arrays.stream(line.split(" \\| ")).map(String::strip).toList();
            if (cells.size() == CELLS && cells.get(2).startsWith("`reproduce ")) {
                verdicts.put(
                        cells.get(2).replaceAll("`reproduce |`", ""),
                        cells.get(4).replaceAll(" \\|$", ""));
            }
        }
        return verdicts;
    }

    private static String verdict(PaperExperiment experiment) {
        Reproduction reproduction = experiment.experiment().run();
        long matches = reproduction.count(Finding.FindingVerdict.MATCHES);
        List<String> differ = new ArrayList<>(reproduction.findings().stream()
                .filter(one -> one.verdict() == Finding.FindingVerdict.DIFFERS)
                .map(Finding::what)
                .toList());
        long all = matches + differ.size();
        return all == 0
                ? "ours alone"
                : matches + " of " + all + " match"
                        + (differ.isEmpty() ? "" : "; not: " + String.join("; ", differ)).replace("|", "/");
    }

    @Test
    void everyFigureIsThere() throws IOException {
        Map<String, String> verdicts = verdicts();
        List<String> run = List.of(System.getProperty("docs.run", "").split(","));
        if (Boolean.getBoolean("docs.write")) {
            for (PaperExperiment experiment : PaperExperiments.all()) {
                if (run.contains(experiment.id()) || run.contains("all")) {
                    verdicts.put(experiment.id(), verdict(experiment));
                }
            }
            Files.writeString(PAGE, page(verdicts));
        }
        assertThat(PAGE).as("-Ddocs.write=true writes it").hasContent(page(verdicts));
        assertThat(FIGURES.lines()
                        .map(line -> line.replaceAll(".*\\|", "").strip())
                        .collect(Collectors.toList()))
                .containsAll(
                        PaperExperiments.all().stream().map(PaperExperiment::id).toList());
    }

    @Tag("full")
    @Test
    void theVerdictsAreThoseOfTheExperiments() throws IOException {
        Map<String, String> verdicts = verdicts();
        for (PaperExperiment experiment : PaperExperiments.all()) {
            if (!verdicts.get(experiment.id()).equals(UNKNOWN)) {
                assertThat(verdict(experiment)).as(experiment.id()).isEqualTo(verdicts.get(experiment.id()));
            }
        }
    }
}
