package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.labs.demos.enforcement.EnforcementKind;
import io.kipimo.labs.demos.enforcement.EnforcementPoint;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each enforcement point of {@code demo --through}, in the real program, admits the decided fraction of the low class.
 */
@WithBackends
class EnforcementITCase {
    private static final int QUERIES = 500;

    private final AtomicInteger served = new AtomicInteger();
    private final HttpClient http = HttpClient.newHttpClient();
    private final Random random = new Random(7);

    private HttpServer server() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.createContext("/", exchange -> {
            served.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static void decide(
            KafkaProducer<byte[], byte[]> producer, KafkaSettings kafka, String scope, long sequence, double fraction) {
        long now = System.currentTimeMillis();
        Decision decision = DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope(scope)
                .epoch(1)
                .sequence(sequence)
                .issuedAtMillis(now)
                .asOfMillis(now)
                .validUntilMillis(now + 3_600_000)
                .value(fraction)
                .previous(1)
                .mode(DecisionMode.ACTIVE)
                .reason("SHUT")
                .build();
        var unused = producer.send(new ProducerRecord<>(
                kafka.name(Topic.ADMISSION), scope.getBytes(StandardCharsets.UTF_8), Codecs.DECISION.encode(decision)));
        producer.flush();
    }

    private static void awaitAdmitted(EnforcementPoint door, double fraction) {
        await("it applies " + fraction).atMost(PATIENCE).until(() -> Math.abs(door.admitted() - fraction) < 1e-5);
    }

    /** Share of the queries that were admitted. */
    private double ask(EnforcementPoint door, int queries) throws Exception {
        int admitted = 0;
        for (int i = 0; i < queries; i++) {
            int status = http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + door.port() + "/search"))
                                    .header(
                                            "traceparent",
                                            "00-%016x%016x-00f067aa0ba902b7-02"
                                                    .formatted(random.nextLong(), random.nextLong()))
                                    .build(),
                            BodyHandlers.discarding())
                    .statusCode();
            assertThat(status).isIn(200, 429);
            admitted += status == 200 ? 1 : 0;
        }
        return (double) admitted / queries;
    }

    @Test
    void theGatewayAdmitsWhatIsDecided(Backends backends, @TempDir Path directory) throws Exception {
        assertAdmitsWhatIsDecided(EnforcementKind.GATEWAY, backends, directory);
    }

    /** Their adapters have tests of their own. */
    @Tag("full")
    @ParameterizedTest
    @EnumSource(
            value = EnforcementKind.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"SDK", "GATEWAY"})
    void othersDo(EnforcementKind through, Backends backends, @TempDir Path directory) throws Exception {
        assertAdmitsWhatIsDecided(through, backends, directory);
    }

    private void assertAdmitsWhatIsDecided(EnforcementKind through, Backends backends, Path directory)
            throws Exception {
        assumeTrue(through.isInstalled(), through.label() + " is not installed");
        String service = "behind-" + through.label();
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "door.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        HttpServer server = server();
        int port = server.getAddress().getPort();
        try (KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer());
                EnforcementPoint door = EnforcementPoint.open(
                        through,
                        new EnforcementPoint.Guarded(
                                kafka, service, "low", 0.01, new TreeMap<>(Map.of("one", port, "two", port))),
                        directory)) {
            decide(producer, kafka, service + "/low", 1, 0.3);
            awaitAdmitted(door, 0.3);
            // Five standard deviations of a random choice; a hash deviates no more.
            assertThat(ask(door, QUERIES)).isEqualTo(0.3, within(0.1));

            decide(producer, kafka, service + "/low", 2, 1);
            awaitAdmitted(door, 1);
            int before = served.get();
            assertThat(ask(door, 50)).isEqualTo(1);
            assertThat(served.get() - before).isEqualTo(50);
        } finally {
            server.stop(0);
        }
    }
}
