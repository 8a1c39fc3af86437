package io.kipimo.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.gateway.Gateway;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.config.ReplayConfig;
import io.kipimo.harness.flink.FlinkCluster;
import io.kipimo.harness.kafka.EmbeddedKafka;
import io.kipimo.harness.solr.SolrCloud;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.jobs.quality.QualityOptions;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * A SolrCloud of 3 nodes and 6 shards behind the gateway, measured by the quality job. Solr cuts
 * its work by {@code timeAllowed} and {@code maxHitsAllowed}; what the mature answer would have
 * been, the test asks Solr itself.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class SolrContract {
    private static final String SERVICE = "solr";
    private static final int K = 10;
    private static final int NODES = 3;
    private static final int SHARDS = 6;
    private static final int DOCUMENTS = 50_000;

    /** Where the build put Solr. */
    private static final Path BED = Path.of("..", "solr", "target").toAbsolutePath().normalize();

    private static final double BUDGET = 1;
    private static final int AT_ONCE = 10;

    /** The first query of the monitor. */
    private static final int MONITORED = 100_000;

    private static final Duration WINDOW = Duration.ofSeconds(12);
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String FORM = "application/x-www-form-urlencoded";

    /** Of the generated vocabulary, from frequent to rare. */
    private static final List<String> WORDS =
            List.of("de", "fi", "go", "hu", "ka", "bade", "debade", "fifi", "hude", "gogofi");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<AutoCloseable> started = new ArrayList<>();
    private SolrCloud solr;
    private BreakingProxy proxy;
    private KafkaSettings kafka;
    private Gateway gateway;
    private GatewayConfig monitoring;
    private QualityRows rows;

    /** How many queries are measured. */
    abstract int queries();

    private <T extends AutoCloseable> T keep(T one) {
        started.add(0, one);
        return one;
    }

    @BeforeAll
    void start() throws Exception {
        solr = keep(SolrCloud.start(BED, NODES, SHARDS, DOCUMENTS));
        EmbeddedKafka broker = keep(EmbeddedKafka.start());
        kafka = new KafkaSettings(broker.bootstrapServers(), "engines.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, policy());
        startJob(keep(FlinkCluster.inProcess(1, 2)), kafka);
        proxy = keep(new BreakingProxy(solr.ports().get(0)));
        monitoring = config(kafka, proxy.port(), "budget: 1, of-clean: 0.3");
        gateway = keep(Gateway.start(config(kafka, proxy.port(), "budget: " + BUDGET)));
        rows = keep(new QualityRows(kafka));
    }

    private static GatewayConfig config(KafkaSettings kafka, int solr, String replay) {
        return ConfigFile.read(
                """
                service: %s
                admin: 127.0.0.1:0
                threads: 1
                kafka: {bootstrap-servers: '%s', topic-prefix: '%s'}
                sampling: {rate: 1}
                record: {expiration: %ds}
                listeners:
                  - name: front
                    role: front
                    engine: solr
                    trusted-callers: [127.0.0.1]
                    listen: 127.0.0.1:0
                    servers: ['127.0.0.1:%d']
                    top-k: %d
                    replay: {%s}
                    arbitration: {retries: 3}
                """
                        .formatted(
                                SERVICE,
                                kafka.bootstrapServers(),
                                kafka.topicPrefix(),
                                WINDOW.toSeconds(),
                                solr,
                                K,
                                replay),
                null,
                "gw");
    }

    @AfterAll
    void stop() throws Exception {
        for (AutoCloseable one : started) {
            one.close();
        }
    }

    private static Policy policy() {
        return Policy.builder()
                .service(SERVICE)
                .version(1)
                .metrics(List.of("tpr@" + K))
                .merge(new MergePolicy(MergeKind.REPLAYED_ANSWERS, List.of(), Map.of()))
                .topK(K)
                .expirationWindowMillis(WINDOW.toMillis())
                .windowMillis(1_000)
                .slideMillis(1_000)
                .classes(
                        List.of(
                                ClassPolicy.builder()
                                        .name("default")
                                        .priority(0)
                                        .objective(0.9)
                                        .floor(1)
                                        .build()))
                .build();
    }

    private static void startJob(FlinkCluster cluster, KafkaSettings kafka) throws Exception {
        Configuration config = new Configuration();
        config.set(KafkaOptions.BOOTSTRAP_SERVERS.option(), kafka.bootstrapServers());
        config.set(KafkaOptions.TOPIC_PREFIX.option(), kafka.topicPrefix());
        config.set(KafkaOptions.GROUP_ID.option(), kafka.topicPrefix() + "quality");
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(500));
        config.setString("parallelism.default", "1");
        StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(config));
        QualityJob.define(env, QualityOptions.of(config));
        env.executeAsync("quality");
    }

    /** What a caller asked, and what it got. */
    private record Asked(String words, boolean isCut, List<String> ids, JsonNode answer) {}

    private static String traceId(int query) {
        SplittableRandom random = new SplittableRandom(query);
        return "%016x%016x".formatted(random.nextLong() | 1, random.nextLong() | 1);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private HttpRequest.Builder request(String target) {
        return request(gateway, target);
    }

    private static HttpRequest.Builder request(Gateway to, String target) {
        int port = to.ports().values().iterator().next();
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target));
    }

    private JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    /** What Solr answers without the gateway. */
    private JsonNode get(String target) throws IOException, InterruptedException {
        return JSON.readTree(solr.get(target));
    }

    private static List<String> ids(JsonNode answer) {
        List<String> ids = new ArrayList<>();
        answer.at("/response/docs").forEach(doc -> ids.add(doc.path("id").asText()));
        return ids;
    }

    /** A query in one of the forms in which callers send them, with or without a limit. */
    private Asked ask(int query, SplittableRandom random) throws Exception {
        String words = WORDS.get(random.nextInt(WORDS.size()));
        for (int more = random.nextInt(3); more > 0; more--) {
            words += " " + WORDS.get(random.nextInt(WORDS.size()));
        }
        String limit =
                switch (query % 10) {
                    case 1, 4 -> "maxHitsAllowed=" + (1 + random.nextInt(200));
                    case 7 -> "timeAllowed=1";
                    default -> "";
                };
        String parameters = "rows=" + K + "&q=" + encoded(words) + "&" + limit;
        HttpRequest.Builder request =
                switch (query % 3) {
                    case 0 -> request("/solr/docs/select?" + parameters).GET();
                    case 1 ->
                            request("/solr/docs/select")
                                    .header("Content-Type", FORM)
                                    .POST(BodyPublishers.ofString(parameters));
                    default ->
                            request("/solr/docs/select?rows=" + K)
                                    .header("Content-Type", "application/json")
                                    .POST(BodyPublishers.ofString(json(words, limit)));
                };
        JsonNode answer =
                send(
                        request.header(
                                "traceparent", "00-" + traceId(query) + "-00f067aa0ba902b7-01"));
        return new Asked(
                words,
                answer.at("/responseHeader/partialResults").asBoolean(),
                ids(answer),
                answer);
    }

    private static String json(String words, String limit) {
        String[] parts = limit.split("=", -1);
        return limit.isEmpty()
                ? "{\"query\":\"" + words + "\"}"
                : "{\"query\":\"%s\",\"params\":{\"%s\":%s}}".formatted(words, parts[0], parts[1]);
    }

    private double metric(String name) {
        return gateway.metrics()
                .lines()
                .filter(line -> line.startsWith("kipimo_gateway_" + name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    @Test
    @Order(1)
    void whatSolrCutHasTheQualityThatTheUnlimitedAnswerGivesIt() throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        Map<String, Asked> asked = new LinkedHashMap<>();
        for (int query = 0; query < queries(); query++) {
            asked.put(traceId(query), ask(query, random));
            if (query % AT_ONCE == 0) {
                // On a slow machine replays would otherwise wait for longer than the window.
                await("replays").atMost(PATIENCE).until(() -> !gateway.isReplaying());
            }
        }
        await("all are measured")
                .atMost(PATIENCE)
                .until(() -> rows.read().keySet().containsAll(asked.keySet()));

        int cut = 0;
        Set<Double> qualities = new HashSet<>();
        for (Map.Entry<String, Asked> one : asked.entrySet()) {
            Measurement row = rows.read().get(one.getKey());
            assertThat(row.completeness())
                    .as("%s of %s", row, one.getValue())
                    .isEqualTo(Completeness.COMPLETE);
            double expected = 1;
            if (one.getValue().isCut()) {
                cut++;
                expected = quality(one.getValue());
                qualities.add(expected);
                assertThat(row.degraded()).isTrue();
            } else {
                assertThat(row.degraded()).isFalse();
            }
            assertThat(row.scores().get(0).low())
                    .as(row.toString())
                    .isEqualTo(expected, within(1e-9));
            assertThat(row.scores().get(0).high()).isEqualTo(expected, within(1e-9));
        }
        assertThat(cut).isBetween(queries() / 20, queries() * 2 / 5);
        assertThat(qualities).as("graded, not only all or nothing").hasSizeGreaterThan(3);
        assertThat(metric("replays_total")).isEqualTo(cut);
        assertThat(metric("replays_failed_total")).isZero();
        assertThat(metric("replay_seconds_total"))
                .as("extra load")
                .isPositive()
                .isLessThan(BUDGET * metric("query_seconds_total") + 1);
    }

    /** By the true positive rate's own definition, from what Solr answers without a limit. */
    private double quality(Asked asked) throws Exception {
        List<String> mature =
                ids(get("/solr/docs/select?rows=" + K + "&q=" + encoded(asked.words())));
        if (mature.isEmpty()) {
            return 1;
        }
        return (double) mature.stream().filter(asked.ids()::contains).count() / mature.size();
    }

    /** Solr marks every cut, so the monitor finds recall 1. */
    @Test
    @Order(2)
    void ofWholeAnswersTheDrawnOnesAreMeasured() throws Exception {
        ReplayConfig replay = monitoring.listeners().get(0).replay().orElseThrow();
        Set<String> drawn = new HashSet<>();
        Set<String> undrawn = new HashSet<>();
        try (Gateway monitor = Gateway.start(monitoring)) {
            for (int query = MONITORED; query < MONITORED + 30; query++) {
                String id = traceId(query);
                send(
                        request(
                                        monitor,
                                        "/solr/docs/select?rows=10&q="
                                                + encoded(WORDS.get(query % WORDS.size())))
                                .header("traceparent", "00-" + id + "-00f067aa0ba902b7-01")
                                .GET());
                (replay.draws(id) ? drawn : undrawn).add(id);
            }
            await("are measured")
                    .atMost(PATIENCE)
                    .until(() -> rows.read().keySet().containsAll(drawn));
        }
        assertThat(drawn).hasSizeBetween(3, 20);
        for (String id : drawn) {
            Measurement row = rows.read().get(id);
            assertThat(row.completeness()).as(row.toString()).isEqualTo(Completeness.COMPLETE);
            assertThat(row.components())
                    .extracting(ComponentShare::component)
                    .containsExactlyInAnyOrder("solr", "exact");
            assertThat(row.scores().get(0).low()).isEqualTo(1);
        }
        assertThat(rows.read().keySet()).doesNotContainAnyElementsOf(undrawn);
    }

    /** The guide's file and query, at this test's addresses. */
    @Test
    @Order(3)
    void theGuidesFileMeasuresTheGuidesQuery() throws Exception {
        String guide = Files.readString(Path.of("..", "..", "docs", "engines", "solr.md"));
        String file = between(guide, "```yaml", "```").stripIndent();
        for (Map.Entry<String, String> place :
                Map.of(
                                "'localhost:9092'",
                                "'" + kafka.bootstrapServers() + "', topic-prefix: engines.",
                                "127.0.0.1:8080",
                                "127.0.0.1:0",
                                "127.0.0.1:8983",
                                "127.0.0.1:" + proxy.port())
                        .entrySet()) {
            assertThat(file).containsOnlyOnce(place.getKey());
            file = file.replace(place.getKey(), place.getValue());
        }
        try (Gateway guided = Gateway.start(ConfigFile.read(file, "127.0.0.1:0", "gw"))) {
            send(request(guided, between(guide, "curl 'http://127.0.0.1:8080", "'")).GET());

            assertThat(guided.metrics().lines())
                    .contains("kipimo_gateway_answers_total 1.0")
                    .anyMatch(line -> line.startsWith("kipimo_gateway_responses_cut_total{"))
                    .anyMatch(line -> line.startsWith("kipimo_gateway_replays_total "));
        }
    }

    private static String between(String text, String from, String to) {
        int start = text.indexOf(from) + from.length();
        return text.substring(start, text.indexOf(to, start));
    }

    /** An increment that is sent twice is not the same as one that is sent once. */
    @Test
    @Order(4)
    void anUpdateIsSentOnceAlthoughSearchesAreRetried() throws Exception {
        String update = "/solr/docs/update?commit=true";
        proxy.losesResponses = true;
        HttpResponse<String> lost =
                http.send(
                        request(update)
                                .header("Content-Type", "application/json")
                                .POST(
                                        BodyPublishers.ofString(
                                                "[{\"id\":\"once\",\"updates\":{\"inc\":1}}]"))
                                .build(),
                        BodyHandlers.ofString());
        HttpResponse<String> search =
                http.send(
                        request("/solr/docs/select?q=id:once").GET().build(),
                        BodyHandlers.ofString());
        proxy.losesResponses = false;

        assertThat(lost.statusCode()).isEqualTo(502);
        assertThat(search.statusCode()).isEqualTo(502);
        assertThat(proxy.requests).filteredOn(("POST " + update)::equals).hasSize(1);
        assertThat(proxy.requests)
                .filteredOn(one -> one.startsWith("GET /solr/docs/select?q=id:once"))
                .hasSize(4);
        JsonNode once = get("/solr/docs/select?q=id:once&fl=updates");
        assertThat(once.at("/response/docs/0/updates").asInt()).isEqualTo(1);
    }

    /**
     * When a shard has no replica, Solr 9.10.1 answers 500 to shards.info if it needs one pass, as
     * for {@code fl=id,score}.
     */
    private static String named(int query) {
        return query % 2 == 0 ? "" : "&shards.info=true&fl=id,score,title";
    }

    @Test
    @Order(5)
    void withANodeGoneItsShardsAreNamedAndNothingIsHealthy() throws Exception {
        solr.stop(NODES - 1);
        int last = queries() + 20;
        for (int query = queries(); query < last; query++) {
            JsonNode answer =
                    send(
                            request(
                                            "/solr/docs/select?rows=10&shards.tolerant=true"
                                                    + named(query)
                                                    + "&q="
                                                    + encoded(WORDS.get(query % WORDS.size())))
                                    .header(
                                            "traceparent",
                                            "00-" + traceId(query) + "-00f067aa0ba902b7-01")
                                    .GET());
            assertThat(answer.at("/responseHeader/partialResults").asBoolean()).isTrue();
        }
        for (int query = queries(); query < last; query++) {
            String id = traceId(query);
            await("is measured").atMost(PATIENCE).until(() -> rows.read().containsKey(id));
            Measurement row = rows.read().get(id);

            assertThat(row.completeness()).as(row.toString()).isEqualTo(Completeness.EXPIRED);
            assertThat(row.scores().get(0).low()).isZero();
            assertThat(row.degraded()).isTrue();
            List<String> failed =
                    row.components().stream()
                            .filter(one -> one.outcome() == Outcome.FAILED)
                            .map(ComponentShare::component)
                            .toList();
            if (named(query).isEmpty()) {
                assertThat(failed).containsExactly("solr");
            } else {
                assertThat(failed)
                        .hasSize(SHARDS / NODES)
                        .allMatch(name -> name.matches("docs_shard\\d|unknown_shard_\\d"));
            }
        }
        assertThat(metric("replays_failed_total{reason=\"incomplete\"}")).isEqualTo(20);
    }
}
