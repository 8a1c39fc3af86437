package io.kipimo.cli.replication;

import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.cli.terminal.PrintingCommand;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.core.replication.Duplicate;
import io.kipimo.core.replication.Mix;
import io.kipimo.core.replication.ServiceTimes;
import io.kipimo.schemas.document.JsonObject;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kipimo predict}: predicts the service level that duplicates reach, by a model. */
@Command(
        name = "predict",
        description = {
            "Predicts the share of requests answered within a latency bound when several servers"
                    + " work on each request and the first answer wins.",
            "",
            "Replicas share the requests, duplicates repeat them, each in order of arrival. With an"
                    + " arrival rate the queues of the servers are simulated."
        },
        footer = {
            "  kipimo predict --samples times.txt --tau 5 --duplicates 4",
            "  kipimo predict --samples times.txt --tau 5 --duplicates 2 --replicas 3 --arrival-rate 40 --json",
            "  kipimo predict --samples times.txt --tau 5 --duplicates 2 --arrival-rate 40"
                    + " --stall-every 1000 --stall-length 30 --stall-shared 0.5"
        })
public final class PredictCommand extends PrintingCommand {
    @Option(
            names = "--samples",
            required = true,
            paramLabel = "FILE",
            description = "Service times of a server without waiting, one in ms a line; - is standard "
                    + "input. If given once for each duplicate, these may differ.")
    private List<String> samples;

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
            description = "Groups of duplicates that share the requests; default: ${DEFAULT-VALUE}.")
    private int replicas;

    @Option(
            names = "--arrival-rate",
            paramLabel = "PER_S",
            defaultValue = "0",
            description = "Requests a second of the whole service; default: ${DEFAULT-VALUE}, no queues.")
    private double arrivalRate;

    @Mixin
    private QueueOptions queue;

    @Override
    public Integer call() {
        ReplicationChecks.above0("--tau", queue.tau());
        ReplicationChecks.atLeast1("--duplicates", duplicates);
        ReplicationChecks.atLeast1("--replicas", replicas);
        ReplicationChecks.atLeast0("--arrival-rate", arrivalRate);
        arrivalRate = queue.arrivalRate(arrivalRate);
        queue.checkNetwork();
        InputException.throwIf(
                samples.size() != 1 && samples.size() != duplicates,
                "--samples is given %s times for %s duplicates; allowed: once, or once for each"
                        .formatted(samples.size(), duplicates));
        InputException.throwIf(
                samples.stream().filter(InputFile.STANDARD_INPUT::equals).count() > 1,
                "--samples: - is given twice; allowed: once");
        List<ServiceTimes> times = samples.stream().map(SampleFile::read).toList();
        InputException.throwIf(
                queue.isSimulated(arrivalRate) && duplicates > QueueOptions.MOST_SIMULATED_DUPLICATES,
                "--duplicates is %s; allowed: at most %s with --model simulation"
                        .formatted(duplicates, QueueOptions.MOST_SIMULATED_DUPLICATES));
        Mix mix = queue.model(times, arrivalRate).of(replicas, duplicates);
        queue.warn(output.err(), mix, arrivalRate);
        output.print(() -> document(mix), out -> print(out, mix));
        return ExitCodes.FINE;
    }

    /**
     * Builds the JSON document. Figures at the top level are those of the busiest duplicate. If duplicates have
     * different distributions, it also has figures of each.
     */
    private Map<String, Object> document(Mix mix) {
        JsonObject document = new JsonObject().with("service_level", mix.serviceLevel());
        Duplicate busiest = mix.group().stream()
                .max(Comparator.comparingDouble(Duplicate::utilisation))
                .orElseThrow();
        document.putAll(figures(busiest));
        if (mix.group().size() > 1) {
            List<Map<String, Object>> each = new ArrayList<>();
            for (int i = 0; i < mix.group().size(); i++) {
                Map<String, Object> figures = figures(mix.group().get(i));
                figures.put("share_in_time", mix.shares().get(i));
                each.add(figures);
            }
            document.put("per_duplicate", each);
        }
        return queue.describe(mix, arrivalRate, document);
    }

    /**
     * Figures of a duplicate. Its effective tau is null if the duplicate is overloaded, because the wait exceeds any
     * bound.
     */
    private Map<String, Object> figures(Duplicate duplicate) {
        double effective = duplicate.effectiveTauMillis(queue.tau());
        return new JsonObject()
                .with("effective_tau_ms", Double.isFinite(effective) ? effective : null)
                .with("utilization", duplicate.utilisation());
    }

    private void print(PrintWriter out, Mix mix) {
        out.printf(
                Locale.ROOT,
                "%s of the requests within %s ms: %d replica%s x %d duplicate%s%n%n",
                ReplicationChecks.share(mix.serviceLevel()),
                ReplicationChecks.number(queue.tau()),
                replicas,
                replicas == 1 ? "" : "s",
                duplicates,
                duplicates == 1 ? "" : "s");
        TextTable table = new TextTable("duplicate", "utilization", "mean wait ms", "in time");
        for (int i = 0; i < mix.group().size(); i++) {
            Duplicate duplicate = mix.group().get(i);
            double waiting = duplicate.queueingMillis();
            table.row(
                    mix.group().size() == 1 ? "each" : Integer.toString(i + 1),
                    ReplicationChecks.share(duplicate.utilisation()),
                    Double.isFinite(waiting) ? ReplicationChecks.number(waiting) : "overloaded",
                    ReplicationChecks.share(mix.shares().get(i)));
        }
        table.print(out);
    }
}
