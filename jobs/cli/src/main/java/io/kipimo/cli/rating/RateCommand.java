package io.kipimo.cli.rating;

import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.terminal.DecimalNumbers;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.core.rating.Comparison;
import io.kipimo.core.rating.CurveFamily;
import io.kipimo.core.rating.DryRun;
import io.kipimo.core.rating.QuadraticModel;
import io.kipimo.core.rating.RatedServiceModel;
import io.kipimo.core.rating.Search;
import io.kipimo.core.rating.SearchResult;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.SearchTerms;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code kipimo rate}: searches for the highest throughput within an agreement, in few experiments. */
@Command(
        name = "rate",
        modelTransformer = WorkloadOptions.class,
        description = {
            "Searches for the load at which a target serves the most while it keeps its agreement.",
            "",
            "--target URL: sends load from this process, without a broker. Placeholders in the "
                    + "URL and in headers: {user}, {request}, {random:N}, {line}, {micros}.",
            "--target redis://...: the social workload. It empties the database, which must be empty or Kipimo's.",
            "--target NAME --remote: the rating job of a running system coordinates load "
                    + "generators (kipimo loadgen) that know the target by this name.",
            "--target memcached://..., or redis://... with --request: commands of your own.",
            "--target 'command:COMMAND': the command imposes {load} and prints the throughput,"
                    + " followed by 'failed' if the agreement was broken.",
            "--record FILE --answers FILE: writes the arrivals of a service's recorded answers, and"
                    + " their classes, to a file for --replay.",
            "--model: a dry run. Throughput peaks with the rating at load T = sqrt(rating); "
                    + "quadratic: it is -T^2 + bT.",
            "",
            "golden and approximate are the techniques of Barahmand and Ghandeharizadeh; adaptive "
                    + "needs fewer experiments and tolerates noise.",
            "",
            "Exit code 1: there is no rating, because even the lowest load fails, or the search "
                    + "ended before it found one."
        },
        footer = {
            "  kipimo rate --model quadratic --rating 1000000",
            "  kipimo rate --model quadratic --rating 1000000 --technique golden --climb 4 --json",
            "  kipimo rate --model quadratic --table --noise",
            "  kipimo rate --target 'http://localhost:8080/search?q={line}' --lines queries.txt"
                    + " --sla 'p95<=50ms,quality>=0.9'",
            "  kipimo rate --target http://localhost:8080/ --sla 'p99<=20ms,for=60s' --load closed"
                    + " --sweep --report rating.md",
            "  kipimo rate --target redis://localhost:6379/9 --sla 'p95<=5ms,unpredictable<=0'"
                    + " --mix high --state load-free+repair --load closed",
            "  kipimo rate --target search --remote --service search --sla 'p95<=50ms'"
                    + " --bootstrap-servers localhost:9092"
        })
public final class RateCommand extends KafkaCommand {
    private static final double MODEL_ACCURACY = 0.001;

    /** Default accuracy of ratings of real targets, as a share of the rating. */
    private static final double TARGET_ACCURACY = 0.02;

    /** Number of runs over which the table averages if readings are noisy. It is enough for stable averages. */
    private static final int NOISY_RUNS = 30;

    @ArgGroup(multiplicity = "1")
    private Rated rated;

    /** Techniques that {@code --technique} accepts. A sweep has its own option. */
    static final class Techniques implements Iterable<String>, ITypeConverter<RatingTechnique> {
        @Override
        public Iterator<String> iterator() {
            return Search.TECHNIQUES.stream().map(Enum::name).iterator();
        }

