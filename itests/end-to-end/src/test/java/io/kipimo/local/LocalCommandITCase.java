package io.kipimo.local;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.Main;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LocalCommandITCase {
    private static final String QUERY = "4bf92f3577b34da6a3ce929d0e0e4736";

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandLine command = Main.commandLine(new LocalCommands(stopped))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err));

    @Test
    void measuresTheServiceOfAPolicyUntilItIsStopped(@TempDir Path directory) throws Exception {
        Path policy = directory.resolve("shop.yaml");
        Files.writeString(policy, """
                service: shop
                metrics: [tpr@2]
                expiration_window_millis: 2000
                classes:
                  - {name: all, priority: 0, objective: 0.9}
                """);
        CompletableFuture<Integer> exit = start(policy);
        JsonNode addresses = new ObjectMapper().readTree(out.toString());
        KafkaSettings kafka = kafka(addresses);

        emitAQuery(kafka);

        List<Measurement> measured = new ArrayList<>();
        Awaitility.await().atMost(PATIENCE).until(() -> {
            measured.clear();
            TopicReader.read(kafka, Topic.QUALITY, 0, Codecs.MEASUREMENT, measured::add);
            return !measured.isEmpty();
        });
        assertThat(measured).hasSize(1);
        assertThat(measured.get(0).queryId()).isEqualTo(QUERY);
        assertThat(measured.get(0).scores().get(0).low()).isEqualTo(0.5);
        assertThat(status(addresses.get("console").textValue())).isEqualTo(200);
        assertThat(status(addresses.get("flink").textValue())).isEqualTo(200);

        stopped.countDown();

        assertThat(exit.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isZero();
    }

    private CompletableFuture<Integer> start(Path policy) {
        CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(
                () -> command.execute("local", "--policy", policy.toString(), "--broker-port=0", "--port=0", "--json"));
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> exit.isDone() || out.toString().contains("}"));
        assertThat(exit).as("%s", err).isNotDone();
        return exit;
    }

    private static KafkaSettings kafka(JsonNode addresses) {
        return new KafkaSettings(addresses.get("bootstrap-servers").textValue(), Topic.DEFAULT_PREFIX, Map.of());
    }

    /** Nothing shows a reason to shed, neither at the start nor once it is measured; in real time. */
    @Tag("full")
    @Test
    void aPerfectServiceIsNeverShed(@TempDir Path directory) throws Exception {
        Path policy = directory.resolve("shop.yaml");
        Files.writeString(policy, """
                service: shop
                metrics: [tpr@2]
                expiration_window_millis: 2000
                admission: {shadow: false}
                classes:
                  - {name: high, priority: 0, objective: 0.95}
                  - {name: low, priority: 1, objective: 0.8, safe_fraction: 0.5, floor: 0.05}
                """);
        CompletableFuture<Integer> exit = start(policy);
        KafkaSettings kafka = kafka(new ObjectMapper().readTree(out.toString()));

        List<Decision> decisions = new ArrayList<>();
        try (PerfectService service = new PerfectService(kafka)) {
            Awaitility.await().atMost(PATIENCE.multipliedBy(2)).untilAsserted(() -> {
                decisions.clear();
                TopicReader.read(kafka, Topic.ADMISSION, 0, Codecs.DECISION, decisions::add);
                decisions.removeIf(d -> !d.scope().equals("shop/low"));
                assertThat(decisions)
                        .filteredOn(decision -> decision.samples() > 0)
                        .as("a minute of steps")
                        .hasSizeGreaterThanOrEqualTo(12);
            });
            assertThat(service.rejected()).isZero();
        } finally {
            decisions.forEach(LocalCommandITCase::print);
        }
        assertThat(decisions).extracting(Decision::value).containsOnly(1.0);

        stopped.countDown();
        assertThat(exit.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isZero();
    }

    private static void print(Decision decision) {
        System.out.printf(
                "%tT %s %.2f, %d samples, quality %.3f to %.3f: %s%n",
                decision.issuedAtMillis(),
                decision.scope(),
                decision.value(),
                decision.samples(),
                decision.low(),
                decision.high(),
                decision.reason());
    }

    /** 20 queries of each class a second; all components are in time, always. */
    private static final class PerfectService implements AutoCloseable {
        private final Kipimo kipimo;
        private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        private final AtomicInteger rejected = new AtomicInteger();

        PerfectService(KafkaSettings kafka) {
            kipimo = Kipimo.connect(KipimoConfig.builder("shop", "front-1", kafka)
                    .queryClass("high", ClassDefaults.ALL)
                    .queryClass("low", ClassDefaults.sheddable(0.05))
                    .initialSamplingRate(1)
                    .build());
            var unused = thread.scheduleAtFixedRate(
                    () -> List.of("high", "low").forEach(this::query), 0, 50, TimeUnit.MILLISECONDS);
        }

        int rejected() {
            return rejected.get();
        }

        private void query(String queryClass) {
            String id = UUID.randomUUID().toString();
            kipimo.meter().offered(queryClass);
            if (!kipimo.admission().admits(queryClass, id)) {
                rejected.incrementAndGet();
                kipimo.meter().rejected(queryClass);
                return;
            }
            List<Invocation> invocations = List.of(
                    new Invocation("titles", Outcome.IN_TIME, 9_000), new Invocation("texts", Outcome.IN_TIME, 12_000));
            kipimo.meter().answered(queryClass, invocations);
            if (kipimo.emitter().isSampled(id)) {
                long now = System.currentTimeMillis();
                kipimo.emitter()
                        .emit(AnswerBuilder.builder()
                                .service("shop")
                                .queryId(id)
                                .queryClass(queryClass)
                                .kind(AnswerKind.ONLINE)
                                .startedAtMillis(now - 13)
                                .answeredAtMillis(now)
                                .deadlineMillis(50)
                                .topK(2)
                                .invocations(invocations)
                                .build());
            }
        }

        @Override
        public void close() {
            thread.shutdownNow();
            kipimo.close();
        }
    }

    @Test
    void anOccupiedPortIsToldBeforeAnythingStarts() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(command.execute("local", "--broker-port=" + other.getLocalPort()))
                    .isEqualTo(2);

            assertThat(err.toString())
                    .startsWith("kipimo: --broker-port is %d, which is in use; allowed: a free port, or 0 for any"
                            .formatted(other.getLocalPort()));
        }
    }

    @Test
    void aWrongPolicyIsToldBeforeAnythingStarts(@TempDir Path directory) throws IOException {
        Path policy = directory.resolve("shop.yaml");
        Files.writeString(policy, "service: shop\nmetrics: [tpr@0]\nclasses: []\n");

        assertThat(command.execute("local", "--broker-port=0", "--policy", policy.toString()))
                .isEqualTo(2);

        assertThat(err.toString()).contains("shop.yaml: metrics: ");
        assertThat(out.toString()).isEmpty();
    }

    /** One component is in time, the other one, with the better half of the answer, is late. */
    private static void emitAQuery(KafkaSettings kafka) {
        KipimoConfig config = KipimoConfig.builder("shop", "front-1", kafka)
                .queryClass("all", ClassDefaults.ALL)
                .initialSamplingRate(1)
                .build();
        long start = System.currentTimeMillis();
        List<Invocation> invocations = List.of(
                new Invocation("titles", Outcome.IN_TIME, 9_000), new Invocation("texts", Outcome.TIMED_OUT, 50_000));
        try (Kipimo kipimo = Kipimo.connect(config)) {
            kipimo.emitter()
                    .emit(AnswerBuilder.builder()
                            .service("shop")
                            .queryId(QUERY)
                            .queryClass("all")
                            .kind(AnswerKind.ONLINE)
                            .startedAtMillis(start)
                            .answeredAtMillis(start + 50)
                            .deadlineMillis(50)
                            .topK(2)
                            .invocations(invocations)
                            .build());
            kipimo.emitter().emit(result("titles", Phase.ONLINE, start, 9, "a", 2));
            kipimo.emitter().emit(result("texts", Phase.MATURE, start, 80, "b", 3));
        }
    }

    private static PartialResult result(
            String component, Phase phase, long start, int millis, String item, float score) {
        return PartialResultBuilder.builder()
                .service("shop")
                .queryId(QUERY)
                .component(component)
                .server("")
                .phase(phase)
                .completedAtMillis(start + millis)
                .latencyMicros(millis * 1_000L)
                .items(Items.ofTexts(new String[] {item, item + "2"}, new float[] {score, 1}))
                .startedAtMillis(start)
                .build();
    }

    private static int status(String address) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
