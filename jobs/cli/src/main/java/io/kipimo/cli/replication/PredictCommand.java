package io.kipimo.cli.replication;

import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.core.replication.duplicates.Duplicate;
import io.kipimo.core.replication.duplicates.Mix;
import io.kipimo.core.replication.duplicates.ServiceTimes;
import io.kipimo.core.replication.duplicates.Zoolander;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kipimo predict}: the service level that duplicates reach by the model. */
@Command(
        name = "predict",
        description = {
            "Predicts the share of requests answered within a latency bound when several servers"
                    + " work on each request and the first answer wins (Zoolander's model).",
            "",
            "Replicas share the requests, duplicates repeat them. The mean wait in queues and the "
                    + "network latency are deducted from the bound."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  kipimo predict --samples times.txt --tau 5 --duplicates 4",
            "  kipimo predict --samples times.txt --tau 5 --duplicates 2 --replicas 3"
                    + " --arrival-rate 40 --json"
        })
public final class PredictCommand implements Callable<Integer> {
    @Option(
            names = "--samples",
            required = true,
            paramLabel = "FILE",
            description =
                    "Service times of a server without waiting, one in ms a line; - is standard "
                            + "input. If given once for each duplicate, these may differ.")
    private List<String> samples;

    @Option(
            names = "--tau",
            required = true,
            paramLabel = "MS",
            description = "Latency bound, milliseconds.")
    private double tau;

    @Option(
            names = "--duplicates",
            required = true,
            paramLabel = "N",
            description = "Servers that all get the same requests.")
    private int duplicates;

    @Option(
            names = "--replicas",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Groups of duplicates that share the requests; default: ${DEFAULT-VALUE}.")
    private int replicas;

    @Option(
            names = "--arrival-rate",
            paramLabel = "PER_S",
            defaultValue = "0",
            description =
                    "Requests a second of the whole service; default: ${DEFAULT-VALUE}, no queues.")
    private double arrivalRate;

    @Option(
            names = "--network-ms",
            paramLabel = "MS",
            defaultValue = "0",
            description =
                    "Mean network latency between client and server, milliseconds; default:"
                            + " ${DEFAULT-VALUE}.")
    private double networkMillis;

    @Mixin private OutputOption output;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        ReplicationChecks.above0("--tau", tau);
        ReplicationChecks.atLeast1("--duplicates", duplicates);
        ReplicationChecks.atLeast1("--replicas", replicas);
        ReplicationChecks.atLeast0("--arrival-rate", arrivalRate);
        ReplicationChecks.atLeast0("--network-ms", networkMillis);
        if (samples.size() != 1 && samples.size() != duplicates) {
            throw new InputException(
                    "--samples is given "
                            + samples.size()
                            + " times for "
                            + duplicates
                            + " duplicates; allowed: once, or once for each");
        }
        if (samples.stream().filter(InputFile.STANDARD_INPUT::equals).count() > 1) {
            throw new InputException("--samples: - is given twice; allowed: once");
        }
        List<ServiceTimes> times = samples.stream().map(SampleFile::read).toList();
        Mix mix = Zoolander.mix(times, tau, replicas, duplicates, arrivalRate, networkMillis);
        PrintWriter out = spec.commandLine().getOut();
        if (output.isDocument()) {
            output.print(out, document(mix));
        } else {
            print(out, mix);
        }
        return ExitCodes.FINE;
    }

    /** One distribution for all, or the figures of the busiest duplicate at the top level. */
    private Map<String, Object> document(Mix mix) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("service_level", mix.serviceLevel());
        Duplicate busiest =
                mix.group().stream()
                        .max(Comparator.comparingDouble(Duplicate::utilisation))
                        .orElseThrow();
        document.putAll(figures(busiest));
        if (mix.group().size() > 1) {
            List<Map<String, Object>> each = new ArrayList<>();
            for (Duplicate duplicate : mix.group()) {
                Map<String, Object> figures = figures(duplicate);
                figures.put("share_in_time", duplicate.shareInTime(tau));
                each.add(figures);
            }
            document.put("per_duplicate", each);
        }
        return document;
    }

    /** Without an effective tau if overloaded: the wait exceeds any bound. */
    private Map<String, Object> figures(Duplicate duplicate) {
        double effective = duplicate.effectiveTauMillis(tau);
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("effective_tau_ms", Double.isFinite(effective) ? effective : null);
        figures.put("utilization", duplicate.utilisation());
        return figures;
    }

    private void print(PrintWriter out, Mix mix) {
        out.printf(
                Locale.ROOT,
                "%s of the requests within %s ms: %d replica%s x %d duplicate%s%n%n",
                ReplicationChecks.share(mix.serviceLevel()),
                ReplicationChecks.number(tau),
                replicas,
                replicas == 1 ? "" : "s",
                duplicates,
                duplicates == 1 ? "" : "s");
        TextTable table =
                new TextTable(
                        "duplicate", "utilization", "waiting ms", "effective tau ms", "in time");
        for (int i = 0; i < mix.group().size(); i++) {
            Duplicate duplicate = mix.group().get(i);
            double waiting = duplicate.queueingMillis();
            boolean overloaded = !Double.isFinite(waiting);
            table.row(
                    mix.group().size() == 1 ? "each" : Integer.toString(i + 1),
                    ReplicationChecks.share(duplicate.utilisation()),
                    overloaded ? "overloaded" : ReplicationChecks.number(waiting),
                    overloaded
                            ? "none"
                            : ReplicationChecks.number(duplicate.effectiveTauMillis(tau)),
                    ReplicationChecks.share(duplicate.shareInTime(tau)));
        }
        table.print(out);
    }
}
