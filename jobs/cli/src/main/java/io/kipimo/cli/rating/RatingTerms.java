package io.kipimo.cli.rating;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.rating.ExperimentTerms;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.SearchTerms;
import java.util.UUID;
import picocli.CommandLine.Option;

/** What a target promises and how its load is imposed: options of ratings of real targets. */
final class RatingTerms {
    /** Of the traffic, that a squeezed server is given; others must keep some. */
    private static final long MOST_PERCENT = 90;

    /** How load is imposed. */
    enum Imposed {
        OPEN,
        CLOSED
    }

    @Option(
            names = "--sla",
            paramLabel = "AGREEMENT",
            description =
                    "What the target promises, such as p95<=50ms,quality>=0.9,errors<=1%%,for=60s:"
                            + " share of the requests within a time (alpha, beta), mean answer"
                            + " quality, errors (default 1%%), unpredictable reads (default 0%%),"
                            + " how long (Delta; default: as long as an experiment).")
    String agreement;

    @Option(
            names = "--load",
            paramLabel = "MODEL",
            defaultValue = "OPEN",
            description =
                    "OPEN: Poisson arrivals, whatever the target does; CLOSED: users with one"
                            + " request at a time. Default: ${DEFAULT-VALUE}.")
    private Imposed load;

    @Option(
            names = "--unit",
            paramLabel = "N",
            description =
                    "Requests a second, or users, of load 1, where the search begins; default: 10"
                            + " requests a second, 1 user.")
    private Double unit;

    @Option(
            names = "--think",
            paramLabel = "MS",
            defaultValue = "0",
            description =
                    "CLOSED: mean think time of a user, milliseconds; default: ${DEFAULT-VALUE}.")
    private long thinkMillis;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            defaultValue = "2s",
            description = "Of each experiment, not measured (Upsilon); default: ${DEFAULT-VALUE}.")
    private String warmUp;

    @Option(
            names = "--experiment",
            paramLabel = "TIME",
            defaultValue = "5s",
            description =
                    "How long each experiment measures (delta); 'auto': as long as the Delta"
                            + " analyzer finds that figures need to be permanent; default:"
                            + " ${DEFAULT-VALUE}.")
    String experiment;

    @Option(
            names = "--generators",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Load generators that share the load, 1..1000; default: ${DEFAULT-VALUE}.")
    private int generators;

    @Option(
            names = "--noise-readings",
            paramLabel = "N",
            defaultValue = "2",
            description =
                    "Equal experiments at load 1 before the search, which tell the noise; 0:"
                            + " none; default: ${DEFAULT-VALUE}.")
    private int noiseReadings;

    @Option(
            names = "--early-stop",
            paramLabel = "ERROR",
            defaultValue = "1e-6",
            description =
                    "An experiment ends as soon as its verdict errs with at most this probability;"
                            + " 0: never; default: ${DEFAULT-VALUE}.")
    private double earlyStop;

    @Option(
            names = "--patience",
            paramLabel = "TIME",
            defaultValue = "10s",
            description =
                    "--remote: a generator that is silent for so long is lost; --squeeze: nothing"
                            + " heard of the server for so long ends it; default:"
                            + " ${DEFAULT-VALUE}.")
    private String patience;

    @Option(
            names = "--highest",
            paramLabel = "LOAD",
            description =
                    "No higher load is imposed, in units; default: any. --squeeze: percent of the"
                            + " traffic, 1..99; default: 90.")
    Long highest;

    @Option(
            names = "--most-experiments",
            paramLabel = "N",
            defaultValue = "100",
            description = "After so many the search ends; default: ${DEFAULT-VALUE}.")
    private int mostExperiments;

    @Option(
            names = "--sweep",
            description =
                    "Afterwards also try every load that differs by the accuracy, up to the first"
                            + " that fails: to compare with.")
    boolean sweep;

    @Option(
            names = "--service",
            paramLabel = "NAME",
            defaultValue = "",
            description =
                    "--remote, --squeeze: its admission and replication are held while it is rated;"
                            + " default: nobody's. --squeeze: the service of the server.")
    String service;

    @Option(
            names = "--id",
            paramLabel = "NAME",
            description = "Of the rating; default: one that is new.")
    private String id;

    /**
     * The request.
     *
     * @param experimentMillis delta
     * @throws InputException that names what is not allowed
     */
    RatingRequest request(
            String target,
            RatingTechnique technique,
            int climb,
            double epsilon,
            double accuracy,
            long seed,
            long experimentMillis) {
        if (agreement == null) {
            throw new InputException(
                    "--sla is missing; allowed: as in p95<=50ms,quality>=0.9,for=60s");
        }
        boolean squeezed = technique == RatingTechnique.SQUEEZE;
        boolean open = squeezed || load == Imposed.OPEN;
        RatingRequest request =
                new RatingRequest(
                        id == null ? "rating-" + UUID.randomUUID() : id,
                        service,
                        target,
                        AgreementText.parse(agreement, experimentMillis),
                        new SearchTerms(
                                technique,
                                climb,
                                epsilon,
                                accuracy,
                                highest == null
                                        ? squeezed ? MOST_PERCENT : SearchTerms.MOST_LOAD
                                        : highest,
                                mostExperiments),
                        new ExperimentTerms(
                                open ? LoadModel.OPEN : LoadModel.CLOSED,
                                squeezed ? 1 : unit == null ? (open ? 10 : 1) : unit,
                                thinkMillis,
                                TimeSpan.parse("--warm-up", warmUp).toMillis(),
                                experimentMillis,
                                noiseReadings,
                                earlyStop,
                                generators,
                                TimeSpan.parse("--patience", patience).toMillis(),
                                seed),
                        System.currentTimeMillis());
        try {
            Codecs.RATING.decode(Codecs.RATING.encode(Rating.requested(request)));
        } catch (InvalidRecordException e) {
            throw new InputException(e.getMessage());
        }
        return request;
    }
}
