package io.kipimo.cli.gateway;

import io.kipimo.cli.terminal.DecimalNumbers;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.cli.terminal.PrintingCommand;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.profile.ProfileTrial;
import io.kipimo.gateway.profile.Profiler;
import io.kipimo.gateway.profile.Recommendation;
import io.kipimo.schemas.document.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kipimo profile}: finds which components a gateway should record, and how many queries it should sample. */
@Command(
        name = "profile",
        description = {
            "Finds with real queries which components a gateway should record for replays, and how"
                    + " many queries it should sample. It runs the gateway of a configuration once"
                    + " for each combination, on this machine, and counts mature executions per 100"
                    + " queries. Exits with 3 if no combination can be recommended.",
            "",
            "The service's own gateway must not use the same addresses meanwhile."
        },
        footer = {
            "  kipimo profile --config gateway.yaml --queries queries.txt --per-second 20",
            "  kipimo profile --config gateway.yaml --queries queries.txt --per-second 20 --seconds 60"
                    + " --rates 0.05,0.2,0.4 --json"
        })
public final class ProfileCommand extends PrintingCommand {
    @Option(
            names = "--config",
            required = true,
            paramLabel = "FILE",
            description = "Gateway configuration: one front listener, components, record.replay.")
    private Path file;

    @Option(
            names = "--queries",
            required = true,
            paramLabel = "FILE",
            description = "Path and query of one request per line, /search?q=water; in turn.")
    private Path queries;

    @Option(
            names = "--per-second",
            required = true,
            paramLabel = "N",
            description = "Queries a second, as many as the service usually receives.")
    private double perSecond;

    @Option(
            names = "--seconds",
            defaultValue = "20",
            paramLabel = "N",
            description = "Length of a trial, and of the baseline before it. Default: ${DEFAULT-VALUE}")
    private double seconds;

    @Option(
            names = "--rates",
            split = ",",
            defaultValue = "0.05,0.1,0.2,0.4",
            paramLabel = "RATE",
            description = "Sampling rates to try. Default: ${DEFAULT-VALUE}")
    private List<Double> rates;

    @Option(
            names = "--most-slowdown",
            defaultValue = "0.07",
            paramLabel = "SHARE",
            description = "Most slow-down of unsampled queries; settings with more are not recommended."
                    + " Default: ${DEFAULT-VALUE}")
    private double mostSlowdown;

    /** Checks options without reading files. */
    private Profiler.Trial settings(List<String> targets) {
        return new Profiler.Trial(targets, perSecond, (long) (seconds * 1_000), rates, mostSlowdown);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        DecimalNumbers.requireAtLeast0(spec, "--seconds");
        settings(List.of("/"));
        GatewayConfig config = GatewayCommand.read(file, "127.0.0.1:0", "profile");
        List<String> targets = InputFile.lines(queries.toString(), "targets such as /search?q=one");
        Profiler.Trial settings = settings(targets);
        List<ProfileTrial> trials = new Profiler(config, settings, this::progress).run();
        Optional<ProfileTrial> recommended = Recommendation.of(trials, mostSlowdown);
        output.print(
                () -> new JsonObject()
                        .with("recommended", recommended.map(ProfileCommand::document))
                        .with(
                                "trials",
                                trials.stream().map(ProfileCommand::document).toList()),
                out -> print(out, trials, recommended));
        return recommended.isPresent() ? ExitCodes.FINE : ExitCodes.NOT_ENOUGH;
    }

    private void progress(ProfileTrial trial) {
        if (!output.isDocument()) {
            output.err()
                    .printf(
                            Locale.ROOT,
                            "%.1f per 100: rate %s, memoized %s%n",
                            trial.maturePer100(),
                            trial.samplingRate(),
                            names(trial));
            output.err().flush();
        }
    }

    private static String names(ProfileTrial trial) {
        return trial.memoized().isEmpty() ? "none" : String.join(",", new TreeSet<>(trial.memoized()));
    }

    private static Map<String, Object> document(ProfileTrial trial) {
        return new JsonObject()
                .with("memoized", new TreeSet<>(trial.memoized()))
                .with("sampling_rate", trial.samplingRate())
                .with("queries", trial.queries())
                .with("failures", trial.failures())
                .with("mature_per_100", trial.maturePer100())
                .with("replayed_per_100", trial.replayedPer100())
                .with("unmeasured_share", trial.unmeasuredShare())
                .with("unsampled_slowdown", known(trial.unsampledSlowdown()))
                .with("sampled_slowdown", known(trial.sampledSlowdown()));
    }

    private static Object known(double figure) {
        return Double.isFinite(figure) ? figure : null;
    }

    private void print(PrintWriter out, List<ProfileTrial> trials, Optional<ProfileTrial> recommended) {
        TextTable table = new TextTable(
                "memoized", "rate", "mature/100", "replayed/100", "unmeasured", "slow-down unsampled", "sampled");
        for (ProfileTrial trial : trials) {
            table.row(
                    names(trial),
                    Double.toString(trial.samplingRate()),
                    String.format(Locale.ROOT, "%.1f", trial.maturePer100()),
                    String.format(Locale.ROOT, "%.1f", trial.replayedPer100()),
                    percent(trial.unmeasuredShare()),
                    percent(trial.unsampledSlowdown()),
                    percent(trial.sampledSlowdown()));
        }
        table.print(out);
        out.println();
        int failures = trials.stream().mapToInt(ProfileTrial::failures).sum();
        if (failures > 0) {
            out.println(failures + " queries were not answered and are not included.");
        }
        out.println(recommended
                .map(trial -> "Recommended: sampling.rate %s; memoize %s (memoize: false on the others)."
                        .formatted(trial.samplingRate(), names(trial)))
                .orElse(("Nothing is recommended: every trial slows unsampled queries down by more than %s, "
                                + "or has no gain.")
                        .formatted(percent(mostSlowdown))));
        out.flush();
    }

    private static String percent(double share) {
        return Double.isFinite(share) ? String.format(Locale.ROOT, "%.1f %%", 100 * share) : "-";
    }
}
