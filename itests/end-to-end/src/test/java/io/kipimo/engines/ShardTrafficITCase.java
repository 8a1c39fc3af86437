package io.kipimo.engines;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.EmbeddedKafka;
import io.kipimo.gateway.Gateway;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.harness.solr.SolrCloud;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The gateway between a real SolrCloud's coordinator and its shards, which speak javabin: a shard that answers after
 * the coordinator has given it up has a late result, and the blame.
 */
@Tag("full")
class ShardTrafficITCase {
    private static final Path BED =
            Path.of("..", "solr", "target").toAbsolutePath().normalize();
    private static final int SHARDS = 3;
    private static final int K = EngineContract.K;
    private static final int QUERIES = 16;

    /** A query of so many has a slow shard. */
    private static final int SLOW = 4;

    /** The handler {@code /impatient} gives a shard up earlier. */
    private static final int SLOW_MILLIS = 3_000;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AutoClose
    private final Started started = new Started();

    private final List<BreakingProxy> proxies = new ArrayList<>();

    private JsonNode get(String address, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + address));
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private static List<String> ids(JsonNode answer) {
        List<String> ids = new ArrayList<>();
        answer.at("/response/docs").forEach(doc -> ids.add(doc.path("id").asText()));
        return ids;
    }

    private Gateway gateway(KafkaSettings kafka, int coordinator, Set<String> shards) throws Exception {
        StringBuilder components = new StringBuilder();
        for (String shard : shards) {
            // One node has all shards.
            proxies.add(started.keep(new BreakingProxy(coordinator)));
            components.append(
                    """
                      - name: %s
                        role: component
                        trace-header: X-Trace-Id
                        listen: 127.0.0.1:0
                        servers: ['127.0.0.1:%d']
                        idempotent: [GET, POST]
                        memo-without-parameters: [NOW, rid]
                        items: {reader: javabin}
                    """.formatted(shard, proxies.get(proxies.size() - 1).port()));
        }
        return started.keep(Gateway.start(ConfigFile.read(
                """
                                service: shards
                                admin: 127.0.0.1:0
                                threads: 1
                                kafka: {bootstrap-servers: '%s', topic-prefix: '%s'}
                                sampling: {rate: 1}
                                record: {timeout: 10s, expiration: 12s}
                                listeners:
                                  - name: front
                                    role: front
                                    trace-header: X-Trace-Id
                                    trusted-callers: [127.0.0.1]
                                    listen: 127.0.0.1:0
                                    servers: ['127.0.0.1:%d']
                                    top-k: %d
                                    items: {array: /response/docs, cut-when: [/responseHeader/partialResults]}
                                """.formatted(kafka.bootstrapServers(), kafka.topicPrefix(), coordinator, K) + components,
                null,
                "gw")));
    }

    @Test
    void aShardThatAnswersTooLateHasALateResultAndTheBlame() throws Exception {
        SolrCloud solr = started.keep(SolrCloud.start(
                BED,
                1,
                SHARDS,
                5_000,
                // Shards at other addresses than those that ZooKeeper has.
                List.of("-Dsolr.disable.allowUrls=true")));
        EmbeddedKafka broker = started.keep(EmbeddedKafka.start());
        KafkaSettings kafka = new KafkaSettings(broker.bootstrapServers(), "shards.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, EngineContract.policy("shards", MergeKind.TOP_K_BY_SCORE, Duration.ofSeconds(12)));
        EngineContract.startJob(started.keep(FlinkCluster.inProcess(1, 2)), kafka);
        int node = solr.ports().get(0);
        Map<String, String> cores = solr.cores("docs");
        assertThat(cores).hasSize(SHARDS);
        Gateway gateway = gateway(kafka, node, cores.keySet());
        String shards = cores.entrySet().stream()
                .map(core -> "127.0.0.1:" + gateway.ports().get(core.getKey()) + "/solr/" + core.getValue())
                .collect(Collectors.joining(","));
        List<String> names = List.copyOf(cores.keySet());
        // On a busy machine the first queries take a cold Solr longer than its coordinator waits.
        for (String word : EngineContract.WORDS) {
            var unused = get("127.0.0.1:" + node + "/solr/docs/select?rows=10&q=" + word + "&shards=" + shards);
        }
        SplittableRandom random = new SplittableRandom(3);
        Map<String, Integer> slowOnes = new LinkedHashMap<>();
        Map<String, Double> expected = new LinkedHashMap<>();
        for (int query = 0; query < QUERIES; query++) {
            int slow = query % SLOW == SLOW - 1 ? query / SLOW % SHARDS : -1;
            // Without a term of its own, documents of a shard would often have the same score.
            String words = "{!boost b=sum(1,product(0.000002,ord(id)))}" + words(random);
            String parameters = "?rows=10&q=" + URLEncoder.encode(words, StandardCharsets.UTF_8);
            List<String> mature = ids(get("127.0.0.1:" + node + "/solr/docs/select" + parameters));
            assertThat(mature).hasSize(K);
            if (slow >= 0) {
                proxies.get(slow).delayMillis = SLOW_MILLIS;
            }
            String id = EngineContract.traceId(query);
            JsonNode answer = get(
                    "127.0.0.1:"
                            + gateway.ports().get("front")
                            + "/solr/docs/impatient"
                            + parameters
                            + "&shards.tolerant=true&shards="
                            + shards,
                    "X-Trace-Id",
                    id);
            proxies.forEach(proxy -> proxy.delayMillis = 0);
            slowOnes.put(id, slow);
            expected.put(id, mature.stream().filter(ids(answer)::contains).count() / (double) K);
        }

        double least = 1;
        try (QualityRows rows = new QualityRows(kafka)) {
            await("all are measured")
                    .atMost(PATIENCE)
                    .until(() -> rows.read().keySet().containsAll(expected.keySet()));
            Map<String, Measurement> measured = rows.read();
            for (Map.Entry<String, Double> one : expected.entrySet()) {
                Measurement row = measured.get(one.getKey());
                assertThat(row.completeness()).as("%s", row).isEqualTo(Completeness.COMPLETE);
                assertThat(row.components())
                        .extracting(ComponentShare::component)
                        .containsExactlyInAnyOrderElementsOf(names);
                assertThat(row.scores().get(0).low()).as("%s", row).isEqualTo(one.getValue(), within(1e-9));
                double blamed = 0;
                for (ComponentShare share : row.components()) {
                    boolean isLate = share.outcome() == Outcome.TIMED_OUT;
                    assertThat(isLate || share.lostQuality() == 0).as("%s", row).isTrue();
                    blamed += share.lostQuality();
                    int slow = slowOnes.get(one.getKey());
                    if (slow >= 0 && share.component().equals(names.get(slow))) {
                        assertThat(isLate).as("%s", row).isTrue();
                        assertThat(share.missing()).isFalse();
                    }
                }
                assertThat(blamed).isEqualTo(1 - one.getValue(), within(1e-9));
                least = Math.min(least, one.getValue());
            }
        }
        assertThat(least).as("a late shard had documents of the answer").isLessThan(1);
        assertThat(EngineContract.metric(gateway, "responses_unreadable_total")).isZero();
        assertThat(EngineContract.metric(gateway, "late_total")).isPositive();
    }

    private static String words(SplittableRandom random) {
        return EngineContract.WORDS.get(random.nextInt(EngineContract.WORDS.size()))
                + " "
                + EngineContract.WORDS.get(random.nextInt(EngineContract.WORDS.size()));
    }
}
