package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.core.admission.HashAdmission;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The RAG example of {@code clients/python}, installed from its wheel, measured by the quality job. The example samples
 * the same queries as Java does. Each measured quality equals the one computed from the service's answers with and
 * without its deadline. Skipped where python3 or the package registry is missing. The installation takes a minute or
 * two, so only {@code -Pfull} runs it. {@code -Dkipimo.python=…} names an interpreter that has all packages.
 */
@Tag("full")
@WithBackends
class RagClientITCase {
    private static final Path CLIENT =
            Path.of("../../clients/python").toAbsolutePath().normalize();
    private static final String SERVICE = "rag";
    private static final double RATE = 0.2;
    private static final int QUERIES = 200;
    private static final int TOP_K = 10;
    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final double FRACTION = 0.5;
    private static final int SHEDDABLE = 100;

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The service's answer, and its answer without a deadline. */
    private record Asked(List<Long> items, List<Long> exact, boolean degraded) {
        double quality() {
            Set<Long> common = new HashSet<>(items);
            common.retainAll(exact);
            return (double) common.size() / Math.min(TOP_K, exact.size());
        }
    }

    private static Policy policy() {
        return Policy.builder()
                .service(SERVICE)
                .version(1)
                .metrics(List.of("tpr@" + TOP_K))
                .merge(new MergePolicy(MergeKind.REPLAYED_ANSWERS, List.of(), Map.of()))
                .topK(TOP_K)
                .expirationWindowMillis(WINDOW.toMillis())
                .windowMillis(1_000)
                .slideMillis(1_000)
                .classes(List.of(
                        new ClassPolicy("high", 0, 0.9, 1, 1, 1, Optional.empty(), 0),
                        new ClassPolicy("low", 1, 0.9, 1, 0.02, 1, Optional.empty(), 0)))
                .build();
    }

    private static HttpResponse<String> get(int port, String path, String text, String traceId) throws Exception {
        return HTTP.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                + port
                                + path
                                + "q="
                                + URLEncoder.encode(text, StandardCharsets.UTF_8)))
                        .header("traceparent", "00-" + traceId + "-00f067aa0ba902b7-00")
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static List<Long> items(JsonNode answer) {
        List<Long> items = new ArrayList<>();
        answer.path("items").forEach(i -> items.add(i.asLong()));
        return items;
    }

    private static String traceId(Random random) {
        return "%016x%016x".formatted(random.nextLong(), random.nextLong());
    }

    private static Map<String, Asked> ask(int port) throws Exception {
        Random random = new Random(7);
        List<String> words = List.of("read", "zip", "file", "socket", "thread", "parse", "json", "queue", "date");
        Map<String, Asked> asked = new HashMap<>();
        for (int i = 0; i < QUERIES; i++) {
            String id = traceId(random);
            String text = words.get(random.nextInt(words.size())) + ' ' + words.get(random.nextInt(words.size()));
            JsonNode answer = JSON.readTree(get(port, "/search?", text, id).body());
            JsonNode exact = JSON.readTree(get(port, "/exact?", text, id).body());
            asked.put(
                    id,
                    new Asked(
                            items(answer), items(exact), !answer.path("missing").isEmpty()));
        }
        return asked;
    }

    private static int port(Process service, Path log) {
        await("the service listens").atMost(PATIENCE).until(() -> {
            assertThat(service.isAlive()).as(Files.readString(log)).isTrue();
            return Files.readString(log).contains("listening on ");
        });
        try {
            return Integer.parseInt(
                    Files.readString(log).split("listening on ")[1].split("\\R")[0]);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void thePythonServiceIsMeasuredAsJavaComputesIt(Backends backends, @TempDir Path directory, FlinkCluster cluster)
            throws Exception {
        String python = Python.with(RagClientITCase.class, "kipimo.python", directory, CLIENT + "[rag]");
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "rag.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, policy());
        Path log = directory.resolve("service.log");
        Process service = new ProcessBuilder(
                        python,
                        CLIENT.resolve("examples/rag/service.py").toString(),
                        "--bootstrap-servers=" + kafka.bootstrapServers(),
                        "--topic-prefix=" + kafka.topicPrefix(),
                        "--sampling-rate=" + RATE,
                        "--deadline-millis=600",
                        "--late=dense=2:0.4",
                        "--late=bm25=2:0.2",
                        "--port=0")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try (TopicLog<Measurement> measured = new TopicLog<>(kafka, Topic.QUALITY, Codecs.MEASUREMENT)) {
            QualityJobs.start(cluster, kafka, 1, Map.of());
            int port = port(service, log);
            Map<String, Asked> asked = ask(port);
            Set<String> sampled = new HashSet<>(asked.keySet());
            sampled.removeIf(id -> !ConsistentSampling.isSampled(id, RATE));

            await("all sampled queries are measured")
                    .atMost(PATIENCE)
                    .until(() -> measured.readOn().size() >= sampled.size());
            assertThat(measured.read()).extracting(Measurement::queryId).containsExactlyInAnyOrderElementsOf(sampled);
            int degraded = 0;
            for (Measurement row : measured.read()) {
                Asked query = asked.get(row.queryId());
                assertThat(row.completeness()).as("%s", row).isEqualTo(Completeness.COMPLETE);
                assertThat(row.degraded()).isEqualTo(query.degraded);
                assertThat(row.scores().get(0).low()).as("%s", row).isCloseTo(query.quality(), within(1e-9));
                degraded += query.degraded ? 1 : 0;
            }
            assertThat(degraded).isBetween(1, sampled.size() - 1);
            assertThat(measured.read()).anyMatch(row -> row.scores().get(0).low() < 1);

            assertSheddingIsJavas(kafka, port);
            assertThat(CommandLineRun.of(List.of(
                            "conform",
                            "--bootstrap-servers=" + kafka.bootstrapServers(),
                            "--topic-prefix=" + kafka.topicPrefix(),
                            "--from-beginning",
                            "--rate=" + RATE)))
                    .matches(run -> run.exitCode() == 0);
        } finally {
            service.destroy();
        }
    }

    private static void assertSheddingIsJavas(KafkaSettings kafka, int port) throws Exception {
        long now = System.currentTimeMillis();
        Decision decision = DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope(SERVICE + "/low")
                .epoch(1)
                .sequence(1)
                .issuedAtMillis(now)
                .asOfMillis(now)
                .validUntilMillis(now + 120_000)
                .value(FRACTION)
                .previous(1)
                .mode(DecisionMode.ACTIVE)
                .reason("SHUT")
                .build();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            kafka.name(Topic.ADMISSION),
                            decision.scope().getBytes(StandardCharsets.UTF_8),
                            Codecs.DECISION.encode(decision)))
                    .get();
        }
        // The decision is taken within a second, and the fraction moves by 0.5 a second.
        TimeUnit.SECONDS.sleep(4);
        Random random = new Random(11);
        for (int i = 0; i < SHEDDABLE; i++) {
            String id = traceId(random);
            boolean admitted = HashAdmission.admits(id, FRACTION, System.currentTimeMillis());
            int status = get(port, "/search?class=low&", "zip file", id).statusCode();
            assertThat(status).as(id).isEqualTo(admitted ? 200 : 429);
        }
    }
}
