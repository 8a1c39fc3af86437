package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.examples.search.component.QueueOrder;
import io.kipimo.examples.search.component.SearchComponent;
import io.kipimo.examples.search.corpus.Corpus;
import io.kipimo.examples.search.frontend.ComponentAddress;
import io.kipimo.examples.search.frontend.FrontEnd;
import io.kipimo.examples.search.frontend.FrontEnd.QueryClassPort;
import io.kipimo.examples.search.frontend.FrontEndSettings;
import io.kipimo.examples.search.frontend.KipimoTelemetry;
import io.kipimo.examples.search.frontend.Telemetry;
import io.kipimo.examples.search.index.Partition;
import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.gateway.Gateway;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.ServerIdentity;
import io.kipimo.sdk.ServerReporter;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Measures the demo's search service twice on the same trace: with the SDK inside, and by a gateway around it with the
 * SDK switched off. In both runs the same components are late for the same queries, so the measurements must be equal.
 */
@WithBackends
class GatewayMeasurementITCase {
    private static final int QUERIES = 20;

    /** Long enough that only components that are late by design miss it, even on a busy machine. */
    private static final Duration DEADLINE = Duration.ofMillis(1_500);

    private static final long LATE_MILLIS = 4_000;
    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final String SDK_WAY = "by-sdk";
    private static final String GATEWAY_WAY = "by-gateway";

    private final Vertx vertx = Vertx.vertx();
    private final List<AutoCloseable> started = new ArrayList<>();

    private static <T> T done(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    /** A component that is late for a fixed set of queries. */
    private int late(String component, int port) {
        HttpClient client = vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(200));
        HttpServer server = vertx.createHttpServer().requestHandler(request -> {
            int chance = Math.floorMod((request.getHeader("traceparent").substring(0, 35) + component).hashCode(), 100);
            if (chance < 15) {
                vertx.setTimer(LATE_MILLIS, t -> pass(client, port, request));
            } else {
                pass(client, port, request);
            }
        });
        return done(server.listen(0, "127.0.0.1")).actualPort();
    }

    private static void pass(HttpClient client, int port, HttpServerRequest request) {
        RequestOptions options =
                new RequestOptions().setHost("127.0.0.1").setPort(port).setURI(request.uri());
        for (String name : List.of("traceparent", "kipimo-deadline-micros", "kipimo-sampled")) {
            if (request.getHeader(name) != null) {
                options.putHeader(name, request.getHeader(name));
            }
        }
        client.request(options).compose(ask -> ask.send()).compose(reply -> reply.body()
                .onSuccess((Buffer body) -> {
                    if (!request.response().closed()) {
                        request.response().setStatusCode(reply.statusCode()).end(body);
                    }
                }));
    }

    private FrontEndSettings settings(String service) {
        return new FrontEndSettings(service, service + "-1", DEADLINE, WINDOW, 20);
    }

    private int frontEnd(FrontEndSettings settings, List<ComponentAddress> components, Telemetry telemetry) {
        FrontEnd frontEnd = done(FrontEnd.start(
                vertx, settings, new QueryClassPort("high", 0, false), components, text -> 1, telemetry));
        return frontEnd.port();
    }

    private int measuredBySdk(KafkaSettings kafka, List<ComponentAddress> components) {
        Kipimo kipimo = Kipimo.connect(KipimoConfig.builder(SDK_WAY, SDK_WAY + "-1", kafka)
                .initialSamplingRate(1)
                .queryClass("high", ClassDefaults.ALL)
                .build());
        started.add(kipimo);
        return frontEnd(settings(SDK_WAY), components, new KipimoTelemetry(kipimo));
    }

    private int measuredByGateway(KafkaSettings kafka, List<ComponentAddress> components) throws Exception {
        int[] ports = FreePorts.distinct(components.size() + 1);
        List<ComponentAddress> throughGateway = new ArrayList<>();
        StringBuilder listeners = new StringBuilder();
        for (int i = 0; i < components.size(); i++) {
            throughGateway.add(new ComponentAddress(components.get(i).name(), ports[i]));
            listeners.append("""
                      - name: %s
                        role: component
                        listen: 127.0.0.1:%d
                        servers: ['127.0.0.1:%d']
                        items: {reader: search-demo}
                    """.formatted(
                    components.get(i).name(), ports[i], components.get(i).port()));
        }
        int front = frontEnd(settings(GATEWAY_WAY).unaware(), throughGateway, Telemetry.NONE);
        String yaml = """
                service: %s
                admin: 127.0.0.1:0
                threads: 1
                kafka: {bootstrap-servers: '%s', topic-prefix: '%s'}
                classes: {high: {}}
                sampling: {rate: 1}
                record: {timeout: 8s, expiration: 10s}
                listeners:
                  - name: front
                    role: front
                    trusted-callers: [127.0.0.1]
                    listen: 127.0.0.1:0
                    servers: ['127.0.0.1:%d']
                    deadline: %dms
                    top-k: 20
                %s""".formatted(
                GATEWAY_WAY, kafka.bootstrapServers(), kafka.topicPrefix(), front, DEADLINE.toMillis(), listeners);
        Gateway gateway = Gateway.start(ConfigFile.read(yaml, null, "gw"));
        started.add(gateway);
        return gateway.ports().get("front");
    }

