package io.kipimo.cli.replication;

import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.PrintingCommand;
import io.kipimo.cli.terminal.TextTable;
import io.kipimo.core.replication.Mix;
import io.kipimo.core.replication.Plan;
import io.kipimo.schemas.document.JsonObject;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kipimo plan}: finds the cheapest mix of replicas and duplicates that meets a service level. */
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
        footer = {"  kipimo plan --samples times.txt --tau 5 --service-level 0.999 --arrival-rate 40 --max-servers 16"})
public final class PlanCommand extends PrintingCommand {
    /** Greatest number of duplicates that a plan simulates. Each further duplicate gains less. */
    private static final int MOST_DUPLICATES = 64;

    @Option(
            names = "--samples",
            required = true,
            paramLabel = "FILE",
            description = "Service times of a server without waiting, one in ms a line; - is standard input.")
    private String samples;

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

    @Mixin
    private QueueOptions queue;

    @Override
    public Integer call() {
        ReplicationChecks.atLeast0("--tau", queue.tau());
        double arrivalRate = arrivalRate();
        queue.checkNetwork();
        InputException.throwIf(
                !(serviceLevel >= 0 && serviceLevel <= 1), "--service-level is " + serviceLevel + "; allowed: 0..1");
        InputException.throwIf(
                maximumServers < 1 || maximumServers > Plan.MOST_SERVERS,
                "--max-servers is " + maximumServers + "; allowed: 1.." + Plan.MOST_SERVERS);
        Plan plan = Plan.cheapest(
                queue.model(List.of(SampleFile.read(samples)), arrivalRate),
                serviceLevel,
                maximumServers,
                queue.isSimulated(arrivalRate) ? MOST_DUPLICATES : maximumServers);
        Mix best = plan.chosen().orElse(plan.ofTheSameSize().get(0));
        queue.warn(output.err(), best, arrivalRate);
        output.print(() -> document(plan, best, arrivalRate), out -> print(out, plan));
        return plan.chosen().isPresent() ? ExitCodes.FINE : ExitCodes.NO;
    }

    private double arrivalRate() {
        InputException.throwIf(
                givenArrivalRate == null && !queue.hasArrivals(),
                "--arrival-rate is missing; allowed: >= 0, or --arrivals");
        double given = givenArrivalRate == null ? 0 : givenArrivalRate;
        ReplicationChecks.atLeast0("--arrival-rate", given);
        return queue.arrivalRate(given);
    }

    /**
     * Builds the JSON document. Fields are null if no mix is sufficient, so that programs do not use an insufficient
     * plan.
     */
    private Map<String, Object> document(Plan plan, Mix best, double arrivalRate) {
        Optional<Mix> chosen = plan.chosen();
        return queue.describe(
                best,
                arrivalRate,
                new JsonObject()
                        .with("replicas", chosen.map(Mix::replicas))
                        .with("duplicates", chosen.map(Mix::duplicates))
                        .with("servers", chosen.map(Mix::servers))
                        .with("service_level", chosen.map(Mix::serviceLevel))
                        .with(
                                chosen.isEmpty() ? "closest_mixes" : "other_mixes",
                                plan.ofTheSameSize().stream()
                                        .filter(mix ->
                                                !chosen.filter(mix::equals).isPresent())
                                        .map(PlanCommand::fields)
                                        .toList()));
    }

    private static Map<String, Object> fields(Mix mix) {
        return new JsonObject()
                .withFields(mix, "replicas", "duplicates")
                .with("servers", mix.servers())
                .withFields(mix, "service_level");
    }

    private void print(PrintWriter out, Plan plan) {
        List<Mix> mixes = plan.ofTheSameSize();
        String wanted =
                ReplicationChecks.share(serviceLevel) + " within " + ReplicationChecks.number(queue.tau()) + " ms";
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
