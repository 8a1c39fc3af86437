package io.kipimo.engines;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.embedded.process.ChildProcess;
import io.kipimo.embedded.process.ForeignProcess;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.gateway.Gateway;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.config.ReplayConfig;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * An engine of 3 nodes and 6 shards behind the gateway, measured by the quality job. The engine cuts its own work; what
 * the mature answer would have been, the test asks the engine itself.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@WithBackends
abstract class EngineContract {
    static final int K = 10;
    static final int NODES = 3;
    static final int SHARDS = 6;
    static final ObjectMapper JSON = new ObjectMapper();
    static final String FORM = "application/x-www-form-urlencoded";

    /** Of the generated vocabulary, from frequent to rare. */
    static final List<String> WORDS = List.of("de", "fi", "go", "hu", "ka", "bade", "debade", "fifi", "hude", "gogofi");

    private static final double BUDGET = 1;
    private static final int AT_ONCE = 10;
    private static final Duration WINDOW = Duration.ofSeconds(12);

    /** First queries of the tests after the first one. */
    private static final int MONITORED = 100_000;

    private static final int BROKEN = 200_000;
    private static final int WITHOUT_A_NODE = 300_000;
    private static final int LATENCY = 400_000;

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AutoClose
    private final Started started = new Started();

    private EngineBed bed;
    private BreakingProxy proxy;
    private KafkaSettings kafka;
    private Gateway gateway;
    private QualityRows rows;

    /** How many queries are measured. */
    abstract int queries();

    /** Whether the job measures; otherwise its join does, without a Flink cluster. */
    boolean hasJob() {
        return true;
    }

    /** How many documents there are. */
    int documents() {
        return 50_000;
    }

    /** The preset's name, which is the component's and the service's, too. */
    abstract String engine();

    abstract EngineBed startBed() throws Exception;

    /**
     * A query in one of the forms in which callers send it.
     *
     * @param form any number
     * @param limit null: none
     */
    abstract Query query(int form, String words, Limit limit, SplittableRandom random);

    /** A query that the engine refuses with 400. */
    abstract Query malformed();

    /** A query while a node is gone, in one of the forms in which an engine tells so. */
    abstract Query withoutANode(int form, String words);

    abstract boolean isCut(JsonNode answer);

    /** The components that failed, as the engine tells of a node that is gone. */
    abstract void checkFailed(int form, List<String> failed);

    /** Identifiers of the answer's documents, the best first. */
    abstract List<String> ids(JsonNode answer);

    /** A write that counts how often it is done. */
    abstract Query increment();

    /** How often it was done. */
    abstract int increments() throws Exception;

    /** The engine's address in its guide. */
    abstract String guidesAddress();

    /** How an engine is told to stop early. */
    enum Limit {
        HITS,
        TIME
    }

    /**
     * A request.
     *
     * @param body empty: none
     */
    record Query(String method, String target, String type, String body) {
        static Query get(String target) {
            return new Query("GET", target, "", "");
        }

        static Query json(String target, String body) {
            return new Query("POST", target, "application/json", body);
        }

