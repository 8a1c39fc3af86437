package io.kipimo.examples.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.kipimo.examples.caching.CachingDemoCommand;
import io.kipimo.examples.console.DemoConsole;
import io.kipimo.examples.enforcement.EnforcementKind;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.harness.watch.Progress;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code kipimo demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        subcommands = CachingDemoCommand.class,
        description = {
            "Starts Kafka, Redis, Flink, a real search service and its load on this machine. Both classes of "
                    + "queries together ask for more than the service can answer. Two runs on the same "
                    + "trace compare how many low-class queries get good answers, and what that costs the high "
                    + "class: control by time-outs, and Kipimo's, which keeps the measured answer quality and "
                    + "turns the costliest low-class queries away first.",
            "Shows the run in the console, and opens a browser if there is a desktop.",
            "With --engine solr the service is a SolrCloud, which cuts its own work at a time limit; the "
                    + "gateway in front of it sheds, and measures by running cut queries again. "
                    + "Its runs are full sharing and control by quality.",
            "Ends with a table and an HTML report; exits with 0 only if the control loop worked."
        },
        footer = {
            "",
            "Examples:",
            "  kipimo demo                    4 minutes, the report in ./kipimo-demo",
            "  kipimo demo --all --minutes 7  also no sharing, full sharing, quality without costs",
            "  kipimo demo --minutes 8        longer runs, narrower intervals",
            "  kipimo demo --through haproxy  a real HAProxy applies the decisions",
            "  kipimo demo --through haproxy --servers 2",
            "                                 prints how to rate one of them with real traffic",
            "  kipimo demo --engine solr      the same on Solr (only in the source tree)",
            "  kipimo demo --headless --json > out.json  figures for programs",
            "  kipimo demo cache              cached answers: latency and staleness"
        })
