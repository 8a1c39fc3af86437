package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.balancers.haproxy.HaproxyShare;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.embedded.process.ScratchDirectory;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.loadgen.generator.Load;
import io.kipimo.loadgen.generator.LoadRun;
import io.kipimo.loadgen.generator.RunSettings;
import io.kipimo.loadgen.http.HttpTarget;
import io.kipimo.loadgen.http.HttpTargetSettings;
import io.kipimo.loadgen.workload.Share;
import io.kipimo.loadgen.workload.Workload;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTrial;
import io.kipimo.schemas.rating.TrialVerdict;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.ServerIdentity;
import io.kipimo.sdk.ServerReporter;
import io.kipimo.sdk.ServerReports;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * A real HAProxy in front of three reporting servers, and 200 background requests a second. Of each 200 requests to all
 * servers, a server answers 125 in time and its others late. So it clearly meets its agreement with 57 % of the traffic
 * and clearly breaks it with 90 %, on any machine.
 */
@WithBackends
class SqueezeITCase {
    private static final List<String> NAMES = List.of("web-1", "web-2", "web-3");
    private static final int PER_SECOND = 200;
    private static final int AT_ONCE = 125;
    private static final long LATE_MILLIS = 2_000;
    private static final double ADMITTED = 0.6;

    private static final class Server {
        private final Vertx vertx;
        private final ServerReporter reporter;
        private final HttpServer http;
        private final AtomicLong requests;
        private long block;
        private int inBlock;

        /** @param requests number of requests to all servers so far */
        Server(Vertx vertx, ServerReporter reporter, AtomicLong requests) {
            this.vertx = vertx;
            this.requests = requests;
            this.reporter = reporter;
            http = vertx.createHttpServer()
                    .requestHandler(this::answer)
                    .listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
        }

        private synchronized void answer(HttpServerRequest request) {
            long arrival = reporter.arrived();
            long now = requests.getAndIncrement() / PER_SECOND;
            inBlock = now == block ? inBlock + 1 : 1;
            block = now;
            if (inBlock <= AT_ONCE) {
                end(request, arrival);
            } else {
                vertx.setTimer(LATE_MILLIS, late -> end(request, arrival));
            }
        }

        private void end(HttpServerRequest request, long arrival) {
            request.response().end("ok");
            reporter.completed(arrival);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static Process haproxy(Path directory, int port, List<Server> servers) throws IOException {
        Path program = List.of(Path.of("/usr/sbin/haproxy"), Path.of("/usr/local/sbin/haproxy")).stream()
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeThat(program).as("haproxy on this machine").isNotNull();
        StringBuilder config = new StringBuilder("""
                        global
                            stats socket %1$s/h.sock mode 600 level admin
                        defaults
                            mode http
                            timeout connect 5s
                            timeout client 60s
                            timeout server 60s
                        frontend f
                            bind 127.0.0.1:%2$d
                            default_backend shop
                        backend shop
                            balance roundrobin
                        """.formatted(directory, port));
        for (int i = 0; i < NAMES.size(); i++) {
            config.append("    server ")
                    .append(NAMES.get(i))
                    .append(" 127.0.0.1:")
                    .append(servers.get(i).http.actualPort())
                    .append('\n');
        }
        Files.writeString(directory.resolve("haproxy.cfg"), config);
        Process process = new ProcessBuilder(
                        program.toString(),
                        "-db",
                        "-f",
                        directory.resolve("haproxy.cfg").toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("haproxy.log").toFile())
                .start();
        await("HAProxy").atMost(PATIENCE).ignoreExceptions().until(() -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            }
        });
        return process;
    }