        @Override
        public RatingTechnique convert(String value) {
            return Search.TECHNIQUES.stream()
                    .filter(t -> t.name().equalsIgnoreCase(value))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "expected one of " + Search.TECHNIQUES + " (case-insensitive) but was '" + value + "'"));
        }
    }

    /** Target or model to rate. */
    static final class Rated {
        @Option(
                names = "--model",
                required = true,
                paramLabel = "MODEL",
                description = "Model to rate: ${COMPLETION-CANDIDATES}.")
        private CurveFamily model;

        @Option(
                names = "--target",
                required = true,
                paramLabel = "URL|NAME",
                description = "HTTP end point, Redis (redis[s]://[[user]:password@]host[:port][/db]), "
                        + "memcached://HOST[:PORT] or command:COMMAND to rate; with --remote the name of a target.")
        private String target;

        @ArgGroup(exclusive = false)
        private ArrivalRecording recording;
    }

    @Mixin
    private RatingTerms terms;

    @Mixin
    private TargetOptions targets;

    @Option(names = "--remote", description = "Let the rating job coordinate load generators over the broker's topics.")
    private boolean remote;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Also write a report: a page if the name ends in .html, else Markdown.")
    private Path report;

    @Option(names = "--rating", paramLabel = "R", description = "True rating of the model, requests a second, 1..1e15.")
    private Double rating;

    @Option(
            names = "--technique",
            paramLabel = "NAME",
            defaultValue = "ADAPTIVE",
            completionCandidates = Techniques.class,
            converter = Techniques.class,
            description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
    private RatingTechnique technique;

    @Option(
            names = "--climb",
            paramLabel = "R",
            defaultValue = "2",
            description = "Factor by which the load rises until it is too high, 2..1000; default: ${DEFAULT-VALUE}.")
    private int climb;

    @Option(
            names = "--noise",
            arity = "0..1",
            paramLabel = "SHARE",
            defaultValue = "0",
            fallbackValue = "0.05",
            description = "Standard deviation of a reading as a share of it, 0..0.5; ${FALLBACK-VALUE} if"
                    + " no number is given, default: ${DEFAULT-VALUE}.")
    private double noise;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the noise; default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--epsilon",
            paramLabel = "SHARE",
            defaultValue = "0",
            description = "golden, approximate: share by which a throughput must exceed another to "
                    + "count as higher, 0..1; default: ${DEFAULT-VALUE}.")
    private double epsilon;

    @Option(
            names = "--accuracy",
            paramLabel = "SHARE",
            description = "adaptive: allowed error as a share of the rating, 1e-6..0.1; default: 0.001 "
                    + "of a model, 0.02 of a target.")
    private Double accuracy;

    @Option(
            names = "--limit",
            paramLabel = "LOAD",
            description = "Highest load at which the model keeps its agreement; default: any.")
    private Long limit;

    @Option(
            names = "--table",
            description = "Instead compare the techniques on ratings 100 to 100 million with climbs 2, 4 and 10.")
    private boolean table;

    @Override
    public Integer call() throws InterruptedException {
        DecimalNumbers.requireAtLeast0(spec);
        if (rated.recording != null) {
            output.print(rated.recording.write(terms.service, output.err()), ": ");
            return ExitCodes.FINE;
        }
        if (rated.target == null) {
            return rateModel();
        }
        return rated.target.startsWith(CommandService.SCHEME) ? rateCommand() : rateTarget();
    }

    private int rateTarget() throws InterruptedException {
        InputException.throwIf(
                targets.isReplay() && (remote || !terms.isOpen()),
                "--replay is given; allowed: with an open load of this process, or of kipimo loadgen");
        TargetRating rating = new TargetRating(
                TargetOptions.shown(rated.target),
                terms,
                technique,
                climb,
                epsilon,
                accuracy == null ? TARGET_ACCURACY : accuracy,
                seed,
                output.err());
        TargetRating.TargetResult result = remote ? rating.remote(kafka) : rating.local(targets.target(rated.target));
        RatingView view = new RatingView(result.rating());
        Optional<RatingView> swept = result.swept().map(RatingView::new);
        output.print(() -> view.document().withPresent("sweep", swept.map(RatingView::document)), out -> {
            view.print(out);
            swept.ifPresent(s -> {
                out.println();
                s.print(out);
            });
        });
        if (report != null) {
            result.writeReport(report);
        }
        return view.isFound() ? ExitCodes.FINE : ExitCodes.NO;
    }

    private SearchTerms settings(double defaultAccuracy) {
        SearchTerms settings = new SearchTerms(
                technique,
                climb,
                epsilon,
                accuracy == null ? defaultAccuracy : accuracy,
                terms.highestLoad(),
                terms.mostExperiments());
        RecordFields.check(settings);
        return settings;
    }

    private int rateCommand() {
        CommandService service = new CommandService(
                rated.target.substring(CommandService.SCHEME.length()), targets.commandTimeOutMillis());
        SearchTerms settings = settings(TARGET_ACCURACY);
        return print(DryRun.of(settings, service), settings, null);
    }

    private int rateModel() {
        SearchTerms settings = settings(MODEL_ACCURACY);
        if (table) {
            return compare();
        }
        InputException.throwIf(rating == null, "--rating is missing; allowed: 1..1e15, or --table");
        InputException.throwIf(limit != null && limit < 1, "--limit is " + limit + "; allowed: at least 1");
        long highest = limit == null ? Long.MAX_VALUE : limit;
        QuadraticModel known = new QuadraticModel(rating, highest);
        RatedServiceModel service = rated.model.model(rating, Math.sqrt(rating), highest);
        DryRun run = DryRun.noisy(settings, service, noise, new SplittableRandom(seed));
        return print(run, settings, rated.model == CurveFamily.QUADRATIC ? known : null);
    }

    private int print(DryRun run, SearchTerms settings, QuadraticModel model) {
        SearchResult found = run.rating();
        output.print(
                () -> new JsonObject()
                        .with("rating", RatingReport.decimal(found.throughput()))
                        .with("load", found.load())
                        .with("experiments", found.experiments()),
                out -> RatingReport.print(out, run, model, settings));
        return switch (run.rating().ending()) {
            case FOUND, HIGHEST_LOAD -> ExitCodes.FINE;
            case FIRST_FAILED, TOO_MANY_EXPERIMENTS, GENERATOR_BOTTLENECK -> ExitCodes.NO;
        };
    }

    private int compare() {
        List<Comparison> rows = Comparison.all(rated.model, noise, noise > 0 ? NOISY_RUNS : 1, seed);
        output.print(
                () -> Map.of(
                        "noise", noise, "rows", rows.stream().map(this::row).toList()),
                out -> RatingReport.print(out, rows, noise, NOISY_RUNS));
        return ExitCodes.FINE;
    }

    private Map<String, Object> row(Comparison comparison) {
        return new JsonObject()
                .with("rating", RatingReport.decimal(comparison.rating()))
                .with("climb", comparison.climb())
                .with("technique", RatingReport.name(comparison.technique()))
                .with("experiments", RatingReport.decimal(comparison.experiments()))
                .withFields(comparison, "worst_error", "accurate");
    }
}
