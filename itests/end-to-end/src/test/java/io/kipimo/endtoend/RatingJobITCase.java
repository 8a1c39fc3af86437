package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.cli.Main;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.process.ChildProcess;
import io.kipimo.embedded.process.ScratchDirectory;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.rating.RatingJob;
import io.kipimo.loadgen.topics.RatingClient;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentTermsBuilder;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The rating job, load generators in processes of their own, and a server that answers six users and rejects all
 * others. Verdicts depend on the load alone, not on the machine. The search compares throughputs only from four to six
 * users; they would have to be a third lower to change the result.
 */
@WithBackends
class RatingJobITCase {
    private static final int USERS = 6;
    private static final long ANSWER_MILLIS = 250;

    /** Enough for sixteen answers of a user, eleven of them after a pause of more than a second. */
    private static final long EXPERIMENT_MILLIS = 4_100;

    private static final int LAST_OF_TWO = 1;

    /** The eight users include some of each generator, and some that are rejected. */
    private static final int LAST_OF_EIGHT = 7;

    /**
     * Loads of bisection up to the first failure; the load that bounds the rating fails twice, and the rating passes
     * twice.
     */
    private static final List<Long> LOADS = List.of(1L, 2L, 4L, 8L, 6L, 7L, 7L, 6L);

    /** Rejects users beyond the sixth. */
    private static final class Server implements AutoCloseable {
        private final Vertx vertx = Vertx.vertx();
        private final CompletableFuture<Void> twoUsers = new CompletableFuture<>();
        private volatile boolean armed;
        private final AtomicReference<ChildProcess> victim = new AtomicReference<>();
        private final HttpServer server = vertx.createHttpServer()
                .requestHandler(this::answer)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();

        private void answer(HttpServerRequest request) {
            int user = Integer.parseInt(request.path().substring(1));
            if (user == LAST_OF_TWO && armed) {
                twoUsers.complete(null);
            }
            if (user == LAST_OF_EIGHT) {
                ChildProcess chosen = victim.getAndSet(null);
                if (chosen != null) {
                    chosen.kill();
                    return;
                }
            }
            int status = user < USERS ? 200 : 503;
            vertx.setTimer(
                    ANSWER_MILLIS,
                    late -> request.response().setStatusCode(status).end());
        }

        /**
         * From now on, kills {@code generator} when the eighth user sends a request. That user must belong to it.
         *
         * @return completed when the second user sends a request, some experiments earlier
         */
        CompletableFuture<Void> killAtEightUsers(ChildProcess generator) {
            victim.set(generator);
            armed = true;
            return twoUsers;
        }

        String url() {
            return "http://127.0.0.1:" + server.actualPort() + "/{user}";
        }

        @Override
        public void close() {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private static RatingRequest request(String id, int unit, long highestLoad, int generators) {
        return new RatingRequest(
                id,
                "pages",
                "six",
                new AgreementTerms(0.9, 30_000_000, 0, 0, 0.01, 1),
                new SearchTerms(RatingTechnique.APPROXIMATE, 2, 0, 0.001, highestLoad, 100),
                ExperimentTermsBuilder.builder()
                        .model(LoadModel.CLOSED)
                        .unit(unit)
                        .millis(EXPERIMENT_MILLIS)
                        .generators(generators)
                        .patienceMillis(5_000)
                        .seed(7)
                        .build(),
                System.currentTimeMillis());
    }

    private static RatingRequest request(String id) {
        return request(id, 1, 1_000, 2);
    }

    private static ChildProcess generator(KafkaSettings kafka, String name, Server server, Path log) {
        return ChildProcess.start(
                Main.class,
                List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
                List.of(
                        "loadgen",
                        "--name=" + name,
                        "--target=six=" + server.url(),
                        "--time-out=30000",
                        "--bootstrap-servers=" + kafka.bootstrapServers(),
                        "--prefix=" + kafka.topicPrefix()),
                log);
    }

    private static boolean isHeld(KafkaSettings kafka) {
        Policy policy = PolicyStore.readAll(kafka).get("pages");
        return policy.replication().flatMap(ReplicationPolicy::override).isPresent();
    }

    @Tag("full")
    @Test
    void aRatingThatLostItsJobAndAGeneratorEndsAsOneThatDidNot(Backends backends, FlinkCluster cluster)
            throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "rating.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, PagesPolicy.of(1_000, Duration.ofMinutes(1)));
        Configuration config = new Configuration();
        config.setString("kafka.bootstrap-servers", kafka.bootstrapServers());
        config.setString("kafka.topic-prefix", kafka.topicPrefix());
        config.setString("parallelism.default", "1");
        config.setString("execution.checkpointing.interval", "500 ms");
        try (Server server = new Server();
                ScratchDirectory scratch = ScratchDirectory.create("rating");
                ChildProcess first =
                        generator(kafka, "first", server, scratch.path().resolve("1.log"));
                ChildProcess second =
                        generator(kafka, "second", server, scratch.path().resolve("2.log"));
                ChildProcess third =
                        generator(kafka, "third", server, scratch.path().resolve("3.log"));
                RatingClient client = new RatingClient(kafka)) {
            StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(config));
            RatingJob.define(env, RatingJob.OPTIONS.read(config));
            JobID job = env.executeAsync("rating").getJobID();

            // First requests are slow, so each generator serves one user first.
            CompletableFuture<Rating> warm = rate(client, request("warm", 3, 1, 3));
            await("generators are warm").atMost(PATIENCE).until(warm::isDone);

            CompletableFuture<Void> underWay = server.killAtEightUsers(second);
            CompletableFuture<Rating> disturbed = rate(client, request("disturbed"));
            await("two users send requests").atMost(PATIENCE).until(() -> underWay.isDone() || disturbed.isDone());
            assertThat(underWay).as("%s", disturbed).isDone();
            cluster.killOldestTaskManager();
            cluster.replaceTaskManagers();
            assertThat(isHeld(kafka)).as("replication is held").isTrue();
            await("the rating ends").atMost(PATIENCE).until(disturbed::isDone);
            await("it was restarted").atMost(PATIENCE).until(() -> cluster.restarts(job) > 0);
            await("the hold has ended").atMost(PATIENCE).until(() -> !isHeld(kafka));

            // The server determines the result of an undisturbed rating.
            Rating found = disturbed.get();
            assertThat(found.state()).as("%s", found).isEqualTo(RatingState.FOUND);
            assertThat(second.isAlive()).as("%s", found).isFalse();
            assertThat(found.load()).isEqualTo(USERS);
            assertThat(found.trials().stream().filter(t -> !t.isVoid()).map(RatingTrial::load))
                    .containsExactlyElementsOf(LOADS);
            assertThat(first.isAlive() && third.isAlive()).isTrue();
            cluster.cancel(job);
        }
    }

    private static CompletableFuture<Rating> rate(RatingClient client, RatingRequest request) {
        CompletableFuture<Rating> rating = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        rating.complete(client.rate(request, (was, is) -> {}));
                    } catch (InterruptedException | RuntimeException e) {
                        rating.completeExceptionally(e);
                    }
                },
                "rating-client");
        thread.setDaemon(true);
        thread.start();
        return rating;
    }
}