        HttpRequest.Builder at(int port) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
                    .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
            return type.isEmpty() ? request : request.header("Content-Type", type);
        }
    }

    /** What a caller asked, and what it got. */
    private record Asked(Query sent, Query unlimited, JsonNode answer) {}

    @BeforeAll
    void start(Backends backends) throws Exception {
        bed = started.keep(startBed());
        kafka = new KafkaSettings(backends.bootstrapServers(), getClass().getSimpleName() + '.', Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        Policy policy = policy(engine(), MergeKind.REPLAYED_ANSWERS, WINDOW);
        PolicyStore.publish(kafka, policy);
        if (hasJob()) {
            startJob(started.keep(FlinkCluster.inProcess(1, 2)), kafka);
        }
        proxy = started.keep(new BreakingProxy(bed.ports().get(0)));
        gateway = started.keep(Gateway.start(config(1, "budget: " + BUDGET)));
        rows = started.keep(hasJob() ? new QualityRows(kafka) : QualityRows.joined(kafka, policy));
    }

    /** The gateway's configuration, before the proxy. */
    private GatewayConfig config(double samplingRate, String replay) {
        return config(samplingRate, replay, proxy.port());
    }

    private GatewayConfig config(double samplingRate, String replay, int server) {
        return ConfigFile.read(
                """
                service: %s
                admin: 127.0.0.1:0
                threads: 1
                kafka: {bootstrap-servers: '%s', topic-prefix: '%s'}
                sampling: {rate: %s}
                record: {expiration: %ds}
                listeners:
                  - name: front
                    role: front
                    engine: %s
                    trusted-callers: [127.0.0.1]
                    listen: 127.0.0.1:0
                    servers: ['127.0.0.1:%d']
                    top-k: %d
                    replay: {%s}
                    arbitration: {retries: 3}
                """.formatted(
                                engine(),
                                kafka.bootstrapServers(),
                                kafka.topicPrefix(),
                                samplingRate,
                                WINDOW.toSeconds(),
                                engine(),
                                server,
                                K,
                                replay),
                null,
                "gw");
    }

    /** A policy with one class, {@code default}, which is never shed. */
    static Policy policy(String service, MergeKind merge, Duration expiration) {
        return Policy.builder()
                .service(service)
                .version(1)
                .metrics(List.of("tpr@" + K))
                .merge(new MergePolicy(merge, List.of(), Map.of()))
                .topK(K)
                .expirationWindowMillis(expiration.toMillis())
                .windowMillis(1_000)
                .slideMillis(1_000)
                .classes(List.of(ClassPolicy.builder()
                        .name("default")
                        .priority(0)
                        .objective(0.9)
                        .floor(1)
                        .build()))
                .build();
    }

    static void startJob(FlinkCluster cluster, KafkaSettings kafka) throws Exception {
        Configuration config = new Configuration();
        config.set(KafkaOptions.BOOTSTRAP_SERVERS.option(), kafka.bootstrapServers());
        config.set(KafkaOptions.TOPIC_PREFIX.option(), kafka.topicPrefix());
        config.set(KafkaOptions.GROUP_ID.option(), kafka.topicPrefix() + "quality");
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(500));
        config.setString("parallelism.default", "1");
        StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(config));
        QualityJob.define(env, QualityJob.OPTIONS.read(config));
        env.executeAsync("quality");
    }

    static String traceId(int query) {
        SplittableRandom random = new SplittableRandom(query);
        return "%016x%016x".formatted(random.nextLong() | 1, random.nextLong() | 1);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    static String traceparent(int query) {
        return "00-" + traceId(query) + "-00f067aa0ba902b7-01";
    }

    static int port(Gateway gateway) {
        return gateway.ports().get("front");
    }

    static HttpResponse<byte[]> exchange(HttpRequest.Builder request) throws Exception {
        return HTTP.send(request.build(), BodyHandlers.ofByteArray());
    }

    static JsonNode send(HttpRequest.Builder request) throws Exception {
        HttpResponse<byte[]> response = exchange(request);
        assertThat(response.statusCode())
                .as(new String(response.body(), StandardCharsets.UTF_8))
                .isEqualTo(200);
        return JSON.readTree(response.body());
    }

    /** What the engine answers without the gateway. */
    JsonNode direct(Query query) throws Exception {
        return send(query.at(bed.ports().get(0)));
    }

    static String words(SplittableRandom random) {
        String words = WORDS.get(random.nextInt(WORDS.size()));
        for (int more = random.nextInt(3); more > 0; more--) {
            words += " " + WORDS.get(random.nextInt(WORDS.size()));
        }
        return words;
    }

    /** Three in ten queries have a limit. */
    static Limit limit(int query) {
        return switch (query % 10) {
            case 1, 4 -> Limit.HITS;
            case 7 -> Limit.TIME;
            default -> null;
        };
    }

    private Asked ask(int query, SplittableRandom random) throws Exception {
        String words = words(random);
        Query limited = query(query, words, limit(query), random);
        JsonNode answer = send(limited.at(port(gateway)).header("traceparent", traceparent(query)));
        return new Asked(limited, query(query, words, null, random), answer);
    }

    private double metric(String name) {
        return metric(gateway, name);
    }

    /** Sum over all labels. */
    static double metric(Gateway gateway, String name) {
        return gateway.metrics()
                .lines()
                .filter(line -> line.startsWith("kipimo_gateway_" + name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    @Test
    @Order(1)
    void whatTheEngineCutHasTheQualityThatTheUnlimitedAnswerGivesIt() throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        Map<String, Asked> asked = new LinkedHashMap<>();
        for (int query = 0; query < queries(); query++) {
            asked.put(traceId(query), ask(query, random));
            if (query % AT_ONCE == 0) {
                // On a slow machine replays would otherwise wait for longer than the window.
                askUntil(gateway, "replays", () -> !gateway.isReplaying());
            }
        }
        askUntil(
                gateway,
                "all are measured",
                () -> rows.read().keySet().containsAll(asked.keySet()) || metric("replays_failed_total") > 0);
        assertThat(metric("replays_failed_total")).as(gateway::metrics).isZero();

        int cut = 0;
        Set<Double> qualities = new HashSet<>();
        Map<String, Measurement> measured = rows.read();
        for (Map.Entry<String, Asked> one : asked.entrySet()) {
            Measurement row = measured.get(one.getKey());
            assertThat(row.completeness()).as("%s of %s", row, one.getValue()).isEqualTo(Completeness.COMPLETE);
            boolean isCut = isCut(one.getValue().answer());
            double expected = 1;
            if (isCut) {
                cut++;
                expected = quality(one.getValue());
                qualities.add(expected);
            }
            assertThat(row.degraded()).as("%s of %s", row, one.getValue()).isEqualTo(isCut);
            assertThat(row.scores().get(0).low())
                    .as("%s of %s", row, one.getValue())
                    .isEqualTo(expected, within(1e-9));
            assertThat(row.scores().get(0).high()).isEqualTo(expected, within(1e-9));
        }
        assertThat(cut).isBetween(queries() / 20, queries() * 3 / 10);
        assertThat(qualities).as("graded, not only all or nothing").anySatisfy(quality -> assertThat(quality)
                .isStrictlyBetween(0.0, 1.0));
        assertThat(metric("replays_total")).isEqualTo(cut);
        assertThat(metric("replay_seconds_total"))
                .as("extra load")
                .isPositive()
                .isLessThan(BUDGET * metric("query_seconds_total") + 1);
    }

    private void askUntil(Gateway gateway, String what, Callable<Boolean> condition) {
        SplittableRandom random = new SplittableRandom(11);
        askUntil(what, () -> query(0, words(random), null, random).at(port(gateway)), condition);
    }

    /**
     * Queries go on meanwhile: replays may take a share of the queries' time, so without queries they would get none.
     */
    static void askUntil(String what, Supplier<HttpRequest.Builder> query, Callable<Boolean> condition) {
        await(what).atMost(PATIENCE).until(() -> {
            var unused = send(query.get());
            return condition.call();
        });
    }

    /** By the true positive rate's own definition, from what the engine answers without a limit. */
    private double quality(Asked asked) throws Exception {
        List<String> mature = ids(direct(asked.unlimited()));
        if (mature.isEmpty()) {
            return 1;
        }
        return (double) mature.stream().filter(ids(asked.answer())::contains).count() / mature.size();
    }

    /** The engine marks every cut, so the monitor finds recall 1. */
    @Test
    @Order(2)
    void ofWholeAnswersTheDrawnOnesAreMeasured() throws Exception {
        GatewayConfig monitoring = config(1, "budget: 1, of-clean: 0.3");
        ReplayConfig replay = monitoring.listeners().get(0).replay().orElseThrow();
        SplittableRandom random = new SplittableRandom(8);
        Set<String> drawn = new HashSet<>();
        Set<String> undrawn = new HashSet<>();
        try (Gateway monitor = Gateway.start(monitoring)) {
            for (int query = MONITORED; query < MONITORED + 30; query++) {
                String id = traceId(query);
                send(query(query, words(random), null, random)
                        .at(port(monitor))
                        .header("traceparent", traceparent(query)));
                (replay.draws(id) ? drawn : undrawn).add(id);
            }
            askUntil(
                    monitor,
                    "are measured",
                    () -> rows.read().keySet().containsAll(drawn) || metric(monitor, "replays_failed_total") > 0);
            assertThat(metric(monitor, "replays_failed_total"))
                    .as(monitor::metrics)
                    .isZero();
        }
        assertThat(drawn).hasSizeBetween(3, 20);
        Map<String, Measurement> measured = rows.read();
        for (String id : drawn) {
            Measurement row = measured.get(id);
            assertThat(row.completeness()).as(row.toString()).isEqualTo(Completeness.COMPLETE);
            assertThat(row.components())
                    .extracting(ComponentShare::component)
                    .containsExactlyInAnyOrder(engine(), "exact");
            assertThat(row.scores().get(0).low()).isEqualTo(1);
        }
        assertThat(measured.keySet()).doesNotContainAnyElementsOf(undrawn);
    }

    /** A packed answer is read; an answer of 400 is none. */
    @Test
    @Order(3)
    void packedAnswersAreMeasuredAndRefusedQueriesAreNot() throws Exception {
        int each = 5;
        SplittableRandom random = new SplittableRandom(9);
        double failed = metric("answers_unmeasurable_total{reason=\"failed_answer\"}");
        for (int query = BROKEN; query < BROKEN + each; query++) {
            HttpResponse<byte[]> packed = exchange(query(0, words(random), null, random)
                    .at(port(gateway))
                    .header("Accept-Encoding", "gzip")
                    .header("traceparent", traceparent(query)));
            assertThat(packed.statusCode()).isEqualTo(200);
            assertThat(packed.headers().firstValue("content-encoding")).hasValue("gzip");
        }
        for (int query = BROKEN + each; query < BROKEN + 2 * each; query++) {
            HttpResponse<byte[]> refused =
                    exchange(malformed().at(port(gateway)).header("traceparent", traceparent(query)));
            assertThat(refused.statusCode()).isEqualTo(400);
        }

        for (int query = BROKEN; query < BROKEN + each; query++) {
            String id = traceId(query);
            await("is measured").atMost(PATIENCE).until(() -> rows.read().containsKey(id));
            Measurement row = rows.read().get(id);
            assertThat(row.completeness()).as(row.toString()).isEqualTo(Completeness.COMPLETE);
            assertThat(row.scores().get(0).low()).isEqualTo(1);
        }
        assertThat(metric("responses_unreadable_total")).isZero();
        assertThat(metric("answers_unmeasurable_total{reason=\"failed_answer\"}") - failed)
                .isEqualTo(each);
    }

    /** An increment that is sent twice is not the same as one that is sent once. */
    @Test
    @Order(4)
    void aWriteIsSentOnceAlthoughSearchesAreRetried() throws Exception {
        Query write = increment();
        Query search = query(0, "once", null, new SplittableRandom(1));
        proxy.losesResponses = true;
        HttpResponse<byte[]> lost = exchange(write.at(port(gateway)));
        HttpResponse<byte[]> unanswered = exchange(search.at(port(gateway)));
        proxy.losesResponses = false;

        assertThat(lost.statusCode()).isEqualTo(502);
        assertThat(unanswered.statusCode()).isEqualTo(502);
        assertThat(proxy.requests)
                .filteredOn(("POST " + write.target())::equals)
                .hasSize(1);
        assertThat(proxy.requests)
                .filteredOn((search.method() + " " + search.target())::equals)
                .hasSize(4);
        assertThat(increments()).isEqualTo(1);
    }

    /** The guide's query is cut, run again, and measured. */
    @Tag("full")
    @Test
    @Order(5)
    void theGuidesCommandsMeasureTheGuidesQuery(@TempDir Path directory) throws Exception {
        int[] free = FreePorts.distinct(3);
        Guide guide = Guide.read(
                engine(),
                Map.of(
                        "localhost:9092",
                        "localhost:" + free[0],
                        "127.0.0.1:8090",
                        "127.0.0.1:" + free[1],
                        guidesAddress(),
                        "127.0.0.1:" + bed.ports().get(0),
                        "127.0.0.1:9901",
                        "127.0.0.1:" + free[2],
                        "sampling: {rate: 1}",
                        "sampling: {rate: 1}\n   admin: 127.0.0.1:" + free[2],
                        "water",
                        WORDS.get(0)),
                directory);
        assertThat(guide.size()).isEqualTo(4);
        try (ChildProcess local = guide.start("local", List.of("--broker-port=" + free[0], "--port=0"))) {
            awaitOutput(local, "Ctrl-C stops everything");
            awaitSamplingOfAll("localhost:" + free[0]);
            try (ChildProcess gateway = guide.start("gateway", List.of())) {
                await("the gateway listens")
                        .atMost(PATIENCE)
                        .until(() -> ForeignProcess.listens(free[1]) || !gateway.isAlive());
                assertThat(isCut(send(guide.query()))).isTrue();
                try (ChildProcess tail = guide.start("tail", List.of())) {
                    awaitOutput(tail, "queryId", gateway, local);
                    JsonNode row = JSON.readTree(firstRow(tail.output()));
                    assertThat(row.path("completeness").asText()).endsWith("COMPLETE");
                    assertThat(row.at("/scores/0/low").asDouble(-1)).isBetween(0.0, 0.95);
                }
                HttpResponse<byte[]> metrics = exchange(Query.get("/metrics").at(free[2]));
                assertThat(guide.metrics()).hasSize(3);
                assertThat(new String(metrics.body(), StandardCharsets.UTF_8)).contains(guide.metrics());
            }
        }
    }

    /**
     * Waits for the first decision on the sampling rate. The gateway's own rate holds until then, so a query could be
     * measured although the policy samples hardly any.
     */
    private static void awaitSamplingOfAll(String broker) {
        KafkaSettings settings = new KafkaSettings(broker, Topic.DEFAULT_PREFIX, Map.of());
        try (TopicLog<Decision> rates = new TopicLog<>(settings, Topic.SAMPLING, Codecs.DECISION)) {
            await("a sampling rate").atMost(PATIENCE).until(() -> !rates.readOn()
                    .isEmpty());
            assertThat(rates.read().get(0).value()).isEqualTo(1);
        }
    }

    /** Its log comes between the rows. */
    private static String firstRow(String output) {
        return output.lines().filter(line -> line.startsWith("{")).findFirst().orElseThrow();
    }

    /** Fails with what the others said. */
    private static void awaitOutput(ChildProcess process, String text, ChildProcess... others) {
        try {
            await(text).atMost(PATIENCE).until(() -> process.output().contains(text) || !process.isAlive());
        } catch (ConditionTimeoutException e) {
            String said = Stream.of(others).map(ChildProcess::output).collect(Collectors.joining("\n"));
            throw new AssertionError(e.getMessage() + "\n" + said, e);
        }
        assertThat(process.output()).contains(text);
    }

    /**
     * Prints how long unsampled queries take beside those through a plain gateway, by turns, while a tenth is sampled;
     * and the extra load of the replays.
     */
    void printAddedLatency() throws Exception {
        double rate = 0.1;
        double budget = 0.05;
        SplittableRandom random = new SplittableRandom(10);
        List<Long> unsampled = new ArrayList<>();
        List<Long> plainly = new ArrayList<>();
        int server = bed.ports().get(0);
        try (Gateway measuring = Gateway.start(config(rate, "budget: " + budget, server));
                Gateway plain = Gateway.start(ConfigFile.passThrough(
                        "127.0.0.1:0", List.of("127.0.0.1:" + server), "127.0.0.1:0", "plain"))) {
            int plainPort = plain.ports().values().iterator().next();
            for (int i = 0; i < queries(); i++) {
                int number = LATENCY + i;
                Query query = query(i, words(random), limit(i), random);
                boolean plainFirst = i % 2 == 0;
                long first = plainFirst ? nanos(query, plainPort, number) : 0;
                long measured = nanos(query, port(measuring), number);
                long last = plainFirst ? first : nanos(query, plainPort, number);
                // The first ones warm up.
                if (i >= queries() / 10 && !ConsistentSampling.isSampled(traceId(number), rate)) {
                    unsampled.add(measured);
                    plainly.add(last);
                }
            }
            await("replays").atMost(PATIENCE).until(() -> !measuring.isReplaying());
            double queries = metric(measuring, "query_seconds_total");
            double replays = metric(measuring, "replay_seconds_total");
            System.out.printf(
                    Locale.ROOT,
                    "%s: unsampled queries %.2f / %.2f ms (p50 / p99), through a plain gateway %.2f /"
                            + " %.2f ms; extra load %.2f %% by %.0f replays%n",
                    engine(),
                    millis(unsampled, 0.5),
                    millis(unsampled, 0.99),
                    millis(plainly, 0.5),
                    millis(plainly, 0.99),
                    100 * replays / queries,
                    metric(measuring, "replays_total"));

            assertThat(metric(measuring, "replays_total")).isPositive();
            assertThat(replays).isLessThan(budget * queries + 1);
        }
    }

    private static long nanos(Query query, int port, int number) throws Exception {
        long begun = System.nanoTime();
        var unused = send(query.at(port).header("traceparent", traceparent(number)));
        return System.nanoTime() - begun;
    }

    private static double millis(List<Long> nanos, double share) {
        List<Long> sorted = nanos.stream().sorted().toList();
        return sorted.get((int) (share * (sorted.size() - 1))) / 1e6;
    }

    @Tag("full")
    @Test
    @Order(9)
    void withANodeGoneItsShardsFailAndNothingIsHealthy() throws Exception {
        bed.stop(NODES - 1);
        double failedBefore = metric("replays_failed_total{reason=\"incomplete\"}");
        int last = WITHOUT_A_NODE + 20;
        for (int query = WITHOUT_A_NODE; query < last; query++) {
            JsonNode answer = send(withoutANode(query, WORDS.get(query % WORDS.size()))
                    .at(port(gateway))
                    .header("traceparent", traceparent(query)));
            assertThat(ids(answer)).isNotNull();
        }
        for (int query = WITHOUT_A_NODE; query < last; query++) {
            String id = traceId(query);
            await("is measured").atMost(PATIENCE).until(() -> rows.read().containsKey(id));
            Measurement row = rows.read().get(id);

            assertThat(row.completeness()).as(row.toString()).isEqualTo(Completeness.EXPIRED);
            assertThat(row.scores().get(0).low()).isZero();
            assertThat(row.degraded()).isTrue();
            checkFailed(
                    query,
                    row.components().stream()
                            .filter(one -> one.outcome() == Outcome.FAILED)
                            .map(ComponentShare::component)
                            .toList());
        }
        assertThat(metric("replays_failed_total{reason=\"incomplete\"}") - failedBefore)
                .isEqualTo(20);
    }
}
