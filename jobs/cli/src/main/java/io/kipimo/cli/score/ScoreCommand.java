package io.kipimo.cli.score;

import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.cli.terminal.PrintingCommand;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.core.quality.merge.RunScorer;
import io.kipimo.core.quality.merge.RunScores;
import io.kipimo.core.quality.merge.ScoredDocument;
import io.kipimo.core.quality.similarity.Similarities;
import io.kipimo.core.quality.similarity.Similarity;
import io.kipimo.schemas.document.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kipimo score}: computes the answer quality of one run against another, offline. */
@Command(
        name = "score",
        description = {
            "Compares the answers that users got with the answers from all data, with the "
                    + "similarity functions of the quality job.",
            "",
            "A run is a file in TREC form, 'qid Q0 docid rank score tag' a line (the rank is ignored: higher scores "
                    + "are better, ties go to the larger docid), or JSON lines, "
                    + "{\"qid\":\"q1\",\"items\":[{\"id\":\"doc-1\",\"score\":3.2}]} a query.",
            "",
            "Queries are those of the mature run; a query that the online run lacks has an empty "
                    + "answer there. The mean covers all of them."
        },
        footer = {
            "  kipimo score --online online.run --mature mature.run --metrics tpr@20,ndcg@10",
            "  zcat online.run.gz | kipimo score --online - --mature mature.run --metrics rbo@0.9 --json"
        })
public final class ScoreCommand extends PrintingCommand {
    @Option(
            names = "--online",
            required = true,
            paramLabel = "FILE",
            description = "Run of the answers that users got; - is standard input.")
    private String online;

    @Option(
            names = "--mature",
            required = true,
            paramLabel = "FILE",
            description = "Run of the same queries with all data; - is standard input.")
    private String mature;

    @Option(
            names = "--metrics",
            required = true,
            split = ",",
            paramLabel = "METRIC",
            description = "Similarity functions, such as tpr@20, ndcg@10, rbo@0.9.")
    private List<String> metrics;

    @Override
    public Integer call() {
        List<Similarity> similarities = similarities();
        InputException.throwIf(
                online.equals(InputFile.STANDARD_INPUT) && mature.equals(InputFile.STANDARD_INPUT),
                "--online and --mature are both standard input; allowed: one of them");
        RunScores scores = RunScorer.score(read(online), read(mature), similarities);
        output.print(
                () -> new JsonObject().with("queries", scores.queries()).with("mean", scores.mean()),
                table(scores, similarities)::print);
        warn("counted as empty answers, not in " + online, scores.missingOnline());
        warn("ignored, not in " + mature, scores.ignored());
        return ExitCodes.FINE;
    }

    private List<Similarity> similarities() {
        List<Similarity> similarities = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (String metric : metrics) {
            try {
                similarities.add(Similarities.parse(metric.strip()));
            } catch (IllegalArgumentException e) {
                problems.add("--metrics: " + e.getMessage());
            }
        }
        if (!problems.isEmpty()) {
            throw new InputException(problems);
        }
        return similarities;
    }

    private static Map<String, List<ScoredDocument>> read(String file) {
        return InputFile.read(file, reader -> RunFile.read(file, reader));
    }

    private static TextTable table(RunScores scores, List<Similarity> similarities) {
        List<String> names =
                similarities.stream().map(Similarity::name).distinct().toList();
        List<String> titles = new ArrayList<>(List.of("query"));
        titles.addAll(names);
        TextTable table = new TextTable(titles);
        scores.queries().forEach((query, values) -> table.row(row(query, values, names)));
        return table.row(row("mean", scores.mean(), names));
    }

    private static List<String> row(String title, SortedMap<String, Double> values, List<String> names) {
        List<String> cells = new ArrayList<>(List.of(title));
        names.forEach(name -> cells.add(String.format(Locale.ROOT, "%.4f", values.get(name))));
        return cells;
    }

    private void warn(String what, SortedSet<String> queries) {
        if (!queries.isEmpty()) {
            String some = String.join(", ", queries.stream().limit(5).toList());
            output.err()
                    .println("kipimo: %s %s %s: %s%s"
                            .formatted(
                                    queries.size(),
                                    queries.size() == 1 ? "query" : "queries",
                                    what,
                                    some,
                                    queries.size() > 5 ? ", …" : ""));
        }
    }
}
