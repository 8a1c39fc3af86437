package io.kipimo.bench;

import io.kipimo.bench.attribution.AttributionBenchmark;
import io.kipimo.bench.cluster.ClusterBenchmark;
import io.kipimo.bench.cluster.ScaleBenchmark;
import io.kipimo.bench.deadline.DeadlineBenchmark;
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
import io.kipimo.bench.replication.LiveReplicationBenchmark;
import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Environment;
import io.kipimo.bench.report.Report;
import io.kipimo.bench.steering.EffortBenchmark;
import io.kipimo.bench.steering.EstimatesBenchmark;
import io.kipimo.bench.steering.FanOutBenchmark;
import io.kipimo.bench.steering.SteeringBenchmark;
import io.kipimo.bench.strategies.StrategiesBenchmark;
import io.kipimo.bench.tails.TailsBenchmark;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
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

/** {@code kipimo bench}. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = {
            "Measures Kipimo on this machine, beside its peers in the same run. Without a name:"
                    + " lists the benchmarks.",
            "The figures are meaningful on an idle machine only."
        },
        footer = {
            "",
            "Examples:",
            "  kipimo bench                       what there is",
            "  kipimo bench quality               from Kafka to Kafka, a few minutes",
            "  kipimo bench quality --quick       the same with rough figures, within a minute",
            "  kipimo bench quality --against DIR against the build in another source tree",
            "  kipimo bench steering --quick --partitionings topic --ways quality,trim-costliest-first",
            "  kipimo bench all --json > out.json"
        })
final class BenchCommand implements Callable<Integer> {
    private static final String ALL = "all";

    /** In the order in which {@code all} runs them. */
    static final List<Benchmark> BENCHMARKS = List.of(
            new QualityBenchmark(),
            new BacklogBenchmark(),
            new JoinCostBenchmark(),
            new LatencyBenchmark(),
            new GrowthBenchmark(),
            new RestartBenchmark(),
            new ClusterBenchmark(),
            new ScaleBenchmark(),
            new IdleBenchmark(),
            new AttributionBenchmark(),
            new DeadlineBenchmark(),
            new TailsBenchmark(),
            new FilterBenchmark(),
            new InvalidationBenchmark(),
            new GatewayBenchmark(),
            new HedgingBenchmark(),
            new DuplicatesBenchmark(),
            new ReplayBenchmark(),
            new LiveReplicationBenchmark(),
            new StrategiesBenchmark(),
            new RatingStoresBenchmark(),
            new SteeringBenchmark(),
            new FanOutBenchmark(),
            new EffortBenchmark(),
            new ForeseenBenchmark(),
            new EstimatesBenchmark(),
            new MicroBenchmarks());

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
    private Context.Effort effort;

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
            description = "Of 'steering' and 'fan-out': steady, light, shift. Default: all.")
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
            description =
                    "Where Flink's jobs keep their state: ${COMPLETION-CANDIDATES}." + " Default: ${DEFAULT-VALUE}.")
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
        List<Benchmark> chosen = chosen();
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
        for (Benchmark benchmark : chosen) {
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

    private Report run(Benchmark benchmark) throws Exception {
        Context.Effort wanted = quick ? Context.Effort.QUICK : effort;
        Context context = new Context(
                wanted,
                repetitions > 0 ? repetitions : benchmark.repetitions(wanted),
                backend,
                System.err,
                seconds > 0 ? OptionalInt.of(seconds) : OptionalInt.empty(),
                Optional.ofNullable(against),
                Map.of(Context.PARTITIONINGS, partitionings, Context.MIXES, mixes, Context.WAYS, ways));
        Environment environment = Environment.now();
        System.err.println(benchmark.name() + ": " + benchmark.summary());
        environment.warning().ifPresent(warning -> System.err.println("  warning: " + warning));
        try {
            return new Report(benchmark.name(), benchmark.summary(), environment, benchmark.run(context));
        } catch (Context.UnknownNameException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private List<Benchmark> chosen() {
        Set<Benchmark> chosen = new LinkedHashSet<>();
        for (String name : names) {
            List<Benchmark> found = BENCHMARKS.stream()
                    .filter(b -> name.equals(ALL) || b.name().equals(name))
                    .toList();
            require(
                    !found.isEmpty(),
                    "benchmark is '"
                            + name
                            + "'; allowed: "
                            + BENCHMARKS.stream().map(Benchmark::name).collect(Collectors.joining(", "))
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
        for (Benchmark benchmark : BENCHMARKS) {
            text.append(String.format(Locale.ROOT, "  %-18s %s%n", benchmark.name(), benchmark.summary()));
        }
        return text.toString();
    }

    private void require(boolean condition, String problem) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), problem);
        }
    }
}
