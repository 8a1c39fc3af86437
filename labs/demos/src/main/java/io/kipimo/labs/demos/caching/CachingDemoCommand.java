package io.kipimo.labs.demos.caching;

import io.kipimo.embedded.process.ScratchDirectory;
import io.kipimo.labs.demos.console.ReportedDemo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code kipimo demo cache}. */
@Command(
        name = "cache",
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
            "  kipimo demo cache                    the report in ./kipimo-demo-cache",
            "  kipimo demo cache --cache varnish    with the Varnish that is installed here",
            "  kipimo demo cache --seconds 60       longer runs",
            "  kipimo demo cache --headless --json > out.json  figures for programs"
        })
public final class CachingDemoCommand extends ReportedDemo {
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
        requirePort();
        CachingSummary summary;
        try (ScratchDirectory scratch = ScratchDirectory.create("demo-cache");
                CachingDemo demo =
                        new CachingDemo(CachingDemoSettings.DEFAULT, cache, console(), progress(), scratch.path())) {
            summary = demo.run(Duration.ofSeconds(seconds), seed);
        }
        CachingReport page = new CachingReport(summary);
        show(report, page.html(), page.svg(), summary, out -> {
            out.println(CachingTable.text(summary));
            out.println(CachingTable.notes(summary));
        });
        if (!summary.ran()) {
            System.err.println("the demo is incomplete: reads failed, or caches, filter or purges were not used");
            return 1;
        }
        return 0;
    }
}
