package io.kipimo.bench;

import io.kipimo.bench.cluster.ScaleBenchmark;
import io.kipimo.bench.duplicates.DuplicatesBenchmark;
import io.kipimo.bench.filter.FilterBenchmark;
import io.kipimo.bench.foreseen.ForeseenBenchmark;
import io.kipimo.bench.gateway.GatewayBenchmark;
import io.kipimo.bench.growth.GrowthBenchmark;
import io.kipimo.bench.growth.RestartBenchmark;
import io.kipimo.bench.hedging.HedgingBenchmark;
import io.kipimo.bench.idle.IdleBenchmark;
import io.kipimo.bench.invalidation.InvalidationBenchmark;
import io.kipimo.bench.latency.LatencyBenchmark;
import io.kipimo.bench.machine.SubjectProcess;
import io.kipimo.bench.micro.MicroBenchmarks;
import io.kipimo.bench.quality.BacklogBenchmark;
import io.kipimo.bench.quality.JoinCostBenchmark;
import io.kipimo.bench.quality.QualityBenchmark;
import io.kipimo.bench.rating.RatingStoresBenchmark;
import io.kipimo.bench.replay.ReplayBenchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Environment;
import io.kipimo.bench.report.NamedBenchmark;
import io.kipimo.bench.report.Report;
import io.kipimo.bench.steering.EstimatesBenchmark;
import io.kipimo.bench.steering.FanOutBenchmark;
import io.kipimo.bench.steering.SteeringBenchmark;
import io.kipimo.simulator.report.Phrase;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code kipimo bench}. */
@Command(
        name = "bench",
        description = {
            "Measures Kipimo on this machine, beside its peers in the same run. Without a name: lists the benchmarks.",
            "The figures are meaningful on an idle machine only."
        },
        footer = {
            "  kipimo bench                       what there is",
            "  kipimo bench quality               from Kafka to Kafka, half an hour",
            "  kipimo bench quality --quick       the same with rough figures, in half the time",
            "  kipimo bench quality --against DIR against the build in another source tree",
            "  kipimo bench steering --quick --partitionings topic --ways quality,trim-costliest-first",
            "  kipimo bench all --json > out.json"
        })
final class BenchCommand implements Callable<Integer> {
    private static final String ALL = "all";

