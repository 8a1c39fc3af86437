package io.kipimo.cli.rating;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.loadgen.rating.DeltaAnalysis;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.rating.ExperimentTermsBuilder;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.SearchTerms;
import java.util.UUID;
import java.util.function.DoubleSupplier;
import picocli.CommandLine.Option;

/** Options for ratings of real targets: the target's agreement and the load. */
final class RatingTerms {
    /** Model of the load: requests independent of the target, or users with one request at a time. */
    enum Imposed {
        OPEN,
        CLOSED
    }

    @Option(
            names = "--sla",
            paramLabel = "AGREEMENT",
            description = "Agreement of the target, such as p95<=50ms,quality>=0.9,errors<=1%%,for=60s: share of the "
                    + "requests within a time (alpha, beta), mean answer quality, errors (default 1%%), "
                    + "unpredictable reads (default 0%%), duration (Delta; default: as long as an experiment).")
    String agreement;

    @Option(
            names = "--load",
            paramLabel = "MODEL",
            defaultValue = "OPEN",
            description = "OPEN: Poisson arrivals, independent of the target; CLOSED: users with one "
                    + "request at a time. Default: ${DEFAULT-VALUE}.")
    private Imposed load;

    boolean isOpen() {
        return load == Imposed.OPEN;
    }

    @Option(
            names = "--unit",
            paramLabel = "N",
            description = "Size of load 1, where the search begins: requests a second, or users; "
                    + "default: 10 requests a second, 1 user.")
    private Double unit;

    @Option(
            names = "--think",
            paramLabel = "MS",
            defaultValue = "0",
            description = "CLOSED: mean think time of a user, milliseconds; default: ${DEFAULT-VALUE}.")
    private long thinkMillis;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            defaultValue = "2s",
            description = "Start of each experiment that is not measured (Upsilon); default: ${DEFAULT-VALUE}.")
    private String warmUp;

    @Option(
            names = "--experiment",
            paramLabel = "TIME",
            defaultValue = "5s",
            description = "Measured time of each experiment (delta); 'auto': the shortest time after which the Delta "
                    + "analyzer finds stable figures; default: ${DEFAULT-VALUE}.")
    String experiment;

    @Option(
            names = "--utilisation-from",
            paramLabel = "URL",
            description = "--experiment auto: utilisation of a remote target from its metrics,"
                    + " http://HOST/metrics#NAME{LABEL=\"VALUE\"}/DIVISOR, or from Prometheus,"
                    + " http://HOST/api/v1/query?query=QUERY. NAME_total is a counter."
                    + " Default: the processors of this machine.")
    private String utilisationFrom;

    /**
     * Returns a source of the target's utilisation.
     *
     * @throws InputException naming the option
     */
    DoubleSupplier utilisation() {
        return utilisationFrom == null ? DeltaAnalysis::ofThisMachine : new UtilisationMetric(utilisationFrom);
    }

    /**
     * Reads the utilisation once, to report problems early.
     *
     * @param auto whether the rating uses the utilisation, because {@code --experiment} is {@code auto}
     * @throws InputException if the option is not allowed, or the utilisation cannot be read
     */
    void checkUtilisation(boolean auto) {
        if (utilisationFrom != null) {
            InputException.throwIf(!auto, "--utilisation-from is given; allowed: with --experiment auto");
            double unused = utilisation().getAsDouble();
        }
    }

    @Option(
            names = "--generators",
            paramLabel = "N",
            defaultValue = "1",
            description = "Load generators that share the load, 1..1000; default: ${DEFAULT-VALUE}.")
    private int generators;

    @Option(
            names = "--noise-readings",
            paramLabel = "N",
            defaultValue = "2",
            description = "Equal experiments at load 1 before the search, to measure the noise; 0: "
                    + "none; default: ${DEFAULT-VALUE}.")
    private int noiseReadings;

    @Option(
            names = "--early-stop",
            paramLabel = "ERROR",
            defaultValue = "1e-6",
            description = "An experiment ends as soon as the error probability of its verdict is at "
                    + "most this; 0: never; default: ${DEFAULT-VALUE}.")
    private double earlyStop;

    @Option(
            names = "--patience",
            paramLabel = "TIME",
            defaultValue = "10s",
            description =
                    "--remote: a generator that is silent for this time counts as lost; default: ${DEFAULT-VALUE}.")
    private String patience;

    @Option(names = "--highest", paramLabel = "LOAD", description = "Highest load, in units; default: any.")
    Long highest;

    @Option(
            names = "--most-experiments",
            paramLabel = "N",
            defaultValue = "100",
            description = "Most experiments of the search; default: ${DEFAULT-VALUE}.")
    private int mostExperiments;

    int mostExperiments() {
        return mostExperiments;
    }

    long highestLoad() {
        return highest == null ? SearchTerms.MOST_LOAD : highest;
    }

    @Option(
            names = "--sweep",
            description = "Afterwards also try every load in steps of the accuracy, up to the first "
                    + "that fails, for comparison.")
    boolean sweep;

    @Option(
            names = "--service",
            paramLabel = "NAME",
            defaultValue = "",
            description = "--remote: service whose admission and replication are held during the rating; "
                    + "default: none. --record: the service, if there are several.")
    String service;

    @Option(names = "--id", paramLabel = "NAME", description = "Id of the rating; default: a new one.")
    private String id;

    /**
     * Builds the request for a rating.
     *
     * @param experimentMillis measured time of an experiment (delta), milliseconds
     * @throws InputException naming the invalid option
     */
    RatingRequest request(
            String target,
            RatingTechnique technique,
            int climb,
            double epsilon,
            double accuracy,
            long seed,
            long experimentMillis) {
        InputException.throwIf(agreement == null, "--sla is missing; allowed: as in p95<=50ms,quality>=0.9,for=60s");
        boolean open = load == Imposed.OPEN;
        RatingRequest request = new RatingRequest(
                id == null ? "rating-" + UUID.randomUUID() : id,
                service,
                target,
                AgreementText.parse(agreement, experimentMillis),
                new SearchTerms(
                        technique,
                        climb,
                        epsilon,
                        accuracy,
                        highest == null ? SearchTerms.MOST_LOAD : highest,
                        mostExperiments),
                ExperimentTermsBuilder.builder()
                        .model(open ? LoadModel.OPEN : LoadModel.CLOSED)
                        .unit(unit == null ? (open ? 10 : 1) : unit)
                        .thinkMillis(thinkMillis)
                        .warmUpMillis(TimeSpan.parse("--warm-up", warmUp).toMillis())
                        .millis(experimentMillis)
                        .noiseReadings(noiseReadings)
                        .earlyStopError(earlyStop)
                        .generators(generators)
                        .patienceMillis(TimeSpan.parse("--patience", patience).toMillis())
                        .seed(seed)
                        .build(),
                System.currentTimeMillis());
        try {
            Codecs.RATING.decode(Codecs.RATING.encode(Rating.requested(request)));
        } catch (InvalidRecordException e) {
            throw new InputException(e.getMessage());
        }
        return request;
    }
}
