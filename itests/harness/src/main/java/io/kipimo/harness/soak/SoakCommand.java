package io.kipimo.harness.soak;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.kipimo.embedded.watch.Progress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code kipimo soak}. */
@Command(
        name = "soak",
        description = {
            "Runs the quality job for hours on its own Kafka and Flink, and kills a TaskManager at"
                    + " intervals. Exits with 0 only if every query has the row that a plain"
                    + " computation gives, late events are in their topic, the job's counts are"
                    + " right, and state, heap, threads, file descriptors and producers did not"
                    + " grow between the second and the last quarter of the run."
        },
        footer = {"  kipimo soak --hours 8", "  kipimo soak --hours 0.06 --kill-minutes 1 --json > soak.json"})
public final class SoakCommand implements Callable<Integer> {
    /** Least number of samples in a run, enough for quarters. There is at least one sample a minute. */
    private static final int SAMPLES = 40;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--hours",
            required = true,
            paramLabel = "N",
            description = "Length in hours, 0.01..168; fractions are allowed.")
    private double hours;

    @Option(
            names = "--kill-minutes",
            defaultValue = "10",
            paramLabel = "N",
            description = "Minutes between kills, 0.2..1440. Default: ${DEFAULT-VALUE}.")
    private double killMinutes;

    @Option(
            names = "--queries-per-second",
            defaultValue = "100",
            paramLabel = "N",
            description = "Of sampled queries, 1..10000; six events each. Default: ${DEFAULT-VALUE}.")
    private double queriesPerSecond;

    @Option(names = "--json", description = "Print the figures as JSON; progress goes to standard error.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        within("--hours", hours, 0.01, 168);
        within("--kill-minutes", killMinutes, 0.2, 1440);
        within("--queries-per-second", queriesPerSecond, 1, 10_000);
        Duration length = Duration.ofMillis((long) (hours * 3_600_000));
        Duration sampleEvery = Duration.ofMillis(Math.min(60_000, length.toMillis() / SAMPLES));
        Progress progress = new Progress(System.err, false);
        SoakSummary summary;
        try (Soak soak = new Soak(
                new Soak.SoakSettings(
                        length, Duration.ofMillis((long) (killMinutes * 60_000)), sampleEvery, queriesPerSecond),
                progress::say)) {
            summary = soak.run();
        }
        print(summary);
        return summary.isFine() ? 0 : 1;
    }

    private void print(SoakSummary summary) throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("fine", summary.isFine());
            figures.put("summary", summary);
            out.println(new ObjectMapper()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .writeValueAsString(figures));
        } else {
            out.printf(
                    Locale.ROOT,
                    "%d queries, %d events, %d kills, %d restarts, longest recovery %.1f s%n"
                            + "lost %d, repeated %d, late events missing %d, miscounted %d%n%s",
                    summary.queries(),
                    summary.events(),
                    summary.kills(),
                    summary.restarts(),
                    summary.longestRecoverySeconds(),
                    summary.lost(),
                    summary.repeated(),
                    summary.lateMissing(),
                    summary.miscounted(),
                    summary.findings().report());
            for (Flatness flatness : summary.flatness()) {
                out.printf(
                        Locale.ROOT,
                        "%-12s %14.0f -> %14.0f  %s%n",
                        flatness.figure().name().toLowerCase(Locale.ROOT),
                        flatness.before(),
                        flatness.after(),
                        flatness.isFlat() ? "flat" : "GREW");
            }
            if (summary.flatness().isEmpty()) {
                out.println("too short to detect growth");
            }
        }
        out.flush();
    }

    private void within(String option, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new ParameterException(
                    spec.commandLine(), option + " is " + value + "; allowed: " + least + ".." + most);
        }
    }
}