    /** The benchmarks, in the order in which {@code all} runs them. */
    static final List<NamedBenchmark> BENCHMARKS = List.of(
            NamedBenchmark.of(
                    "quality",
                    "the quality job, Kafka to Kafka, against plain consumption and other ways to join",
                    new QualityBenchmark()),
            NamedBenchmark.of(
                    "backlog",
                    "how much sooner the quality job catches up if it measures a tenth of a backlog",
                    new BacklogBenchmark()),
            NamedBenchmark.of(
                    "join-cost",
                    "processor time and allocation of an event in the join, without Kafka and Flink",
                    new JoinCostBenchmark()),
            NamedBenchmark.of(
                    "quality-latency",
                    "from the last result of a query to its visible measurement, at 20,000 events/s",
                    new LatencyBenchmark()),
            NamedBenchmark.of(
                    "quality-growth",
                    "cost by items a result, components a query, and open queries",
                    new GrowthBenchmark()),
            NamedBenchmark.of(
                            "restart",
                            "from a savepoint of the quality job with open queries to its first row",
                            new RestartBenchmark())
                    .repeated(1, 1, 1),
            NamedBenchmark.of(
                            "quality-scale",
                            "processor time and bytes on the wire of an event on 1, 2, 4 and 8 TaskManagers at one load",
                            new ScaleBenchmark())
                    .repeated(1, 1, 1),
            NamedBenchmark.of(
                    "idle", "processor time of each job while nothing comes, against Flink alone", new IdleBenchmark()),
            NamedBenchmark.of(
                    "filter",
                    "operations on the Expiring Bloom Filter, beside com.baqend:bloom-filter",
                    new FilterBenchmark()),
            NamedBenchmark.of(
                    "invalidation",
                    "(query x write) pairs a second, and latency of notifications, by number of queries",
                    new InvalidationBenchmark()),
            NamedBenchmark.of(
                    "gateway",
                    "what the gateway adds to requests that pass through, beside HAProxy, Envoy and nginx",
                    new GatewayBenchmark()),
            NamedBenchmark.of(
                    "hedging",
                    "copies of late requests: tail and work beside hedge-python, calm and in a brown-out",
                    new HedgingBenchmark()),
            NamedBenchmark.of(
                    "duplicates",
                    "ordered duplicates of a store: service level of 1, 2, 4 beside the prediction",
                    new DuplicatesBenchmark()),
            NamedBenchmark.of(
                    "replay",
                    "mature answers by record and replay: how exact, how many per 100 queries beside toggled time-outs, at what cost",
                    new ReplayBenchmark()),
            NamedBenchmark.of(
                    "rating-stores",
                    "ratings of a real Redis, memcached and nginx beside a brute-force sweep",
                    new RatingStoresBenchmark()),
            NamedBenchmark.of(
                            "steering",
                            "which work to leave out: nine ways to share an overloaded search service",
                            new SteeringBenchmark())
                    .repeated(1, 1, 5),
            NamedBenchmark.of(
                            "fan-out",
                            "which components to ask: what a learned choice keeps and saves on real searches",
                            new FanOutBenchmark())
                    .repeated(1, 1, 1),
            NamedBenchmark.of(
                            "foreseen",
                            "late components foreseen in scenario ubora, by what a model knows",
                            new ForeseenBenchmark())
                    .repeated(1, 1, 1),
            NamedBenchmark.of(
                            "estimates",
                            "errors of the estimated quality on recorded answers: stratified and model-assisted",
                            new EstimatesBenchmark())
                    .repeated(1, 1, 1),
            NamedBenchmark.of("micro", "single functions, by JMH", new MicroBenchmarks()));

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", arity = "0..*", description = "What to measure, or 'all'.")
    private List<String> names = List.of();

    @Option(names = "--quick", description = "Rough figures, each benchmark within some minutes.")
    private boolean quick;

