package io.kipimo.cli.replication;

import io.kipimo.cli.terminal.ArrivalFile;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.core.replication.Duplicate;
import io.kipimo.core.replication.Mix;
import io.kipimo.core.replication.RecordedArrivals;
import io.kipimo.core.replication.ServiceTimes;
import io.kipimo.core.replication.SimulatedQueues;
import io.kipimo.core.replication.Traffic;
import io.kipimo.core.replication.Zoolander;
import io.kipimo.schemas.document.JsonObject;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of {@code predict} and {@code plan} that choose the model of waiting requests. */
final class QueueOptions {
    /** Greatest number of duplicates to simulate. More would take minutes. */
    static final int MOST_SIMULATED_DUPLICATES = 1_000;

    /** Possible error of a service level above which a prediction needs a warning. */
    private static final double NOTABLE = 0.02;

    /** Share of all service time above which a single sample needs a warning. */
    private static final double NOTABLE_OF_ONE = 0.05;

    /** Utilisation above which waits keep growing for longer than a simulation runs. */
    private static final double NEARLY_FULL = 0.95;

    enum Model {
        SIMULATION,
        FORMULA
    }

    @Option(names = "--tau", required = true, paramLabel = "MS", description = "Latency bound, milliseconds.")
    private double tau;

    @Option(
            names = "--network-ms",
            paramLabel = "MS",
            defaultValue = "0",
            description = "Mean network latency between client and server, milliseconds; default: ${DEFAULT-VALUE}.")
    private double networkMillis;

    @Option(
            names = "--model",
            paramLabel = "MODEL",
            defaultValue = "simulation",
            description = {
                "simulation: the servers' queues are simulated. formula: Zoolander's, which deducts the mean wait "
                        + "from the bound; off by up to the utilization, or by what the mean wait takes from the "
                        + "level, whichever is more. Default: ${DEFAULT-VALUE}; without arrivals both are the same."
            })
    private Model model;

    @Option(
            names = "--arrivals",
            paramLabel = "FILE",
            description = "Recorded arrivals in place of Poisson's, a line SECONDS or SECONDS,REQUEST, as with rate "
                    + "--replay. Their rate is the arrival rate, unless --arrival-rate gives another.")
    private String arrivals;

    private RecordedArrivals recorded;

    double tau() {
        return tau;
    }

    /** @throws InputException if the network latency is negative or not finite */
    void checkNetwork() {
        ReplicationChecks.atLeast0("--network-ms", networkMillis);
    }

    boolean hasArrivals() {
        return arrivals != null;
    }

    /**
     * The arrival rate in requests a second: the given one, or that of the recorded arrivals.
     *
     * @param given rate that the user gave; 0: none
     */
    double arrivalRate(double given) {
        return given == 0 ? recorded().map(RecordedArrivals::perSecond).orElse(given) : given;
    }

    /** The arrivals in the user's file; empty if no file is given. The file is read once. */
    private Optional<RecordedArrivals> recorded() {
        if (arrivals != null && recorded == null) {
            recorded = ArrivalFile.read(arrivals);
        }
        return Optional.ofNullable(recorded);
    }

    @Option(
            names = "--batch",
            paramLabel = "N",
            defaultValue = "1",
            description = "Requests that arrive at once; replicas take them in turn; default: ${DEFAULT-VALUE}.")
    private int batch;

    @Option(
            names = "--stall-every",
            paramLabel = "MS",
            description = "Mean time from the end of a server's stall to the next one; default: none.")
    private Double stallEvery;

    @Option(
            names = "--stall-length",
            paramLabel = "MS",
            description = "Mean length of stalls, in which a server does nothing.")
    private Double stallLength;

    @Option(
            names = "--stall-shared",
            paramLabel = "SHARE",
            defaultValue = "0",
            description = "Share of the stalls that stop all duplicates at once, 0..1; default: ${DEFAULT-VALUE}.")
    private double stallShared;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the simulation; default: ${DEFAULT-VALUE}.")
    private long seed;

    /** Tells whether the queues are simulated. */
    boolean isSimulated(double arrivalRate) {
        return model == Model.SIMULATION && arrivalRate > 0;
    }

