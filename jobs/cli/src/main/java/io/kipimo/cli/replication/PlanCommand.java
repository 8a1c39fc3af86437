package io.kipimo.cli.replication;

import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.core.replication.Mix;
import io.kipimo.core.replication.Plan;
import io.kipimo.schemas.document.JsonObject;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kipimo plan}: the cheapest mix of replicas and duplicates that meets a service level. */
@Command(
        name = "plan",
        description = {
            "Finds the fewest servers that answer a share of the requests within a latency bound, "
                    + "as replicas that share the requests and duplicates "
                    + "that repeat them. Also prints what other mixes of as many servers reach.",
            "",
            "The queues of the servers are simulated, of up to 64 duplicates; a mix is good enough if"
                    + " its 95 %% interval is above the service level.",
            "",
            "Exit code 1: no mix within the limit is good enough."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  kipimo plan --samples times.txt --tau 5 --service-level 0.999 --arrival-rate 40" + " --max-servers 16"
        })
public final class PlanCommand implements Callable<Integer> {
    /** Simulated in a plan; each further one gains less. */
    private static final int MOST_DUPLICATES = 64;

    @Option(
            names = "--samples",
            required = true,
            paramLabel = "FILE",
            description = "Service times of a server without waiting, one in ms a line; - is standard " + "input.")
    private String samples;

    @Option(names = "--tau", required = true, paramLabel = "MS", description = "Latency bound, milliseconds.")
    private double tau;

    @Option(
            names = "--service-level",
            required = true,
            paramLabel = "SHARE",
            description = "Share of the requests that must be answered within the bound, 0..1.")
    private double serviceLevel;

    @Option(
            names = "--arrival-rate",
            paramLabel = "PER_S",
            description = "Requests a second of the whole service; required without --arrivals.")
    private Double givenArrivalRate;

    @Option(
            names = "--max-servers",
            required = true,
            paramLabel = "N",
            description = "Most servers, 1.." + Plan.MOST_SERVERS + ".")
    private int maximumServers;

    @Option(
            names = "--network-ms",
            paramLabel = "MS",
            defaultValue = "0",
            description =
                    "Mean network latency between client and server, milliseconds; default:" + " ${DEFAULT-VALUE}.")
    private double networkMillis;

    @Mixin
    private QueueOptions queue;

    @Mixin
    private OutputOption output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        ReplicationChecks.atLeast0("--tau", tau);
        double arrivalRate = arrivalRate();
        ReplicationChecks.atLeast0("--network-ms", networkMillis);
        if (!(serviceLevel >= 0 && serviceLevel <= 1)) {
            throw new InputException("--service-level is " + serviceLevel + "; allowed: 0..1");
        }
        if (maximumServers < 1 || maximumServers > Plan.MOST_SERVERS) {
            throw new InputException("--max-servers is " + maximumServers + "; allowed: 1.." + Plan.MOST_SERVERS);
        }
        Plan plan = Plan.cheapest(
                queue.model(List.of(SampleFile.read(samples)), tau, arrivalRate, networkMillis),
                serviceLevel,
                maximumServers,
                queue.isSimulated(arrivalRate) ? MOST_DUPLICATES : maximumServers);
        Mix best = plan.chosen().orElse(plan.ofTheSameSize().get(0));
        queue.warn(spec.commandLine().getErr(), best, tau, arrivalRate);
        PrintWriter out = spec.commandLine().getOut();
        if (output.isDocument()) {
            output.print(out, document(plan, best, arrivalRate));
        } else {
            print(out, plan);
        }
        return plan.chosen().isPresent() ? ExitCodes.FINE : ExitCodes.NO;
    }

    private double arrivalRate() {
        if (givenArrivalRate == null && !queue.hasArrivals()) {
            throw new InputException("--arrival-rate is missing; allowed: >= 0, or --arrivals");
        }
        double given = givenArrivalRate == null ? 0 : givenArrivalRate;
        ReplicationChecks.atLeast0("--arrival-rate", given);
        return queue.arrivalRate(given);
    }

    /** Fields are null if no mix is sufficient, so that programs do not use an insufficient plan. */
    private Map<String, Object> document(Plan plan, Mix best, double arrivalRate) {
        JsonObject document = new JsonObject();
        Mix chosen = plan.chosen().orElse(null);
        document.put("replicas", chosen == null ? null : chosen.replicas());
        document.put("duplicates", chosen == null ? null : chosen.duplicates());
        document.put("servers", chosen == null ? null : chosen.servers());
        document.put("service_level", chosen == null ? null : chosen.serviceLevel());
        document.put(
                chosen == null ? "closest_mixes" : "other_mixes",
                plan.ofTheSameSize().stream()
                        .filter(mix -> !mix.equals(chosen))
                        .map(PlanCommand::fields)
                        .toList());
        queue.describe(best, tau, arrivalRate, document);
        return document;
    }

    private static Map<String, Object> fields(Mix mix) {
        return new JsonObject()
                .withFields(mix, "replicas", "duplicates")
                .with("servers", mix.servers())
                .withFields(mix, "service_level");
    }

    private void print(PrintWriter out, Plan plan) {
        List<Mix> mixes = plan.ofTheSameSize();
        String wanted = ReplicationChecks.share(serviceLevel) + " within " + ReplicationChecks.number(tau) + " ms";
        if (plan.chosen().isPresent()) {
            Mix chosen = plan.chosen().orElseThrow();
            out.printf(
                    Locale.ROOT,
                    "%s: %d server%s, as %d x %d%n%n",
                    wanted,
                    chosen.servers(),
                    chosen.servers() == 1 ? "" : "s",
                    chosen.replicas(),
                    chosen.duplicates());
        } else {
            out.printf(
                    Locale.ROOT,
                    "%s: not with %d servers or fewer; closest, with %d:%n%n",
                    wanted,
                    maximumServers,
                    mixes.get(0).servers());
        }
        TextTable table = new TextTable("replicas", "duplicates", "in time", "utilization", "");
        for (Mix mix : mixes) {
            table.row(
                    Integer.toString(mix.replicas()),
                    Integer.toString(mix.duplicates()),
                    ReplicationChecks.share(mix.serviceLevel()),
                    ReplicationChecks.share(mix.group().get(0).utilisation()),
                    plan.chosen().filter(mix::equals).isPresent() ? "chosen" : "");
        }
        table.print(out);
    }
}
