package io.kipimo.labs.demos.admission;

import io.kipimo.embedded.process.ScratchDirectory;
import io.kipimo.embedded.watch.Progress;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.labs.demos.caching.CachingDemoCommand;
import io.kipimo.labs.demos.console.ReportedDemo;
import io.kipimo.labs.demos.enforcement.EnforcementKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code kipimo demo}. */
@Command(
        name = "demo",
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
public final class DemoCommand extends ReportedDemo {
    /** System property that the launcher sets: the directory with the built Solr. */
    static final String SOLR = "kipimo.solr";

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

    @Override
    public Integer call() throws Exception {
        if (minutes == null) {
            minutes = engine == null ? 4.0 : 5.0;
        }
        require(minutes >= 2 && minutes <= 120, "--minutes is " + minutes + "; allowed: 2..120");
        requirePort();
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
        Progress progress = progress();
        DemoSettings settings = engine == null ? DemoSettings.DEFAULT : DemoSettings.ENGINE;
        ScratchDirectory files = ScratchDirectory.create("demo");
        DemoService.Starter starter = engine == null
                ? kafka -> DemoSearchService.start(settings, through, servers, kafka, progress, files.path())
                : kafka -> DemoSolrService.start(
                        settings, Path.of(System.getProperty(SOLR)), kafka, progress, files.path());
        Demo demo = new Demo(settings, ways(), starter, console(), progress, files);
        Thread onInterrupt = new Thread(demo::close, "demo-stop");
        Runtime.getRuntime().addShutdownHook(onInterrupt);
        DemoSummary summary;
        try {
            summary = demo.run(Duration.ofMillis((long) (minutes * 60_000)), QueryMix.named(mix), peak, seed);
        } finally {
            demo.close();
            Runtime.getRuntime().removeShutdownHook(onInterrupt);
        }
        DemoReport page = new DemoReport(summary);
        show(report, page.html(), page.svg(), summary, out -> {
            summary.verdict().forEach(v -> out.println("  " + v));
            out.println();
            out.println(DemoTable.text(summary));
            summary.notes().forEach(n -> out.println("  " + n));
            out.println();
        });
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
}
