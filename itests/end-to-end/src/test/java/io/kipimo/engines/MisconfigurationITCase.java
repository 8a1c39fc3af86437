package io.kipimo.engines;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.kipimo.cli.advice.HttpGates;
import io.kipimo.console.Console;
import io.kipimo.console.server.ServerSettings;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.EmbeddedKafka;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.harness.solr.SolrCloud;
import io.kipimo.labs.demos.enforcement.GatewayProcess;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a user sees of each misconfiguration of a gateway before Solr: a line in its log, a metric, and the word of the
 * console.
 */
@Tag("full")
class MisconfigurationITCase {
    private static final Path BED =
            Path.of("..", "solr", "target").toAbsolutePath().normalize();
    private static final String SERVICE = "shop";

    /**
     * A front listener; its name is its class.
     *
     * @param target of its queries
     * @param keys of the listener, further ones
     * @param line in the gateway's log
     * @param metric after {@code kipimo_gateway_}
     * @param label of the metric's series
     * @param word of the console
     */
    private record Misconfiguration(
            String name, String target, String keys, String line, String metric, String label, String word) {}

    private static final List<Misconfiguration> ALL = List.of(
            new Misconfiguration(
                    "wrong-preset",
                    "/solr/docs/select?q=de",
                    "engine: opensearch",
                    "no request was measured so far; GET /solr/docs/select passes, since"
                            + " only names */_search; check engine and only",
                    "passed_total",
                    "listener=\"wrong-preset\"",
                    "No queries were seen; if some were sent through a gateway, its log and its metric passed"),
            new Misconfiguration(
                    "no-trace-header",
                    "/solr/docs/select?q=de",
                    "items: {array: /response/docs}",
                    "a component was not asked: the front end must pass traceparent on",
                    "answers_unmeasurable_total",
                    "reason=\"not_asked\"",
                    "NOT_ASKED (the front end must pass the trace's headers on"),
            new Misconfiguration(
                    "https-to-http",
                    "/solr/docs/select?q=de",
                    "engine: solr",
                    "does not speak TLS",
                    "faults_total",
                    "fault=\"server-not-tls\"",
                    "FAILED_ANSWER (the front end's log, or the gateway's"),
            new Misconfiguration(
                    "unreadable-body",
                    "/solr/docs/select?wt=javabin&q=de",
                    "engine: solr",
                    "a response cannot be read",
                    "responses_unreadable_total",
                    "reason=\"form\"",
                    "UNREADABLE (compare engine"),
            new Misconfiguration(
                    "replay-cut-again",
                    // Its limit is not one of the request.
                    "/solr/docs/limited?q=de",
                    "engine: solr, only: ['*/limited'], replay: {budget: 1}",
                    "a replay was cut once more: take the limit away",
                    "replays_failed_total",
                    "reason=\"cut\"",
                    "how good they were is not known (without a replay; the gateway's replays_failed says why)"));

    @AutoClose
    private final Started started = new Started();