    /** Robots may be shed; six tenths of them are admitted at the start. */
    private static void admitSomeRobots(KafkaSettings kafka) throws Exception {
        PolicyStore.publish(
                kafka,
                Policy.builder()
                        .service("shop")
                        .version(1)
                        .metrics(List.of("tpr@20"))
                        .expirationWindowMillis(2_000)
                        .windowMillis(1_000)
                        .slideMillis(1_000)
                        .classes(List.of(
                                ClassPolicy.builder()
                                        .name("people")
                                        .priority(0)
                                        .objective(0.9)
                                        .floor(0.1)
                                        .build(),
                                ClassPolicy.builder()
                                        .name("robots")
                                        .priority(1)
                                        .objective(0.9)
                                        .floor(0.1)
                                        .build()))
                        .admission(AdmissionPolicy.DEFAULT.withShadow(false))
                        .build());
        long now = System.currentTimeMillis();
        Decision decision = DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope("shop/robots")
                .epoch(1)
                .sequence(1)
                .issuedAtMillis(now)
                .asOfMillis(now)
                .validUntilMillis(now + PATIENCE.toMillis())
                .value(ADMITTED)
                .previous(1)
                .samples(100)
                .mode(DecisionMode.ACTIVE)
                .reason("SHUT")
                .configVersion(1)
                .measured(0.85)
                .low(0.84)
                .high(0.86)
                .objective(0.9)
                .build();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            kafka.name(Topic.ADMISSION),
                            decision.scope().getBytes(StandardCharsets.UTF_8),
                            Codecs.DECISION.encode(decision)))
                    .get();
        }
    }

    private static void assertAdmissionWasHeldAsItWas(KafkaSettings kafka) {
        try (TopicLog<Policy> log = new TopicLog<>(kafka, Topic.POLICIES, Codecs.POLICY)) {
            assertThat(log.readOn())
                    .extracting(policy -> policy.classPolicy("robots")
                            .flatMap(ClassPolicy::override)
                            .map(ManualOverride::fraction))
                    .containsOnly(Optional.empty(), Optional.of(ADMITTED))
                    .endsWith(Optional.of(ADMITTED), Optional.empty());
        }
    }

    @Test
    void theShareOfOneServerRisesUntilItBreaksAndIsThenWhatItWas(Backends backends) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "squeeze.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        admitSomeRobots(kafka);
        Vertx vertx = Vertx.vertx();
        Process haproxy = null;
        try (ScratchDirectory scratch = ScratchDirectory.create("squeeze");
                ServerReports reports = ServerReports.connect(kafka)) {
            AtomicLong requests = new AtomicLong();
            List<Server> servers = NAMES.stream()
                    .map(name -> new Server(
                            vertx, reports.of(ServerIdentity.server("shop", "page", "page", name, 1)), requests))
                    .toList();
            int port = freePort();
            haproxy = haproxy(scratch.path(), port, servers);
            String socket = scratch.path().resolve("h.sock").toString();
            int exitCode;
            try (HttpTarget people = new HttpTarget(
                            new HttpTargetSettings("http://127.0.0.1:" + port + "/", Map.of(), List.of(), "", 30_000));
                    Workload workload = people.open(Share.WHOLE);
                    LoadRun traffic = LoadRun.start(
                            workload,
                            new RunSettings(new Load.Open(PER_SECOND), Share.WHOLE, 0, 3_600_000, 1_000_000, 7))) {
                exitCode = PagesPolicy.command(
                        kafka,
                        "rate",
                        "--target=shop/web-2",
                        "--squeeze",
                        "--haproxy=" + socket,
                        "--service=shop",
                        "--tier=page",
                        "--sla=p85<=1800ms",
                        "--raise=0.7",
                        "--warm-up=3s",
                        "--experiment=3s",
                        "--patience=30s");
                assertThat(traffic.result()).isNotDone();
            }
            assertThat(exitCode).isZero();
            try (TopicLog<Rating> log = new TopicLog<>(kafka, Topic.RATINGS, Codecs.RATING)) {
                assertThat(log.readOn()).singleElement().satisfies(SqueezeITCase::isTheRatingOfAServerWith57Percent);
            }
            assertAdmissionWasHeldAsItWas(kafka);
            HaproxyShare after = HaproxyShare.open(socket, "shop", "web-2");
            assertThat(after.firstShare()).isEqualTo(1.0 / 3);
        } finally {
            if (haproxy != null) {
                haproxy.destroy();
            }
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private static void isTheRatingOfAServerWith57Percent(Rating rating) {
        assertThat(rating.state()).as("%s", rating).isEqualTo(RatingState.FOUND);
        assertThat(rating.load()).isEqualTo(57);
        assertThat(rating.trials().stream().map(RatingTrial::load)).containsExactly(33L, 57L, 90L);
        assertThat(rating.trials().stream().map(RatingTrial::verdict))
                .containsExactly(TrialVerdict.PASSED, TrialVerdict.PASSED, TrialVerdict.FAILED);
        assertThat(rating.throughput()).isBetween(0.4 * PER_SECOND, 0.75 * PER_SECOND);
    }
}
