package io.kipimo.cli.rating;

import io.kipimo.balancers.haproxy.HaproxyShare;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.core.rating.Squeeze;
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

/** A share of real traffic instead of generated load. */
final class SqueezeOptions {
    private static final long GRACE_MILLIS = 5_000;

    @Option(
            names = "--squeeze",
            description = "Rate one server of a backend with real traffic. All servers of its tier must report "
                    + "observations (server-observations), through the gateway or the SDK.")
    private boolean asked;

    @Option(
            names = "--haproxy",
            paramLabel = "PATH|HOST:PORT",
            description = "--squeeze: HAProxy's stats socket, of level admin.")
    private String socket;

    @Option(
            names = "--tier",
            paramLabel = "NAME",
            description = "--squeeze: tier of the server, as in its observations.")
    private String tier;

    @Option(
            names = "--server",
            paramLabel = "NAME",
            description = "--squeeze: server in its observations; default: HAProxy's name.")
    private String server;

    @Option(
            names = "--raise",
            paramLabel = "SHARE",
            defaultValue = "0.25",
            description = "--squeeze: relative growth of the server's traffic in each step, 0.01..1; "
                    + "default: ${DEFAULT-VALUE}.")
    private double raise;

    boolean isSet() {
        return asked;
    }

    /**
     * Reports problems before anything is contacted.
     *
     * @throws InputException naming the invalid option
     */
    void check(RatingRequest request) {
        InputException.throwIf(
                !request.target().contains("/"),
                "--target is '" + request.target() + "'; allowed with --squeeze: BACKEND/SERVER");
        InputException.throwIf(
                socket == null || tier == null || request.service().isEmpty(),
                "--squeeze needs --haproxy, --service and --tier");
        var unused = SqueezeRun.settings(request, raise);
    }

    /**
     * Squeezes, and publishes to the topic of ratings.
     *
     * @throws InputException naming the invalid option, or the system that does not answer
     */
    Rating run(RatingRequest request, KafkaSettings kafka, Consumer<RatingTrial> listener) throws InterruptedException {
        String[] names = request.target().split("/", 2);
        Rating rating;
        try {
            Squeeze.Squeezing settings = SqueezeRun.settings(request, raise);
            HaproxyShare share = HaproxyShare.open(socket, names[0], names[1]);
            SqueezedServer squeezed = new SqueezedServer(request.service(), tier, server == null ? names[1] : server);
            rating = restoring(request, settings, squeezed, kafka, share, listener);
        } catch (IOException e) {
            throw new InputException("--haproxy " + socket + ": " + e.getMessage());
        }
        try (RatingClient client = new RatingClient(kafka)) {
            client.publish(rating);
        }
        return rating;
    }

    /** Restores the balancer's weights, also if the command is stopped. */
    private static Rating restoring(
            RatingRequest request,
            Squeeze.Squeezing settings,
            SqueezedServer squeezed,
            KafkaSettings kafka,
            HaproxyShare share,
            Consumer<RatingTrial> listener)
            throws IOException, InterruptedException {
        Thread running = Thread.currentThread();
        Thread hook = new Thread(
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
                // The JVM is shutting down: the hook has interrupted this thread.
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
