package io.kipimo.examples.caching;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.kipimo.examples.console.DemoConsole;
import io.kipimo.harness.process.ScratchDirectory;
import io.kipimo.harness.watch.Progress;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code kipimo demo cache}. */
@Command(
        name = "cache",
        mixinStandardHelpOptions = true,
        description = {
            "Runs an origin with a document store, a shared HTTP cache, and clients that read and write. Compares four "
                    + "ways of caching under the same operations: no caches, times to live alone, with the filter of "
                    + "stale keys, and with purges too.",
            "The ttl job and the invalidation job run on a Flink in this process. The console shows the run, and a "
                    + "browser opens if there is a desktop.",
            "Ends with a table of hit rates, latency and staleness, and an HTML report; exits with 0 only if every part "
                    + "was used."
        },
        footer = {
            "",
            "Examples:",
            "  kipimo demo cache                    the report in ./kipimo-demo-cache",
            "  kipimo demo cache --cache varnish    with the Varnish that is installed here",
            "  kipimo demo cache --seconds 60       longer runs",
            "  kipimo demo cache --headless --json > out.json  figures for programs"
        })
public final class CachingDemoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--seconds",
            defaultValue = "30",
            paramLabel = "N",
            description = "Length of each of the four runs, 3..600. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--cache",
            defaultValue = "built_in",
            paramLabel = "CACHE",
            description = "The shared cache: built_in, varnish or nginx. Default: ${DEFAULT-VALUE}.")
    private CacheChoice cache;

    @Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description = "The same seed gives the same operations. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--report",
            defaultValue = "kipimo-demo-cache",
            paramLabel = "DIR",
            description = "Directory for report.html and plot.svg. Default: ./${DEFAULT-VALUE}.")
    private Path report;

    @Option(
            names = "--port",
            defaultValue = "8080",
            paramLabel = "N",
            description = "Port of the console; any free port if 0 or occupied. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(names = "--headless", description = "No console and no browser.")
    private boolean headless;

    @Option(names = "--json", description = "Print the figures as JSON; progress goes to standard error.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        require(seconds >= 3 && seconds <= 600, "--seconds is " + seconds + "; allowed: 3..600");
        require(
                cache.isInstalled(),
                "--cache is "
                        + cache.name().toLowerCase(Locale.ROOT)
                        + ", which is not installed; allowed: "
                        + Arrays.stream(CacheChoice.values())
                                .filter(CacheChoice::isInstalled)
                                .map(each -> each.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", ")));
        require(port >= 0 && port <= 65_535, "--port is " + port + "; allowed: 0..65535");
        Progress progress = new Progress(System.err, isTerminal());
        CachingSummary summary;
        try (ScratchDirectory scratch = ScratchDirectory.create("demo-cache");
                CachingDemo demo = new CachingDemo(
                        CachingDemoSettings.DEFAULT,
                        cache,
                        headless ? Optional.empty() : Optional.of(new DemoConsole(port)),
                        progress,
                        scratch.path())) {
            summary = demo.run(Duration.ofSeconds(seconds), seed);
        }
        Files.createDirectories(report);
        CachingReport page = new CachingReport(summary);
        Files.writeString(report.resolve("report.html"), page.html());
        Files.writeString(report.resolve("plot.svg"), page.svg());
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(new ObjectMapper()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .writeValueAsString(summary));
        } else {
            out.println();
            out.println(CachingTable.text(summary));
            out.println(CachingTable.notes(summary));
            out.println("  Report: "
                    + report.resolve("report.html").toAbsolutePath().toUri());
        }
        out.flush();
        if (!summary.ran()) {
            System.err.println("the demo is incomplete: reads failed, or caches, filter or purges were not used");
            return 1;
        }
        return 0;
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