    /**
     * Returns the chosen model.
     *
     * @throws InputException naming the option that is out of range
     */
    Mix.MixModel model(List<ServiceTimes> times, double arrivalRate) {
        ReplicationChecks.atLeast1("--batch", batch);
        InputException.throwIf(
                hasArrivals() && (batch > 1 || model == Model.FORMULA),
                "--arrivals is given; allowed: with --model simulation, without --batch");
        Traffic traffic = new Traffic(arrivalRate, batch, networkMillis, stalls(), recorded());
        if (isSimulated(arrivalRate)) {
            return (replicas, duplicates) -> {
                try {
                    return SimulatedQueues.mix(times, tau, replicas, duplicates, traffic, seed);
                } catch (IllegalArgumentException e) {
                    throw new InputException("--stall-every: " + e.getMessage());
                }
            };
        }
        InputException.throwIf(
                batch > 1 || stallEvery != null,
                (batch > 1 ? "--batch" : "--stall-every") + " needs --model simulation and an --arrival-rate above 0");
        return (replicas, duplicates) -> Zoolander.mix(times, tau, replicas, duplicates, arrivalRate, networkMillis);
    }

    private Traffic.ServerStalls stalls() {
        InputException.throwIf(
                !(stallShared >= 0 && stallShared <= 1), "--stall-shared is " + stallShared + "; allowed: 0..1");
        if (stallEvery != null) {
            ReplicationChecks.above0("--stall-every", stallEvery);
        }
        if (stallLength != null) {
            ReplicationChecks.above0("--stall-length", stallLength);
        }
        InputException.throwIf(
                (stallEvery == null) != (stallLength == null),
                "--stall-every and --stall-length: allowed: both or none");
        return stallEvery == null
                ? Traffic.ServerStalls.NONE
                : new Traffic.ServerStalls(stallEvery, stallLength, stallShared);
    }

    /** Adds the model's name, the half width of the interval and all warnings to a prediction. */
    JsonObject describe(Mix mix, double arrivalRate, JsonObject document) {
        return document.with("model", isSimulated(arrivalRate) ? "simulation" : "formula")
                .with("service_level_half_width", mix.halfWidth())
                .with("warnings", warnings(mix, arrivalRate));
    }

    /** Prints one line for each reason to doubt a prediction. */
    void warn(PrintWriter err, Mix mix, double arrivalRate) {
        warnings(mix, arrivalRate).forEach(line -> err.println("kipimo: warning: " + line));
        err.flush();
    }

    private List<String> warnings(Mix mix, double arrivalRate) {
        List<String> warnings = new ArrayList<>();
        double error = Zoolander.greatestError(mix, tau);
        mix.group().stream()
                .map(Duplicate::times)
                .filter(times -> arrivalRate > 0 && times.shareOfLongest() > NOTABLE_OF_ONE)
                .findFirst()
                .ifPresent(times -> warnings.add(String.format(
                        Locale.ROOT,
                        "one sample of %.4g ms is %.2g %% of all service time, and the utilization rests on it; leave"
                                + " it out if it is no request's, such as the first of a cold server",
                        times.longestMillis(),
                        100 * times.shareOfLongest())));
        boolean runs =
                mix.group().stream().anyMatch(duplicate -> duplicate.times().comeInRuns());
        if (!isSimulated(arrivalRate)) {
            if (runs && arrivalRate > 0) {
                warnings.add("slow samples come in runs, which the formula does not know; --model simulation does");
            }
            if (error > NOTABLE) {
                warnings.add(String.format(
                        Locale.ROOT,
                        "the formula may be off by up to %.4g here, because it deducts the"
                                + " mean wait for all requests; --model simulation is not",
                        error));
            }
            return warnings;
        }
        if (mix.halfWidth() > NOTABLE) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "the service level is known to ± %.2g only, because %s",
                    mix.halfWidth(),
                    runs ? "the samples have few runs" : "waits vary much"));
        }
        mix.group().stream()
                .mapToDouble(duplicate -> duplicate.utilisation() / stalls().available())
                .filter(busy -> busy > NEARLY_FULL && busy < 1)
                .max()
                .ifPresent(busy -> warnings.add(String.format(
                        Locale.ROOT, "servers are %.4g %% busy: waits grow for longer than is simulated", 100 * busy)));
        if (runs) {
            warnings.add("slow samples come in runs, so the samples are used in their order, and the interval is as"
                    + " wide as so few runs allow; shuffle them if the order has no meaning");
        }
        return warnings;
    }
}
