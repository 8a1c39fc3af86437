package io.kipimo.cli.rating;

import io.kipimo.balancers.haproxy.HaproxyShare;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.core.rating.squeeze.SqueezeSettings;
import io.kipimo.loadgen.squeeze.SqueezeRun;
import io.kipimo.loadgen.squeeze.SqueezedServer;
import io.kipimo.loadgen.squeeze.Steering;
import io.kipimo.loadgen.topics.RatingClient;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** A share of real traffic instead of a load of our own. */
final class SqueezeOptions {
    private static final long GRACE_MILLIS = 5_000;

    @Option(
            names = "--squeeze",
            description =
                    "Rate one server of a backend by real traffic. All of its tier must report"
                            + " (server-observations), as those behind the gateway or with the SDK"
                            + " do.")
    private boolean asked;

    @Option(
            names = "--haproxy",
            paramLabel = "PATH|HOST:PORT",
            description = "--squeeze: HAProxy's stats socket, of level admin.")
    private String socket;

    @Option(
            names = "--tier",
            paramLabel = "NAME",
            description = "--squeeze: of the server, as it reports.")
    private String tier;

    @Option(
            names = "--server",
            paramLabel = "NAME",
            description = "--squeeze: as it reports; default: as HAProxy names it.")
    private String server;

    @Option(
            names = "--raise",
            paramLabel = "SHARE",
            defaultValue = "0.25",
            description =
                    "--squeeze: by which share of itself the server's traffic grows each step,"
                            + " 0.01..1; default: ${DEFAULT-VALUE}.")
    private double raise;

    boolean isSet() {
        return asked;
    }

    /**
     * Tells what is wrong before anybody is asked.
     *
     * @throws InputException that names what is not allowed
     */
    void check(RatingRequest request) {
        if (!request.target().contains("/")) {
            throw new InputException(
                    "--target is '"
                            + request.target()
                            + "'; allowed with --squeeze: BACKEND/SERVER");
        }
        if (socket == null || tier == null || request.service().isEmpty()) {
            throw new InputException("--squeeze needs --haproxy, --service and --tier");
        }
        var unused = settings(request);
    }

    private SqueezeSettings settings(RatingRequest request) {
        try {
            return SqueezeRun.settings(request, raise);
        } catch (IllegalArgumentException e) {
            throw new InputException(e.getMessage());
        }
    }

    /**
     * Squeezes, and tells the topic of ratings.
     *
     * @throws InputException that names what is not allowed, or who does not answer
     */
    Rating run(RatingRequest request, KafkaSettings kafka, Consumer<RatingTrial> listener)
            throws InterruptedException {
        String[] names = request.target().split("/", 2);
        Rating rating;
        try {
            SqueezeSettings settings = settings(request);
            HaproxyShare share = HaproxyShare.open(socket, names[0], names[1]);
            SqueezedServer squeezed =
                    new SqueezedServer(request.service(), tier, server == null ? names[1] : server);
            rating = restoring(request, settings, squeezed, kafka, share, listener);
        } catch (IllegalArgumentException e) {
            throw new InputException(e.getMessage());
        } catch (IOException e) {
            throw new InputException("--haproxy " + socket + ": " + e.getMessage());
        }
        try (RatingClient client = new RatingClient(kafka)) {
            client.publish(rating);
        }
        return rating;
    }

    /** Whoever stops the command has the balancer back as it was. */
    private static Rating restoring(
            RatingRequest request,
            SqueezeSettings settings,
            SqueezedServer squeezed,
            KafkaSettings kafka,
            HaproxyShare share,
            Consumer<RatingTrial> listener)
            throws IOException, InterruptedException {
        Thread running = Thread.currentThread();
        Thread hook =
                new Thread(
                        () -> {
                            running.interrupt();
                            try {
                                running.join(GRACE_MILLIS);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        },
                        "squeeze-restore");
        Runtime.getRuntime().addShutdownHook(hook);
        try (ServiceHold held = ServiceHold.begin(kafka, request.service(), request.ratingId())) {
            return SqueezeRun.run(request, settings, squeezed, kafka, steering(share), listener);
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // It is what interrupted this.
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Steering steering(HaproxyShare share) {
        return new Steering() {
            @Override
            public double firstShare() {
                return share.firstShare();
            }

            @Override
            public double give(double wanted) throws IOException {
                return share.set(wanted);
            }

            @Override
            public void restore() throws IOException {
                share.restore();
            }

            @Override
            public boolean restIsUp() throws IOException {
                return share.restIsUp();
            }
        };
    }
}