    @Option(
            names = "--effort",
            paramLabel = "EFFORT",
            defaultValue = "full",
            description = "Duration: ${COMPLETION-CANDIDATES}; tiny only shows that it works."
                    + " Default: ${DEFAULT-VALUE}.")
    private Context.BenchmarkEffort effort;

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            defaultValue = "0",
            description = "Measured repetitions of each side, 1..100. Default: 1 tiny, 3 quick, 4 full;"
                    + " steering: 1, 1, 5.")
    private int repetitions;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "0",
            description = "Length of a run of 'steering', 1..3600. Default: 2 tiny, 8 quick, 60 full.")
    private int seconds;

    @Option(
            names = Context.PARTITIONINGS,
            paramLabel = "NAME",
            split = ",",
            description = "Of 'steering' and 'fan-out': source, topic, tier, hash. A partitioning of"
                    + " 'steering' takes 2 minutes to prepare, then repetitions x mixes x"
                    + " ways runs. Default: all; steering --quick: source.")
    private List<String> partitionings = List.of();

    @Option(
            names = Context.MIXES,
            paramLabel = "NAME",
            split = ",",
            description =
                    "Of 'steering' and 'fan-out': steady, light, shift. Default: all. Of 'steering' also step-up and"
                            + " halved: seconds until quality is back, and until all is admitted again.")
    private List<String> mixes = List.of();

    @Option(
            names = Context.WAYS,
            paramLabel = "NAME",
            split = ",",
            description = "Of 'steering': no-sharing, full-sharing, time-outs, quality, costliest-first,"
                    + " trim, trim-costliest-first, priority-queues, concurrency-limits. A"
                    + " run takes 15 s with --quick, else 71 s. Default: all.")
    private List<String> ways = List.of();

    @Option(
            names = "--state-backend",
            paramLabel = "NAME",
            defaultValue = "hashmap",
            description = "Where Flink's jobs keep their state: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private Context.StateBackend backend;

    @Option(
            names = "--against",
            paramLabel = "DIR",
            description = "Another built source tree, such as the former head's: 'quality' compares with"
                    + " its job instead of with the peers, 'join-cost' with its join.")
    private Path against;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "kipimo-bench",
            description =
                    "Where NAME.json goes, and NAME.html with plots if there are any. Default: ./${DEFAULT-VALUE}.")
    private Path directory;

    @Option(names = "--json", description = "Print the figures as JSON; progress goes to standard error.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        List<NamedBenchmark> chosen = chosen();
        require(repetitions >= 0 && repetitions <= 100, "--repetitions is " + repetitions + "; allowed: 1..100");
        require(seconds >= 0 && seconds <= 3_600, "--seconds is " + seconds + "; allowed: 1..3600");
        require(
                against == null || SubjectProcess.isBuilt(against),
                "--against is '" + against + "'; allowed: a source tree with built benchmarks");
        PrintWriter out = spec.commandLine().getOut();
        if (chosen.isEmpty()) {
            out.print(list());
            out.flush();
            return 0;
        }
        List<Map<String, Object>> objects = new ArrayList<>();
        for (NamedBenchmark benchmark : chosen) {
            Report report = run(benchmark);
            objects.add(report.object());
            Files.createDirectories(directory);
            Files.writeString(directory.resolve(benchmark.name() + ".json"), Report.json(report.object()) + "\n");
            Optional<String> page = report.page();
            if (page.isPresent()) {
                Files.writeString(directory.resolve(benchmark.name() + ".html"), page.get());
            }
            if (!json) {
                out.println(report.text());
                out.flush();
            }
        }
        if (json) {
            out.println(Report.json(objects));
            out.flush();
        }
        return 0;
    }

    private Report run(NamedBenchmark benchmark) throws Exception {
        Context.BenchmarkEffort wanted = quick ? Context.BenchmarkEffort.QUICK : effort;
        Context context = new Context(
                wanted,
                repetitions > 0 ? repetitions : benchmark.repetitions().get(wanted.ordinal()),
                backend,
                System.err,
                seconds > 0 ? OptionalInt.of(seconds) : OptionalInt.empty(),
                Optional.ofNullable(against),
                Map.of(Context.PARTITIONINGS, partitionings, Context.MIXES, mixes, Context.WAYS, ways));
        Environment environment = Environment.now();
        System.err.println(benchmark.name() + ": " + benchmark.summary());
        environment.warning().ifPresent(warning -> System.err.println("  warning: " + warning));
        try {
            return new Report(
                    benchmark.name(),
                    benchmark.summary(),
                    environment,
                    benchmark.benchmark().run(context));
        } catch (Context.UnknownNameException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private List<NamedBenchmark> chosen() {
        Set<NamedBenchmark> chosen = new LinkedHashSet<>();
        for (String name : names) {
            List<NamedBenchmark> found = BENCHMARKS.stream()
                    .filter(b -> name.equals(ALL) || b.name().equals(name))
                    .toList();
            require(
                    !found.isEmpty(),
                    "benchmark is '"
                            + name
                            + "'; allowed: "
                            + BENCHMARKS.stream().map(NamedBenchmark::name).collect(Collectors.joining(", "))
                            + ", "
                            + ALL);
            chosen.addAll(found);
        }
        return List.copyOf(chosen);
    }

    private String list() {
        if (json) {
            return Report.json(BENCHMARKS.stream()
                            .map(b -> Map.of("name", b.name(), "summary", b.summary()))
                            .toList())
                    + "\n";
        }
        StringBuilder text = new StringBuilder("kipimo bench NAME... measures:\n");
        for (NamedBenchmark benchmark : BENCHMARKS) {
            text.append(Phrase.of("  %-18s %s%n", benchmark.name(), benchmark.summary()));
        }
        return text.toString();
    }

    private void require(boolean condition, String problem) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), problem);
        }
    }
}