    @Test
    void eachHasALineAMetricAndTheConsolesWord(@TempDir Path directory) throws Exception {
        // Takes as long as Kafka and Flink.
        CompletableFuture<SolrCloud> starting = CompletableFuture.supplyAsync(() -> {
            try {
                return SolrCloud.start(BED, 1, 1, 1_000);
            } catch (IOException | InterruptedException e) {
                throw new CompletionException(e);
            }
        });
        EmbeddedKafka broker = started.keep(EmbeddedKafka.start());
        KafkaSettings kafka = new KafkaSettings(broker.bootstrapServers(), "wrong.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, policy());
        EngineContract.startJob(started.keep(FlinkCluster.inProcess(1, 2)), kafka);
        Console console = started.keep(Console.start(
                kafka,
                Duration.ofHours(1),
                new ServerSettings(ServerSettings.LOOPBACK, 0, Optional.empty()),
                new HttpGates(kafka),
                Optional.empty()));
        int solr = started.keep(starting.get()).ports().get(0);
        int[] free = FreePorts.distinct(ALL.size() + 2);
        int component = free[ALL.size()];
        int admin = free[ALL.size() + 1];
        // It asks Solr through the gateway, and does not pass traceparent on.
        BreakingProxy frontEnd = started.keep(new BreakingProxy(component));
        Map<String, String> servers = Map.of(
                "no-trace-header", "127.0.0.1:" + frontEnd.port(),
                "https-to-http", "https://127.0.0.1:" + solr);
        String listeners = IntStream.range(0, ALL.size())
                .mapToObj(i -> listener(
                        ALL.get(i), free[i], servers.getOrDefault(ALL.get(i).name(), "127.0.0.1:" + solr)))
                .collect(Collectors.joining());
        GatewayProcess gateway = started.keep(GatewayProcess.start(
                config(kafka, admin, component, solr) + listeners,
                IntStream.of(free).boxed().toList(),
                admin,
                directory));

        await("the console's words").atMost(PATIENCE).untilAsserted(() -> {
            // Event time, and so the windows, go on with the queries.
            for (int i = 0; i < ALL.size(); i++) {
                var unused = EngineContract.exchange(
                        EngineContract.Query.get(ALL.get(i).target()).at(free[i]));
            }
            Map<String, String> words = words(console);
            for (Misconfiguration wrong : ALL) {
                assertThat(words.get(wrong.name())).as(wrong.name()).contains(wrong.word());
            }
        });
        for (Misconfiguration wrong : ALL) {
            assertThat(lines(gateway, wrong.name() + ": "))
                    .as("each kind once a minute: %s", wrong.name())
                    .hasSizeLessThanOrEqualTo(3)
                    .anyMatch(line -> line.contains(wrong.line()));
            assertThat(gateway.figure("kipimo_gateway_" + wrong.metric(), wrong.label()))
                    .as(wrong.name())
                    .isPositive();
        }
    }

    private static List<String> lines(GatewayProcess gateway, String text) {
        return gateway.output().lines().filter(line -> line.contains(text)).toList();
    }

    /** What the console says of each class. */
    private static Map<String, String> words(Console console) throws Exception {
        JsonNode service =
                EngineContract.send(HttpRequest.newBuilder(URI.create(console.address() + "api/services/" + SERVICE)));
        Map<String, String> words = new HashMap<>();
        service.path("classes")
                .forEach(one -> words.put(
                        one.path("name").asText(), one.path("statusReason").asText()));
        return words;
    }

    private static Policy policy() {
        return Policy.builder()
                .service(SERVICE)
                .version(1)
                .metrics(List.of("tpr@10"))
                .merge(new MergePolicy(MergeKind.REPLAYED_ANSWERS, List.of(), Map.of()))
                .topK(10)
                .expirationWindowMillis(2_000)
                .windowMillis(10_000)
                .slideMillis(1_000)
                .classes(IntStream.range(0, ALL.size())
                        .mapToObj(i -> ClassPolicy.builder()
                                .name(ALL.get(i).name())
                                .priority(i)
                                .objective(0.9)
                                .floor(1)
                                .build())
                        .toList())
                .build();
    }

    private static String config(KafkaSettings kafka, int admin, int component, int solr) {
        return """
        service: %s
        admin: 127.0.0.1:%d
        threads: 1
        kafka: {bootstrap-servers: '%s', topic-prefix: '%s'}
        sampling: {rate: 1}
        record: {expiration: 2s}
        classes: {%s}
        listeners:
          - {name: component, role: component, listen: '127.0.0.1:%d', servers: ['127.0.0.1:%d']}
        """.formatted(
                        SERVICE,
                        admin,
                        kafka.bootstrapServers(),
                        kafka.topicPrefix(),
                        ALL.stream().map(one -> one.name() + ": {floor: 1}").collect(Collectors.joining(", ")),
                        component,
                        solr);
    }

    private static String listener(Misconfiguration wrong, int port, String server) {
        return "  - {name: %s, class: %s, role: front, listen: '127.0.0.1:%d', servers: ['%s'], %s}%n"
                .formatted(wrong.name(), wrong.name(), port, server, wrong.keys());
    }
}
