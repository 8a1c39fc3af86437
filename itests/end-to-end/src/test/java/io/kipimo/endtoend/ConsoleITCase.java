package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.advice.HttpGates;
import io.kipimo.console.Console;
import io.kipimo.console.feed.ModelFeeder;
import io.kipimo.console.server.ServerSettings;
import io.kipimo.embedded.kafka.EmbeddedKafka;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.ComponentAttribution;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The console with a real broker: it shows what is written, through failures of the broker. */
class ConsoleITCase {
    private static final String TOKEN = "a-token-of-this-test";
    private static final ObjectMapper JSON = new ObjectMapper();

    private static EmbeddedKafka broker;
    private static int consoles;

    private final HttpClient client = HttpClient.newHttpClient();
    private final KafkaSettings kafka =
            new KafkaSettings(broker.bootstrapServers(), "console-" + ++consoles + '.', Map.of());
    private Console console;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedKafka.start();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @AfterEach
    void stop() {
        if (console != null) {
            console.close();
        }
    }

    private void startConsole(Optional<String> token) throws Exception {
        console = Console.start(
                kafka,
                Duration.ofHours(1),
                new ServerSettings(ServerSettings.LOOPBACK, 0, token),
                new HttpGates(kafka),
                Optional.empty());
    }

    @Test
    void whatIsWrittenIsShownAndPoisonIsCounted() throws Exception {
        // The topics are created after the console starts.
        startConsole(Optional.empty());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, policy("search"));
        long now = System.currentTimeMillis();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (Topic topic : Topic.values()) {
                send(producer, topic, new byte[] {1, 2, 3, 4, 5});
            }
            for (int i = 10; i >= 0; i--) {
                send(producer, window("search", "high", now - 2_000L * i, 0.84));
            }
            send(producer, queries("search", "high", now - 1_000));
            send(producer, Topic.ADMISSION, Codecs.DECISION.encode(decision("search/low", 1, now)));
        }
        await().atMost(PATIENCE).untilAsserted(() -> {
            JsonNode search = get("api/services/search");
            JsonNode high = search.at("/classes/0");
            assertThat(high.path("status").asText()).isEqualTo("wrong");
            assertThat(high.path("statusReason").asText())
                    .contains("below its objective", "shard-2 costs most")
                    .contains("Kipimo cut low from 60 % to 45 %");
            assertThat(high.at("/history/mean")).hasSize(11);
            assertThat(search.at("/classes/1/admission/value").asDouble()).isEqualTo(0.45);
        });
        // One record in each of the topics that the console follows.
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(
                        get("api/state").at("/health/unreadable").asInt())
                .isEqualTo(ModelFeeder.topics().size()));
        JsonNode state = get("api/state");
        assertThat(state.at("/health/caughtUp").asBoolean()).isTrue();
        assertThat(state.path("writable").asBoolean()).isFalse();
    }

    /** One rule; three readers. */
    @Test
    void consoleStatusAndMetricsAgreeOnEachClass() throws Exception {
        assertThat(agreedClasses()).isNotEmpty();
    }

    /** The state of each class, by service and class; of all states. */
    private Map<String, String> agreedClasses() throws Exception {
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        for (String service : List.of("fine", "around", "blind")) {
            PolicyStore.publish(kafka, policy(service));
        }
        startConsole(Optional.empty());
        long now = System.currentTimeMillis();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            send(producer, window("fine", "high", now, 0.95));
            send(producer, window("around", "high", now, 0.9));
            send(producer, window("around", "low", now, 0.5));
            send(producer, window("blind", "low", now, 0.95));
            send(producer, queries("blind", "high", now + 30_000));
            send(producer, queries("blind", "low", now + 30_000));
            Decision ended = DecisionBuilder.builder(decision("blind/low", 1, now - 120_000))
                    .validUntilMillis(now - 60_000)
                    .build();
            send(producer, Topic.ADMISSION, Codecs.DECISION.encode(ended));
        }
        Map<String, String> expected = Map.of(
                "fine/high", "FINE",
                "fine/low", "IDLE",
                "around/high", "UNCERTAIN",
                "around/low", "BELOW",
                "blind/high", "UNKNOWN",
                "blind/low", "WRONG");
        Map<String, String> labels = Map.of(
                "FINE", "fine",
                "IDLE", "idle",
                "UNCERTAIN", "uncertain",
                "BELOW", "wrong",
                "UNKNOWN", "unknown",
                "WRONG", "wrong");
        await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            CommandLineRun run = status();
            Map<String, String> states = new HashMap<>();
            JSON.readTree(run.out())
                    .forEach(line -> states.put(
                            line.path("service").asText()
                                    + '/'
                                    + line.path("class").asText(),
                            line.path("state").asText()));
            assertThat(states).isEqualTo(expected);
            assertThat(run.exitCode()).isEqualTo(1);
            Map<String, String> wanted = new HashMap<>(expected);
            wanted.replaceAll((scope, state) -> labels.get(state));
            assertConsoleAndMetricsShow(wanted);
        });
        return expected;
    }

    @Tag("full")
    @Test
    void consoleStatusAndMetricsAgreeAlsoWithoutKafka() throws Exception {
        Map<String, String> expected = agreedClasses();

        broker.stop();
        try {
            CommandLineRun run = status();
            assertThat(run.exitCode()).as("not known").isEqualTo(3);
            assertThat(run.err()).contains(kafka.bootstrapServers());
            Map<String, String> unknown = new HashMap<>(expected);
            unknown.replaceAll((scope, state) -> "unknown");
            await().atMost(PATIENCE).untilAsserted(() -> assertConsoleAndMetricsShow(unknown));
            assertThat(metrics()).contains("kipimo_console_broker_connected 0\n");
        } finally {
            broker.restart();
        }
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            send(producer, window("fine", "high", System.currentTimeMillis(), 0.95));
        }
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(shown()).containsEntry("fine/high", "fine"));
    }

    private CommandLineRun status() {
        return CommandLineRun.of(List.of(
                "status",
                "--json",
                "--bootstrap-servers=" + kafka.bootstrapServers(),
                "--topic-prefix=" + kafka.topicPrefix()));
    }

    /** Status of each class in the console, by service and class. */
    private Map<String, String> shown() throws Exception {
        Map<String, String> shown = new HashMap<>();
        for (JsonNode service : get("api/state").path("services")) {
            for (JsonNode c : service.path("classes")) {
                shown.put(
                        service.path("name").asText() + '/' + c.path("name").asText(),
                        c.path("status").asText());
            }
        }
        return shown;
    }

    private String metrics() throws Exception {
        return new String(body("metrics", false), StandardCharsets.UTF_8);
    }

    private void assertConsoleAndMetricsShow(Map<String, String> wanted) throws Exception {
        assertThat(shown()).isEqualTo(wanted);
        String metrics = metrics();
        for (String label : List.of("fine", "idle", "uncertain", "wrong", "unknown")) {
            assertThat(metrics)
                    .contains("kipimo_console_classes{status=\""
                            + label
                            + "\"} "
                            + Collections.frequency(wanted.values(), label)
                            + "\n");
        }
    }

    @Test
    void releasesAreJudgedForArgoAndFlagger() throws Exception {
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, policy("search"));
        startConsole(Optional.of(TOKEN));
        String gate = "api/v1/gate?service=search&class=high";
        assertThat(get(gate).path("verdict").asText()).isEqualTo("NOT-ENOUGH");
        assertThat(get("api/v1/gate?service=search&since=5x").path("error").asText())
                .isEqualTo("since is '5x'; allowed: 45s, 30m, 2h, 1d");
        assertThat(get("api/v1/gate?service=nobody").path("error").asText())
                .isEqualTo("there is no policy for service 'nobody'");
        assertThat(get("api/v1/gate?service=search").path("error").asText())
                .startsWith("there are several classes; choose one by service and class");
        String webhook = "{\"name\":\"search\",\"phase\":\"Progressing\",\"metadata\":"
                + "{\"service\":\"search\",\"class\":\"high\",\"objective\":\"%s\"}}";
        assertThat(post("api/v1/flagger", webhook.formatted("0.9"), TOKEN).statusCode())
                .as("too little is known")
                .isEqualTo(412);

        long now = System.currentTimeMillis();
        for (int i = 1; i <= 5; i++) {
            write(window("search", "high", now - 10_000L * i, 0.9).toBuilder()
                    .kind(WindowKind.BATCH)
                    .startMillis(now - 10_000L * (i + 1))
                    .plainMean(0.96)
                    .build());
        }
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(get(gate).path("verdict").asText()).isEqualTo("PASS"));
        JsonNode strict = get(gate + "&objective=0.99");
        assertThat(strict.path("verdict").asText()).isEqualTo("FAIL");
        assertThat(strict.at("/lostBy/shard-2").asDouble()).isEqualTo(0.9);
        assertThat(post("api/v1/flagger", webhook.formatted("0.9"), TOKEN).statusCode())
                .isEqualTo(200);
        HttpResponse<String> halted = post("api/v1/flagger", webhook.formatted("0.99"), TOKEN);
        assertThat(halted.statusCode()).isEqualTo(412);
        assertThat(JSON.readTree(halted.body()).path("verdict").asText()).isEqualTo("FAIL");
    }

    @Test
    void pushesWhatComesAndSurvivesTheBroker() throws Exception {
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, policy("search"));
        startConsole(Optional.empty());
        try (BufferedReader lines = events()) {
            awaitEvent(lines, "/services/0/name", "search");
            write(window("search", "high", System.currentTimeMillis(), 0.95));
            awaitEvent(lines, "/services/0/classes/0/now/mean", "0.95");

            broker.stop();
            awaitEvent(lines, "/health/broker", "away");
            broker.restart();
            awaitEvent(lines, "/health/broker", "connected");
            write(window("search", "high", System.currentTimeMillis(), 0.97));
            awaitEvent(lines, "/services/0/classes/0/now/mean", "0.97");
        }
        assertThat(get("api/services/search").at("/classes/0/history/mean")).hasSize(2);
    }

    /** Returns when an event contains the text; else the test times out. */
    private static void awaitEvent(BufferedReader lines, String where, String what) throws Exception {
        String seen = "";
        while (!seen.equals(what)) {
            String line = lines.readLine();
            if (line.startsWith("data: ")) {
                seen = JSON.readTree(line.substring(6)).at(where).asText();
            }
        }
    }

    @Test
    void aPersonsWordBecomesPolicyWithTheTokenOnly() throws Exception {
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, policy("search"));
        startConsole(Optional.of(TOKEN));
        String path = "api/services/search/classes/low/override";
        String wish = "{\"fraction\":0.5,\"forMillis\":60000,\"by\":\"ann\",\"reason\":\"sale\"}";

        assertThat(post(path, wish, "not-the-token-at-all").statusCode()).isEqualTo(401);
        assertThat(PolicyStore.readAll(kafka).get("search").version()).isEqualTo(1);

        HttpResponse<String> answer = post(path, wish, TOKEN);
        assertThat(answer.body()).isEqualTo("{\"version\":2}");
        ManualOverride override = PolicyStore.readAll(kafka)
                .get("search")
                .classPolicy("low")
                .orElseThrow()
                .override()
                .orElseThrow();
        assertThat(override.fraction()).isEqualTo(0.5);
        assertThat(override.by()).isEqualTo("ann");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(get("api/services/search")
                        .at("/classes/1/override/reason")
                        .asText())
                .isEqualTo("sale"));

        assertThat(post("api/services/search/kill", "{\"on\":true,\"by\":\"ann\",\"reason\":\"drill\"}", TOKEN)
                        .statusCode())
                .isEqualTo(200);
        assertThat(PolicyStore.readAll(kafka).get("search").killSwitch()).isTrue();
        assertThat(post(path.replace("low", "middle"), wish, TOKEN).statusCode())
                .isEqualTo(404);
        assertThat(post(path.replace("search", "nobody"), wish, TOKEN).body())
                .isEqualTo("{\"error\":\"no policy of service 'nobody'\"}");
    }

    @Test
    void peopleWhoChangeOnePolicyAtOnceLoseNothing() throws Exception {
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, policy("search"));
        ExecutorService people = Executors.newFixedThreadPool(3);
        try {
            List<Future<Policy>> changes = new ArrayList<>();
            for (String name : List.of("high", "middle", "low")) {
                ManualOverride word = new ManualOverride(0.5, 0, name, "at once");
                changes.add(people.submit(() -> PolicyStore.change(
                        kafka, "search", stored -> stored.orElseThrow().withOverride(name, Optional.of(word)))));
            }
            changes.add(people.submit(() -> PolicyStore.change(
                    kafka, "search", stored -> stored.orElseThrow().withKillSwitch(true))));
            for (Future<Policy> change : changes) {
                change.get(60, TimeUnit.SECONDS);
            }
        } finally {
            people.shutdownNow();
        }
        Policy policy = PolicyStore.readAll(kafka).get("search");
        assertThat(policy.killSwitch()).isTrue();
        assertThat(policy.classPolicy("high").orElseThrow().override()).isPresent();
        assertThat(policy.classPolicy("low").orElseThrow().override()).isPresent();
    }

    /** Prints figures without assertions, since the machine may be busy. */
    @Tag("full")
    @Test
    void twoHundredServicesAreOneSummary() throws Exception {
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        long now = System.currentTimeMillis();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (int s = 0; s < 200; s++) {
                String service = "service-" + s;
                send(producer, Topic.POLICIES, Codecs.POLICY.encode(policy(service)));
                for (String queryClass : List.of("high", "middle", "low")) {
                    for (int i = 59; i >= 0; i--) {
                        send(producer, window(service, queryClass, now - 10_000L * i, 0.95));
                    }
                    send(producer, queries(service, queryClass, now - 1_000));
                    send(
                            producer,
                            Topic.ADMISSION,
                            Codecs.DECISION.encode(decision(service + "/" + queryClass, 1, now)));
                }
            }
        }
        startConsole(Optional.empty());
        await().atMost(PATIENCE).untilAsserted(() -> {
            JsonNode summary = get("api/summary");
            assertThat(summary.at("/health/caughtUp").asBoolean()).isTrue();
            assertThat(summary.path("services")).hasSize(200);
        });
        int bytes = body("api/summary", false).length;
        int zipped = body("api/summary", true).length;
        int all = body("api/state", false).length;
        System.out.printf(
                "console, 200 services of 3 classes: summary %,d bytes, %,d compressed; state %,d" + " bytes%n",
                bytes, zipped, all);
        assertThat(zipped).isLessThan(bytes / 4);
    }

    private BufferedReader events() throws Exception {
        InputStream body = client.send(request("api/events").build(), BodyHandlers.ofInputStream())
                .body();
        return new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    private JsonNode get(String path) throws Exception {
        return JSON.readTree(body(path, false));
    }

    private byte[] body(String path, boolean zipped) throws Exception {
        HttpRequest.Builder request = request(path);
        if (zipped) {
            request.header("Accept-Encoding", "gzip");
        }
        return client.send(request.build(), BodyHandlers.ofByteArray()).body();
    }

    private HttpResponse<String> post(String path, String body, String token) throws Exception {
        return client.send(
                request(path)
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(console.address() + path));
    }

    private KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private void write(QualityWindow window) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            send(producer, window);
        }
    }

    private void send(KafkaProducer<byte[], byte[]> producer, QualityWindow window) {
        send(producer, Topic.QUALITY_WINDOWS, Codecs.QUALITY_WINDOW.encode(window));
    }

    private void send(KafkaProducer<byte[], byte[]> producer, Observation observation) {
        send(producer, Topic.OBSERVATIONS, Codecs.OBSERVATION.encode(observation));
    }

    private void send(KafkaProducer<byte[], byte[]> producer, Topic topic, byte[] value) {
        var unused =
                producer.send(new ProducerRecord<>(kafka.name(topic), "any".getBytes(StandardCharsets.UTF_8), value));
    }

    private static Policy policy(String service) {
        return Policy.builder()
                .service(service)
                .version(1)
                .metrics(List.of("tpr@10"))
                .topK(10)
                .classes(List.of(
                        ClassPolicy.builder()
                                .name("high")
                                .priority(0)
                                .objective(0.9)
                                .floor(1)
                                .build(),
                        ClassPolicy.builder()
                                .name("low")
                                .priority(1)
                                .objective(0.8)
                                .safeFraction(0.5)
                                .build()))
                .build();
    }

    private static QualityWindow window(String service, String queryClass, long endMillis, double mean) {
        return QualityWindow.builder()
                .service(service)
                .queryClass(queryClass)
                .metric("tpr@10")
                .kind(WindowKind.SLIDING)
                .startMillis(endMillis - 60_000)
                .endMillis(endMillis)
                .offered(6_000)
                .rejected(600)
                .answered(5_400)
                .timedOut(1_080)
                .samples(100)
                .degradedSamples(20)
                .estimate(Optional.of(new Estimate(mean - 0.01, mean, Math.min(1, mean + 0.01))))
                .plainMean(0.9)
                .standardDeviation(0.1)
                .p5(0.5)
                .p50(1)
                .minimum(0.2)
                .belowObjective(0.2)
                .objective(0.9)
                .components(List.of(
                        new ComponentAttribution("shard-1", 5_400, 108, 1),
                        new ComponentAttribution("shard-2", 5_400, 972, 9)))
                .maturePer100Queries(2)
                .build();
    }

    private static Observation queries(String service, String queryClass, long secondMillis) {
        return ObservationBuilder.builder()
                .service(service)
                .tier("front")
                .server("front-1")
                .queryClass(queryClass)
                .secondMillis(secondMillis)
                .offered(100)
                .rejected(10)
                .answered(90)
                .timedOut(18)
                .bill(MeasurementBill.NOTHING)
                .admittedFraction(1)
                .build();
    }

    private static Decision decision(String scope, long sequence, long issuedAtMillis) {
        return DecisionBuilder.builder()
                .controller(Decision.ADMISSION)
                .scope(scope)
                .epoch(1)
                .sequence(sequence)
                .issuedAtMillis(issuedAtMillis)
                .asOfMillis(issuedAtMillis)
                .validUntilMillis(issuedAtMillis + 60_000)
                .value(0.45)
                .previous(0.6)
                .samples(100)
                .mode(DecisionMode.ACTIVE)
                .reason("SHUT")
                .configVersion(1)
                .measured(0.84)
                .low(0.83)
                .high(0.85)
                .objective(0.9)
                .build();
    }
}