public final class DemoCommand implements Callable<Integer> {
    /** System property that the launcher sets: the directory with the built Solr. */
    static final String SOLR = "kipimo.solr";

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "Total length in minutes, 2..120; shared by the runs. Default: 4, with --engine 5.")
    private Double minutes;

    @Option(
            names = "--all",
            description = "Five runs: first without control, no sharing (the low class is shut out) and full"
                    + " sharing (everything is admitted); also Kipimo without costs.")
    private boolean all;

    @Option(
            names = "--mix",
            defaultValue = "heavier",
            paramLabel = "NAME",
            description = "Mix of queries: steady, heavier, topic-shift or lighter. Default: ${DEFAULT-VALUE}.")
    private String mix;

    @Option(
            names = "--peak",
            defaultValue = "1.5",
            paramLabel = "UTILISATION",
            description = "Load of both classes in the middle of a run, as a share of the capacity, 0.2..3."
                    + " Default: ${DEFAULT-VALUE}.")
    private double peak;

    @Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description = "The same seed gives the same trace. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--report",
            defaultValue = "kipimo-demo",
            paramLabel = "DIR",
            description = "Directory for report.html and plot.svg. Default: ./${DEFAULT-VALUE}.")
    private Path report;

    @Option(
            names = "--port",
            defaultValue = "8080",
            paramLabel = "N",
            description = "Port of the console; any free port if 0 or occupied. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--through",
            defaultValue = "sdk",
            paramLabel = "WHO",
            description = "Enforcement point of the low class: sdk (the service itself), or gateway, haproxy"
                    + " or envoy in front of it. Default: ${DEFAULT-VALUE}.")
    private EnforcementKind through;

    @Option(
            names = "--servers",
            defaultValue = "1",
            paramLabel = "N",
            description = "Servers of the search service, 1..4; more than 1 needs --through gateway, haproxy"
                    + " or envoy, which spreads the low class. Default: ${DEFAULT-VALUE}.")
    private int servers;

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            description = "Search engine in place of the example's search service: solr.")
    private String engine;

    @Option(names = "--headless", description = "No console and no browser.")
    private boolean headless;

    @Option(names = "--json", description = "Print the figures as JSON; progress goes to standard error.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        if (minutes == null) {
            minutes = engine == null ? 4.0 : 5.0;
        }
        require(minutes >= 2 && minutes <= 120, "--minutes is " + minutes + "; allowed: 2..120");
        require(port >= 0 && port <= 65_535, "--port is " + port + "; allowed: 0..65535");
        require(peak >= 0.2 && peak <= 3, "--peak is " + peak + "; allowed: 0.2..3");
        require(
                QueryMix.ALL.stream().anyMatch(m -> m.name().equals(mix)),
                "--mix is '"
                        + mix
                        + "'; allowed: "
                        + QueryMix.ALL.stream().map(QueryMix::name).collect(Collectors.joining(", ")));
        require(
                through.isInstalled(),
                "--through is '"
                        + through.label()
                        + "', which is not on this machine; allowed: "
                        + Arrays.stream(EnforcementKind.values())
                                .filter(EnforcementKind::isInstalled)
                                .map(EnforcementKind::label)
                                .collect(Collectors.joining(", ")));
        require(servers >= 1 && servers <= 4, "--servers is " + servers + "; allowed: 1..4");
        require(
                servers == 1 || through != EnforcementKind.SDK,
                "--servers is "
                        + servers
                        + " and --through is 'sdk'; allowed with more than one: gateway, haproxy, envoy");
        require(engine == null || engine.equals("solr"), "--engine is '" + engine + "'; allowed: solr");
        require(
                engine == null || through == EnforcementKind.SDK,
                "--through is '" + through.label() + "'; allowed with --engine: none, as the gateway sheds");
        require(
                engine == null || System.getProperty(SOLR) != null,
                "--engine is 'solr'; allowed only in the source tree, by its ./kipimo");
        Progress progress = new Progress(System.err, isTerminal());
        DemoSettings settings = engine == null ? DemoSettings.DEFAULT : DemoSettings.ENGINE;
        Path directory = Files.createTempDirectory("kipimo-demo");
        DemoService.Starter starter = engine == null
                ? kafka -> DemoSearchService.start(settings, through, servers, kafka, progress, directory)
                : kafka ->
                        DemoSolrService.start(settings, Path.of(System.getProperty(SOLR)), kafka, progress, directory);
        Demo demo = new Demo(
                settings,
                ways(),
                starter,
                headless ? Optional.empty() : Optional.of(new DemoConsole(port)),
                progress,
                directory);
        Thread onInterrupt = new Thread(demo::close, "demo-stop");
        Runtime.getRuntime().addShutdownHook(onInterrupt);
        DemoSummary summary;
        try {
            summary = demo.run(Duration.ofMillis((long) (minutes * 60_000)), QueryMix.named(mix), peak, seed);
        } finally {
            demo.close();
            Runtime.getRuntime().removeShutdownHook(onInterrupt);
        }
        Files.createDirectories(report);
        DemoReport page = new DemoReport(summary);
        Files.writeString(report.resolve("report.html"), page.html());
        Files.writeString(report.resolve("plot.svg"), page.svg());
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(new ObjectMapper()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .writeValueAsString(summary));
        } else {
            out.println();
            summary.verdict().forEach(v -> out.println("  " + v));
            out.println();
            out.println(DemoTable.text(summary));
            summary.notes().forEach(n -> out.println("  " + n));
            out.println();
            out.println("  Report: "
                    + report.resolve("report.html").toAbsolutePath().toUri());
        }
        out.flush();
        if (!summary.loopRan()) {
            System.err.println("the control loop did not work: a run lacks measurements, windows or decisions");
            return 1;
        }
        return 0;
    }

    private List<WayOfControl> ways() {
        if (all) {
            return List.of(WayOfControl.values());
        }
        return engine == null ? WayOfControl.RIVALS : WayOfControl.ENGINE;
    }

    @SuppressWarnings("SystemConsoleNull") // From JDK 22 on it is not null; a log then has one line a second.
    private static boolean isTerminal() {
        return System.console() != null;
    }

    private void require(boolean condition, String problem) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), problem);
        }
    }
}