    private static Policy policy(String service) {
        return Policy.builder()
                .service(service)
                .version(1)
                .metrics(List.of("tpr@20", "ndcg@20"))
                .expirationWindowMillis(WINDOW.toMillis())
                .windowMillis(1_000)
                .slideMillis(1_000)
                .classes(List.of(ClassPolicy.builder()
                        .name("high")
                        .priority(0)
                        .objective(0.9)
                        .floor(1)
                        .build()))
                .build();
    }

    @Test
    void theGatewaysMeasurementsAreThoseOfTheSdk(Backends backends, FlinkCluster cluster) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "gateway-measurement.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, policy(SDK_WAY));
        PolicyStore.publish(kafka, policy(GATEWAY_WAY));
        List<ComponentAddress> components = new ArrayList<>();
        for (Partition partition :
                PartitionedIndex.skewed(Corpus.load().everyNth(10)).partitions()) {
            SearchComponent component = done(SearchComponent.start(
                    vertx,
                    partition,
                    1_000,
                    QueueOrder.ARRIVAL,
                    ServerReporter.silent(ServerIdentity.server("search", "index", partition.name(), "s", 1))));
            components.add(new ComponentAddress(partition.name(), late(partition.name(), component.port())));
        }
        try (TopicLog<Measurement> log = new TopicLog<>(kafka, Topic.QUALITY, Codecs.MEASUREMENT)) {
            QualityJobs.start(cluster, kafka, 1, Map.of());
            int[] ports = {measuredBySdk(kafka, components), measuredByGateway(kafka, components)};
            Random random = new Random(5);
            // The first query loads classes on its way: a component may be in time by one clock and late by another.
            ask(ports, 1, random);
            Set<String> asked = ask(ports, QUERIES, random);
            await("both ways measure all queries")
                    .atMost(PATIENCE)
                    .until(() -> rows(log, SDK_WAY, asked).size() == QUERIES
                            && rows(log, GATEWAY_WAY, asked).size() == QUERIES);

            Map<String, String> bySdk = rows(log, SDK_WAY, asked);
            assertThat(rows(log, GATEWAY_WAY, asked)).isEqualTo(bySdk);
            assertThat(bySdk.values())
                    .as("some queries lost quality")
                    .anyMatch(r -> r.contains("COMPLETE") && !r.contains("=1.0000..1.0000"));
        } finally {
            for (AutoCloseable one : started) {
                one.close();
            }
            done(vertx.close());
        }
    }

    /** Sends each query with the same trace id to both ways, one query after the other. Returns these ids. */
    private static Set<String> ask(int[] ports, int queries, Random random) {
        java.net.http.HttpClient http = java.net.http.HttpClient.newHttpClient();
        Set<String> ids = new TreeSet<>();
        List<String> words = List.of("water", "house", "european", "animal", "small", "plant");
        for (int i = 0; i < queries; i++) {
            String id = "%016x%016x".formatted(random.nextLong(), random.nextLong());
            ids.add(id);
            String text = words.get(random.nextInt(words.size())) + "+" + words.get(random.nextInt(words.size()));
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int port : ports) {
                answers.add(http.sendAsync(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/search?q=" + text))
                                .header("traceparent", "00-" + id + "-00f067aa0ba902b7-02")
                                .build(),
                        BodyHandlers.ofString()));
            }
            for (var answer : answers) {
                assertThat(answer.join().statusCode()).isEqualTo(200);
            }
        }
        return ids;
    }

    /** Class, completeness and scores of each of these queries, by its id. */
    private static Map<String, String> rows(TopicLog<Measurement> log, String service, Set<String> ids) {
        Map<String, String> rows = new TreeMap<>();
        for (Measurement m : log.readOn()) {
            if (m.service().equals(service) && ids.contains(m.queryId())) {
                Map<String, String> scores = new LinkedHashMap<>();
                m.scores().forEach(s -> scores.put(s.metric(), "%.4f..%.4f".formatted(s.low(), s.high())));
                rows.put(m.queryId(), m.queryClass() + ' ' + m.completeness() + ' ' + scores);
            }
        }
        return rows;
    }
}
