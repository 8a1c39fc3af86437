package io.kipimo.labs.reproductions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code docs/papers.md}: every figure and table of the five papers, with the recorded results of the experiments.
 * {@code kipimo reproduce ID --json >DIR/ID.json}, then {@code -Ddocs.write=true -Ddocs.results=DIR} records results
 * and writes the page.
 */
class PapersDocsTest {
    private static final Path PAGE = Path.of("../../docs/papers.md");

    /** Compared figures, tab-separated: see {@link Recorded}. */
    private static final Path RECORDED = Path.of("src/test/resources/recorded.tsv");

    private static final String MATCHES = Finding.FindingVerdict.MATCHES.text();
    private static final String DIFFERS = Finding.FindingVerdict.DIFFERS.text();

    /** Figure, and the experiment's id, or where it is instead, or why it is not. */
    private static final String FIGURES = """
            Ubora 1, 2, 4; sPARE 1, 3, 4, 5, 7; Zoolander 1, 6; Quaestor 2, 3, 5, 6, 7; SoAR 2, 3, 7, 9, table 2 | drawings and definitions
            Ubora 3, table I | how components, maturity and QCoD vary on the authors' cluster. A service's own: metric `maturity` of the quality job, `quartile_dispersion` in topic `tails`
            Ubora 5 | yearly cost by the prices of 2009. By the paper's equations an offline testbed costs 1.5 times as much, and a copy of the data 1.2 times
            Ubora 6 | ubora-figure-6
            Ubora 6.4, the least filled memo node | not built: the gateway spreads the memo cache by hash
            Ubora 7, 8, 9 | live: [`bench replay`](performance.md#record-and-replay), at 10 and 40 % sampled. "NoOpt" of 7, and 9 (one service's options), are not repeated
            Ubora 10 | hardware counters were not tried. [What a front end knows](performance.md#what-did-not-pay) was
            Ubora 11 | ubora-figure-11
            Ubora 11, as a curve | ubora-mixes
            Ubora table II | ubora-table-2
            sPARE 2 | spare-figure-2
            sPARE 6, table I | spare-figure-6
            sPARE 8, table II | spare-figure-8
            sPARE V-A | spare-estimator
            Zoolander 2 | Kipimo has no model of a caller, whose accesses wait for each other
            Zoolander 3, 4, table 1 | input of 5, 8 and 9: the service times have the printed shares (`PaperExperimentsTest`)
            Zoolander 5 | zoolander-figure-5
            Zoolander 7 | a repeater's delay. [`bench duplicates`](performance.md#ordered-duplicates) measures latencies through `kipimo duplicate` as a whole
            Zoolander 8 | zoolander-figure-8
            Zoolander 9 | zoolander-figure-9
            Quaestor 1; 6.2, production | other services around the world; a shop under its customers
            Quaestor 4 | the levels of consistency: `ConsistencyTest`, `SafeRevalidationITCase` ([levels](caching.md#who-does-what))
            Quaestor 3.2, ACID transactions | not built
            Quaestor 8a, b, c, f | quaestor-figure-8
            Quaestor 8d, e | quaestor-figure-8d
            Quaestor 9 | quaestor-figure-9
            Quaestor 10 | quaestor-figure-10
            Quaestor 11 | quaestor-figure-11
            Quaestor 12 | live: [`bench invalidation`](performance.md#cached-answers), on one machine
            Quaestor table 1 | quaestor-table-1
            SoAR 1 | a data base without a name. Its shape is `rate --model usl`
            SoAR 4, 5, 6, table 3 | rating-table-3
            SoAR 8 | the shortest experiment that tells: `DeltaAnalyzer`, tested on models (`DeltaAnalyzerTest`)
            SoAR 10, tables 1, 4 to 10 | other data bases; [`bench rating-stores`](performance.md#rating-a-service) counts the experiments of each technique on Redis under the same actions
            SoAR 11 | a slow generator among three: [by many generators](rating.md#by-many-generators-over-topics)
            none | shedding
            none | fanout
            none | rivals
            """;

    /** One figure of an experiment, as it was on a date. */
    private record Recorded(
            String id, String date, String verdict, String figure, String paper, String ours, String why) {
        private static final Recorded NONE = new Recorded("", "", "", "", "", "", "");

        private static final String PARTS = "(?<=[;:]) ";

        /** How a search went, after the figures that are compared. */
        private static final String SEARCH = "; factors .*";

        static Recorded of(String line) {
            String[] cells = line.split("\t", -1);
            return new Recorded(cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6]);
        }

        static Recorded of(String id, String date, Finding one) {
            return new Recorded(id, date, one.verdict().text(), one.what(), one.paper(), one.ours(), one.note());
        }

        static Recorded of(String id, String date, JsonNode one) {
            return new Recorded(
                    id,
                    date,
                    one.get("verdict").asText(),
                    one.get("figure").asText(),
                    one.get("paper").asText(),
                    one.get("ours").asText(),
                    one.get("note").asText());
        }

        boolean isCompared() {
            return verdict.equals(MATCHES) || verdict.equals(DIFFERS);
        }

        String line() {
            return String.join("\t", id, date, verdict, figure, paper, ours, why);
        }

