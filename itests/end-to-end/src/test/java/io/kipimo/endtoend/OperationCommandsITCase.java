package io.kipimo.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.operators.isolation.Isolation;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.observation.ComponentCount;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands for operators on a real broker. */
@WithBackends
class OperationCommandsITCase {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private static CommandLineRun kipimo(KafkaSettings kafka, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.add("--bootstrap-servers=" + kafka.bootstrapServers());
        all.add("--prefix=" + kafka.topicPrefix());
        return CommandLineRun.of(all);
    }

    private static <T> void publish(KafkaSettings kafka, Topic topic, Codec<T> codec, T record) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            kafka.name(topic), "shop".getBytes(StandardCharsets.UTF_8), codec.encode(record)))
                    .get();
        }
    }

    private static QualityWindow window(long endMillis, double mean) {
        return QualityWindow.builder()
                .service("search")
                .queryClass("high")
                .metric("tpr@20")
                .startMillis(endMillis - 60_000)
                .endMillis(endMillis)
                .offered(1_000)
                .answered(1_000)
                .timedOut(100)
                .samples(100)
                .degradedSamples(10)
                .estimate(Optional.of(new Estimate(mean - 0.01, mean, mean + 0.01)))
                .plainMean(mean)
                .standardDeviation(0.1)
                .p5(0.5)
                .p50(1)
                .minimum(0.5)
                .objective(0.9)
                .maturePer100Queries(10)
                .build();
    }

    private static Observation second(String service, long secondMillis) {
        return ObservationBuilder.builder()
                .service(service)
                .tier("front")
                .server("front-1")
                .queryClass("high")
                .secondMillis(secondMillis)
                .offered(100)
                .answered(100)
                .timedOut(10)
                .components(List.of(new ComponentCount("shard-1", 100, 10)))
                .bill(MeasurementBill.NOTHING)
                .admittedFraction(1)
                .build();
    }

    private static List<String> texts(CommandLineRun doctor, String level) throws Exception {
        List<String> texts = new ArrayList<>();
        for (JsonNode finding : JSON.readTree(doctor.out()).path("findings")) {
            if (finding.path("level").asText().equals(level)) {
                texts.add(finding.path("subject").asText() + ": "
                        + finding.path("text").asText());
            }
        }
        return texts;
    }

    @Test
    void aPolicyIsComparedAndTriedBeforeItIsSet(Backends backends) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "diff.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        String yaml = CommandLineRun.of(List.of("policy", "example")).out();
        String file = Files.writeString(directory.resolve("p.yaml"), yaml).toString();

        CommandLineRun tried = kipimo(kafka, "policy", "set", "--dry-run", file);
        assertThat(tried.exitCode()).as("%s", tried).isZero();
        assertThat(tried.out()).startsWith("policy of search, not stored yet:\n  + ");
        assertThat(PolicyStore.readAll(kafka)).as("nothing is stored").isEmpty();

        assertThat(kipimo(kafka, "policy", "set", file).exitCode()).isZero();
        CommandLineRun same = kipimo(kafka, "policy", "diff", file);
        assertThat(same.exitCode()).isZero();
        assertThat(same.out()).isEqualTo("policy of search, stored version 1: no difference\n");

        kipimo(kafka, "policy", "kill", "search");
        Files.writeString(Path.of(file), yaml.replace("top_k: 20", "top_k: 10"));
        CommandLineRun other = kipimo(kafka, "policy", "diff", file);
        assertThat(other.exitCode()).isEqualTo(1);
        assertThat(other.out())
                .as("the kill switch stays")
                .isEqualTo("policy of search, stored version 2:\n  ~ top_k: 20 -> 10\n");
        JsonNode json =
                JSON.readTree(kipimo(kafka, "policy", "diff", file, "--json").out());
        assertThat(json.at("/differences/0/after").asText()).isEqualTo("10");
        assertThat(PolicyStore.readAll(kafka).get("search").version()).isEqualTo(2);
    }

    @Test
    void theDoctorFindsWhatIsMissingOneAfterTheOther(Backends backends) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "doctor.", Map.of());
        CommandLineRun empty = kipimo(kafka, "doctor", "--json");
        assertThat(empty.exitCode()).isEqualTo(1);
        assertThat(texts(empty, "WRONG"))
                .anyMatch(text -> text.startsWith("topics: missing: doctor.answers, "))
                .contains("policies: none is stored");
        assertThat(JSON.readTree(empty.out()).at("/versions/kipimo").asText()).isNotEmpty();

        TopicAdmin.createMissing(kafka, 1, (short) 1);
        String yaml = CommandLineRun.of(List.of("policy", "example")).out();
        String file = Files.writeString(directory.resolve("p.yaml"), yaml).toString();
        kipimo(kafka, "policy", "set", file);
        assertThat(texts(kipimo(kafka, "doctor", "--json"), "WRONG"))
                .containsExactly("emitters: search: no front end sent counts in the last minute");

        long now = System.currentTimeMillis();
        publish(kafka, Topic.OBSERVATIONS, Codecs.OBSERVATION, second("search", now - 2_000));
        publish(kafka, Topic.OBSERVATIONS, Codecs.OBSERVATION, second("stranger", now + 60_000));
        publish(kafka, Topic.QUALITY_WINDOWS, Codecs.QUALITY_WINDOW, window(now, 0.95));
        CommandLineRun busy = kipimo(kafka, "doctor", "--json");
        assertThat(busy.exitCode()).isEqualTo(1);
        assertThat(texts(busy, "WRONG"))
                .contains("emitters: stranger emits, and has no policy: its records are dead letters")
                .anyMatch(t -> t.startsWith("clocks: stranger, front-1: ahead of the broker by "))
                .noneMatch(t -> t.contains("search: no front end"));
        assertThat(texts(busy, "OK"))
                .contains("topics: all exist", "measuring: search/high: 100 % measurable, 100 samples");

        HttpServer adapter = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        adapter.createContext("/metrics", exchange -> {
            byte[] page = """
                            kipimo_haproxy_decision_age_seconds{class="low"} 7.5
                            kipimo_haproxy_disconnected 1
                            """.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        adapter.start();
        try {
            String url = "http://127.0.0.1:" + adapter.getAddress().getPort() + "/metrics";
            CommandLineRun text = kipimo(kafka, "doctor", "--adapter=" + url, "--adapter=http://127.0.0.1:1/metrics");
            assertThat(text.out())
                    .contains(url + ": disconnected from its balancer")
                    .contains("http://127.0.0.1:1/metrics: does not answer")
                    .contains("-> kipimo policy set")
                    .contains("OK     versions      kipimo ");
        } finally {
            adapter.stop(0);
        }
    }

    /** Fails at each step of a service whose name needs care in a metric's name. */
    private static final class FailingSteps extends ProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;
        private transient Isolation isolation;

        @Override
        public void open(OpenContext context) {
            isolation = new Isolation(getRuntimeContext().getMetricGroup());
        }

        @Override
        public void processElement(String scope, Context context, Collector<String> out) throws Exception {
            boolean unused = isolation.run(scope, () -> {
                if (scope.startsWith("shop")) {
                    throw new IllegalStateException("a policy of tomorrow");
                }
            });
        }
    }

    @Tag("full")
    @Test
    void theDoctorSaysWhatAJobOfARealClusterLeftOut(Backends backends, FlinkCluster cluster) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "left.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        StreamExecutionEnvironment env = cluster.environment(new Configuration());
        env.setParallelism(2);
        env.fromSource(
                        new DataGeneratorSource<>(
                                i -> i % 4 < 2 ? "shop.eu/high" : "news/low",
                                Long.MAX_VALUE,
                                RateLimiterStrategy.perSecond(20),
                                Types.STRING),
                        WatermarkStrategy.noWatermarks(),
                        "scopes")
                .process(new FailingSteps())
                .name("judge")
                .sinkTo(new DiscardingSink<>());
        var unused = env.executeAsync("kipimo-trial");
        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> assertThat(texts(
                        kipimo(kafka, "doctor", "--json", "--rest=http://" + cluster.host() + ':' + cluster.restPort()),
                        "WRONG"))
                .filteredOn(text -> text.startsWith("jobs: kipimo-trial"))
                .singleElement()
                .asString()
                .matches("jobs: kipimo-trial: failed and left out since"
                        + " its start: \\d+ steps of service"
                        + " shop.eu in judge"));
    }

    /** Both wait for a broker for some seconds, so at once. The status is not 2: the user did nothing wrong. */
    @Test
    void theDoctorSaysThatNoBrokerAnswersAndTheStatusIsUnknown() throws Exception {
        Future<CommandLineRun> doctor = withoutBroker("doctor");
        Future<CommandLineRun> status = withoutBroker("status");

        assertThat(doctor.get().exitCode()).isEqualTo(1);
        assertThat(texts(doctor.get(), "WRONG")).singleElement().asString().startsWith("brokers: ");
        assertThat(texts(doctor.get(), "NOTE"))
                .singleElement()
                .asString()
                .startsWith("others: not known without Kafka: topics, policies");

        assertThat(status.get().exitCode()).isEqualTo(3);
        assertThat(JSON.readTree(status.get().out())).isEmpty();
        assertThat(status.get().err()).contains("nothing is known: ");
    }

    private static Future<CommandLineRun> withoutBroker(String command) {
        return CompletableFuture.supplyAsync(
                () -> CommandLineRun.of(List.of(command, "--bootstrap-servers=127.0.0.1:1", "--json")));
    }

    @Test
    void theStatusIsThatOfTheNewestWindow(Backends backends) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "status.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        CommandLineRun none = kipimo(kafka, "status");
        assertThat(none.exitCode()).isEqualTo(3);
        assertThat(none.out()).isEqualTo("there is no policy; kipimo policy set stores one\n");
        String yaml = CommandLineRun.of(List.of("policy", "example")).out();
        kipimo(
                kafka,
                "policy",
                "set",
                Files.writeString(directory.resolve("p.yaml"), yaml).toString());
        assertThat(kipimo(kafka, "status").exitCode()).as("nothing is known").isEqualTo(3);
        double objective = PolicyStore.readAll(kafka)
                .get("search")
                .classPolicy("high")
                .orElseThrow()
                .objective();

        long now = System.currentTimeMillis();
        publish(kafka, Topic.QUALITY_WINDOWS, Codecs.QUALITY_WINDOW, window(now - 10_000, objective - 0.2));
        CommandLineRun below = kipimo(kafka, "status");
        assertThat(below.exitCode()).isEqualTo(1);
        assertThat(below.out()).containsPattern("search +high +below +0\\.").contains("shadow");

        publish(kafka, Topic.QUALITY_WINDOWS, Codecs.QUALITY_WINDOW, window(now, Math.min(0.99, objective + 0.02)));
        JsonNode fine = JSON.readTree(
                kipimo(kafka, "status", "--service=search", "--json").out());
        assertThat(fine.at("/0/state").asText()).isEqualTo("FINE");
        assertThat(fine.at("/0/measurableShare").asDouble()).isEqualTo(1);
        assertThat(fine.at("/1/state").asText()).isEqualTo("IDLE");
    }
}
