package io.kipimo.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.cli.Main;
import io.kipimo.harness.backends.Backends;
import io.kipimo.harness.backends.WithBackends;
import io.kipimo.harness.flink.FlinkCluster;
import io.kipimo.harness.process.ChildProcess;
import io.kipimo.harness.process.ScratchDirectory;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.rating.RatingJob;
import io.kipimo.jobs.rating.RatingOptions;
import io.kipimo.loadgen.topics.RatingClient;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentTerms;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.SearchTerms;
import io.kipimo.schemas.rating.Trial;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.sdk.kafka.PolicyStore;
import io.kipimo.sdk.kafka.TopicAdmin;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The rating job, two load generators in processes of their own, and a server that carries twelve
 * users and turns away every one more: what it is rated at does not hang on how fast this machine
 * is, so a rating that was disturbed can be compared with it.
 */
@WithBackends
@EnabledIfSystemProperty(
        named = "kipimo.rating",
        matches = "true",
        disabledReason =
                "its experiments last seconds and need a quiet machine: -Dkipimo.rating=true")
class RatingJobITCase {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int USERS = 12;
    private static final long ANSWER_MILLIS = 250;

    /** Turns away whoever comes while twelve are in. */
    private static final class Server implements AutoCloseable {
        private final Vertx vertx = Vertx.vertx();
        private final AtomicInteger inside = new AtomicInteger();
        private final HttpServer server =
                vertx.createHttpServer()
                        .requestHandler(this::answer)
                        .listen(0, "127.0.0.1")
                        .toCompletionStage()
                        .toCompletableFuture()
                        .join();

        private void answer(HttpServerRequest request) {
            if (inside.incrementAndGet() > USERS) {
                inside.decrementAndGet();
                vertx.setTimer(ANSWER_MILLIS, late -> request.response().setStatusCode(503).end());
                return;
            }
            vertx.setTimer(
                    ANSWER_MILLIS,
                    late -> {
                        inside.decrementAndGet();
                        request.response().end("in");
                    });
        }

        String url() {
            return "http://127.0.0.1:" + server.actualPort() + "/{user}";
        }

        @Override
        public void close() {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private static RatingRequest request(String id, long highestLoad) {
        return new RatingRequest(
                id,
                "pages",
                "twelve",
                new AgreementTerms(0.95, 5_000_000, 0, 0, 0.01, 1),
                new SearchTerms(RatingTechnique.APPROXIMATE, 2, 0, 0.001, highestLoad, 100),
                new ExperimentTerms(LoadModel.CLOSED, 1, 0, 2_000, 1_000, 0, 0, 2, 5_000, 7),
                System.currentTimeMillis());
    }

    private static ChildProcess generator(
            KafkaSettings kafka, String name, Server server, Path log) {
        return ChildProcess.start(
                Main.class,
                List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
                List.of(
                        "loadgen",
                        "--name=" + name,
                        "--target=twelve=" + server.url(),
                        "--bootstrap-servers=" + kafka.bootstrapServers(),
                        "--prefix=" + kafka.topicPrefix()),
                log);
    }

    private static boolean isHeld(KafkaSettings kafka) {
        Policy policy = PolicyStore.readAll(kafka).get("pages");
        return policy.replication().flatMap(ReplicationPolicy::override).isPresent();
    }

    @Test
    void aRatingThatLostItsJobAndAGeneratorEndsAsOneThatDidNot(Backends backends) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "rating.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, PagesPolicy.of(1_000, Duration.ofMinutes(1)));
        Configuration config = new Configuration();
        config.setString("kafka.bootstrap-servers", kafka.bootstrapServers());
        config.setString("kafka.topic-prefix", kafka.topicPrefix());
        config.setString("parallelism.default", "1");
        config.setString("execution.checkpointing.interval", "500 ms");
        try (FlinkCluster cluster = FlinkCluster.inProcess(1, 1);
                Server server = new Server();
                ScratchDirectory scratch = ScratchDirectory.create("rating");
                ChildProcess first =
                        generator(kafka, "first", server, scratch.path().resolve("1.log"));
                ChildProcess second =
                        generator(kafka, "second", server, scratch.path().resolve("2.log"));
                RatingClient client = new RatingClient(kafka);
                TopicLog<Rating> log = new TopicLog<>(kafka, Topic.RATINGS, Codecs.RATING)) {
            StreamExecutionEnvironment env =
                    cluster.environment(JobEnvironment.withDefaults(config));
            RatingJob.define(env, RatingOptions.of(config));
            JobID job = env.executeAsync("rating").getJobID();

            // Generators that have just started are slow, and their first experiment is void or
            // worse.
            CompletableFuture<Rating> warm = rate(client, request("warm", 1));
            await("generators are warm").atMost(PATIENCE).until(warm::isDone);

            CompletableFuture<Rating> disturbed = rate(client, request("disturbed", 1_000));
            await("two experiments").atMost(PATIENCE).until(() -> trials(log, "disturbed") >= 2);
            assertThat(isHeld(kafka)).as("replication is held").isTrue();
            cluster.killTaskManager(0);
            cluster.startTaskManager();
            int before = trials(log, "disturbed");
            await("it goes on").atMost(PATIENCE).until(() -> trials(log, "disturbed") > before);
            second.kill();
            try (ChildProcess third =
                    generator(kafka, "third", server, scratch.path().resolve("3.log"))) {
                await("it ends").atMost(PATIENCE).until(disturbed::isDone);
                Rating found = disturbed.get();
                assertThat(found.state()).as("%s", found).isEqualTo(RatingState.FOUND);
                assertThat(found.load()).isEqualTo(USERS);
                assertThat(found.trials()).anyMatch(Trial::isVoid);
                await("the hold has ended").atMost(PATIENCE).until(() -> !isHeld(kafka));

                CompletableFuture<Rating> quiet = rate(client, request("quiet", 1_000));
                await("the other, too").atMost(PATIENCE).until(quiet::isDone);
                assertThat(quiet.get().state()).as("%s", quiet.get()).isEqualTo(RatingState.FOUND);
                assertThat(quiet.get().load()).isEqualTo(found.load());
                assertThat(third.isAlive()).isTrue();
            }
            assertThat(first.isAlive()).isTrue();
            cluster.cancel(job);
        }
    }

    private static CompletableFuture<Rating> rate(RatingClient client, RatingRequest request) {
        CompletableFuture<Rating> rating = new CompletableFuture<>();
        Thread thread =
                new Thread(
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

    private static int trials(TopicLog<Rating> log, String ratingId) {
        return log.readOn().stream()
                .filter(r -> r.ratingId().equals(ratingId))
                .mapToInt(r -> r.trials().size())
                .max()
                .orElse(0);
    }
}