        /** @param above the row above in the table; a cell leaves out what is there, too */
        String row(Recorded above) {
            boolean isSame = id.equals(above.id);
            return "| %s | %s |"
                    .formatted(
                            isSame ? "" : "`" + id + "`",
                            String.join(
                                    " | ",
                                    isSame ? news(figure, above.figure) : cell(figure),
                                    isSame && paper.equals(above.paper) ? "" : cell(paper),
                                    cell(ours.replaceAll(SEARCH, "")),
                                    isSame ? news(why, above.why) : cell(why)));
        }

        private static String news(String text, String above) {
            List<String> said = List.of(cell(above).split(PARTS));
            return Arrays.stream(cell(text).split(PARTS))
                    .filter(part -> !said.contains(part))
                    .collect(Collectors.joining(" "))
                    .replaceAll("[;:]$", "");
        }

        private static String cell(String text) {
            return text.replace("|", "/");
        }
    }

    private static String page(List<Recorded> recorded) {
        StringBuilder made = new StringBuilder("""
                # The papers' figures and tables

                `PapersDocsTest` writes this page from the experiments. *Proof* is what `ReproductionsCanFailTest` breaks in the
                product, so that figures that matched then differ. [The results](performance.md#the-papers-experiments) are apart.

                | figure | `./kipimo reproduce` | proof | match |
                |---|---|---|---|
                """);
        StringBuilder others = new StringBuilder("""

                ## Not made again

                | figure | what it is, or where |
                |---|---|
                """);
        for (String line : FIGURES.lines().toList()) {
            List<String> parts =
                    Arrays.stream(line.split("\\|")).map(String::strip).toList();
            String figure = parts.get(0);
            String id = parts.get(1);
            if (PaperExperiments.all().stream().anyMatch(one -> one.id().equals(id))) {
                made.append("| %s | `%s` | %s | %s |\n"
                        .formatted(
                                figure.equals("none") ? "(ours)" : figure,
                                id,
                                ReproductionsCanFailTest.proof(id),
                                verdict(of(id, recorded))));
            } else {
                others.append("| %s | %s |\n".formatted(figure, id));
            }
        }
        StringBuilder text = made.append(others).append("""

                ## What does not match

                A row leaves out what the row above says. `./kipimo reproduce` prints all.

                | experiment | figure | paper | ours | why |
                |---|---|---|---|---|
                """);
        Recorded above = Recorded.NONE;
        for (Recorded one : recorded) {
            if (one.verdict().equals(DIFFERS)) {
                text.append(one.row(above)).append('\n');
                above = one;
            }
        }
        return text.toString();
    }

    private static String verdict(List<Recorded> figures) {
        long matches =
                figures.stream().filter(one -> one.verdict().equals(MATCHES)).count();
        return figures.isEmpty()
                ? "not run"
                : "%d of %d, %s"
                        .formatted(matches, figures.size(), figures.get(0).date());
    }

    private static List<Recorded> of(String id, List<Recorded> recorded) {
        return recorded.stream().filter(one -> one.id().equals(id)).toList();
    }

    private static List<Recorded> recorded() throws IOException {
        return Files.readAllLines(RECORDED).stream().map(Recorded::of).toList();
    }

    /** The recorded figures, with those of the files in a directory in place of the experiments' own. */
    private static List<Recorded> with(Path directory) throws IOException {
        List<Recorded> fresh = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".json")).toList()) {
                String date = Files.getLastModifiedTime(file).toString().substring(0, "2026-11-29".length());
                for (Map.Entry<String, JsonNode> experiment :
                        new ObjectMapper().readTree(file.toFile()).properties()) {
                    experiment
                            .getValue()
                            .get("findings")
                            .forEach(one -> fresh.add(Recorded.of(experiment.getKey(), date, one)));
                }
            }
        }
        List<String> order =
                PaperExperiments.all().stream().map(PaperExperiment::id).toList();
        return Stream.concat(
                        fresh.stream().filter(Recorded::isCompared),
                        recorded().stream().filter(one -> of(one.id(), fresh).isEmpty()))
                .sorted(Comparator.comparing(one -> order.indexOf(one.id())))
                .toList();
    }

    @Test
    void everyFigureIsThere() throws IOException {
        if (Boolean.getBoolean("docs.write")) {
            String results = System.getProperty("docs.results");
            List<Recorded> recorded = results == null ? recorded() : with(Path.of(results));
            Files.write(RECORDED, recorded.stream().map(Recorded::line).toList());
            Files.writeString(PAGE, page(recorded));
        }
        assertThat(PAGE).as("-Ddocs.write=true writes it").hasContent(page(recorded()));
        assertThat(FIGURES.lines().map(line -> line.replaceAll(".*\\|", "").strip()))
                .containsAll(
                        PaperExperiments.all().stream().map(PaperExperiment::id).toList());
    }

    static List<String> theRecordedResultsAreThoseOfTheExperiments() {
        return PaperExperiments.all().stream().map(PaperExperiment::id).toList();
    }

    @Tag("papers")
    @ParameterizedTest
    @MethodSource
    void theRecordedResultsAreThoseOfTheExperiments(String id) throws IOException {
        List<Recorded> recorded = of(id, recorded());

        assertThat(recorded).isNotEmpty();
        assertThat(PaperExperiments.of(id).experiment().run().findings().stream()
                        .map(one -> Recorded.of(id, recorded.get(0).date(), one))
                        .filter(Recorded::isCompared))
                .containsExactlyElementsOf(recorded);
    }
}
