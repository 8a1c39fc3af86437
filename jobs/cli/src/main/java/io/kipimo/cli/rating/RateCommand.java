package io.kipimo.cli.rating;

import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.JsonOption;
import io.kipimo.core.rating.model.Comparison;
import io.kipimo.core.rating.model.DryRun;
import io.kipimo.core.rating.model.QuadraticModel;
import io.kipimo.core.rating.search.Rating;
import io.kipimo.core.rating.search.SearchSettings;
import io.kipimo.core.rating.search.Technique;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kipimo rate}: the highest throughput within an agreement, in few experiments. */
@Command(
        name = "rate",
        description = {
            "Searches the load at which a target serves the most while it keeps its agreement, here"
                    + " on a model: throughput is -T^2 + bT at load T, and peaks at T ="
                    + " sqrt(rating) with the rating.",
            "",
            "golden and approximate are the techniques of Barahmand and Ghandeharizadeh; adaptive"
                    + " needs fewer experiments and bears noise.",
            "",
            "Exit code 1: there is no rating, since not even the lowest load passes, or the search"
                    + " ended before it was found."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  kipimo rate --model quadratic --rating 1000000",
            "  kipimo rate --model quadratic --rating 1000000 --technique golden --climb 4 --json",
            "  kipimo rate --model quadratic --table --noise"
        })
public final class RateCommand implements Callable<Integer> {
    /** What a rating can be dry-run on. */
    enum Model {
        QUADRATIC
    }

    /** Of the table, where readings are noisy: enough that a technique's luck does not show. */
    private static final int NOISY_RUNS = 30;

    @Option(
            names = "--model",
            required = true,
            paramLabel = "MODEL",
            description = "Model to rate: ${COMPLETION-CANDIDATES}.")
    private Model model;

    @Option(
            names = "--rating",
            paramLabel = "R",
            description = "True rating of the model, requests a second, 1..1e15.")
    private Double rating;

    @Option(
            names = "--technique",
            paramLabel = "NAME",
            defaultValue = "ADAPTIVE",
            description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
    private Technique technique;

    @Option(
            names = "--climb",
            paramLabel = "R",
            defaultValue = "2",
            description =
                    "Factor by which the load rises until it is too high, 2..1000; default:"
                            + " ${DEFAULT-VALUE}.")
    private int climb;

    @Option(
            names = "--noise",
            arity = "0..1",
            paramLabel = "SHARE",
            defaultValue = "0",
            fallbackValue = "0.05",
            description =
                    "Standard deviation of a reading as a share of it, 0..0.5; ${FALLBACK-VALUE} if"
                            + " no number is given, default: ${DEFAULT-VALUE}.")
    private double noise;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of the noise; default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--epsilon",
            paramLabel = "SHARE",
            defaultValue = "0",
            description =
                    "golden, approximate: share by which a throughput must be higher to count as"
                            + " higher, 0..1; default: ${DEFAULT-VALUE}.")
    private double epsilon;

    @Option(
            names = "--accuracy",
            paramLabel = "SHARE",
            defaultValue = "0.001",
            description =
                    "adaptive: share of the rating that may be missed, 1e-6..0.1; default:"
                            + " ${DEFAULT-VALUE}.")
    private double accuracy;

    @Option(
            names = "--limit",
            paramLabel = "LOAD",
            description = "Highest load at which the model keeps its agreement; default: any.")
    private Long limit;

    @Option(
            names = "--table",
            description =
                    "Compare the techniques on ratings 100 to 100 million with climbs 2, 4 and 10"
                            + " instead.")
    private boolean table;

    @Mixin private JsonOption json;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        SearchSettings settings =
                SearchSettings.of(technique, climb)
                        .withNoise(noise)
                        .withEpsilon(epsilon)
                        .withAccuracy(accuracy);
        PrintWriter out = spec.commandLine().getOut();
        if (table) {
            return compare(out);
        }
        if (rating == null) {
            throw new InputException("--rating is missing; allowed: 1..1e15, or --table");
        }
        QuadraticModel target =
                switch (model) {
                    case QUADRATIC ->
                            new QuadraticModel(rating, limit == null ? Long.MAX_VALUE : limit);
                };
        DryRun run = DryRun.noisy(settings, target, noise, new SplittableRandom(seed));
        if (json.isSet()) {
            JsonOption.print(out, document(run.rating()));
        } else {
            RatingReport.print(out, run, target, settings);
        }
        return switch (run.rating().ending()) {
            case FOUND, HIGHEST_LOAD -> ExitCodes.FINE;
            case FIRST_FAILED, TOO_MANY_EXPERIMENTS, GENERATOR_BOTTLENECK -> ExitCodes.NO;
        };
    }

    private static Map<String, Object> document(Rating found) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("rating", RatingReport.decimal(found.throughput()));
        document.put("load", found.load());
        document.put("experiments", found.experiments());
        return document;
    }

    private int compare(PrintWriter out) {
        List<Comparison> rows = Comparison.all(noise, noise > 0 ? NOISY_RUNS : 1, seed);
        if (json.isSet()) {
            JsonOption.print(
                    out, Map.of("noise", noise, "rows", rows.stream().map(this::row).toList()));
        } else {
            RatingReport.print(out, rows, noise, NOISY_RUNS);
        }
        return ExitCodes.FINE;
    }

    private Map<String, Object> row(Comparison comparison) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("rating", RatingReport.decimal(comparison.rating()));
        row.put("climb", comparison.climb());
        row.put("technique", RatingReport.name(comparison.technique()));
        row.put("experiments", RatingReport.decimal(comparison.experiments()));
        row.put("worst_error", comparison.worstError());
        row.put("accurate", comparison.accurate());
        return row;
    }
}
