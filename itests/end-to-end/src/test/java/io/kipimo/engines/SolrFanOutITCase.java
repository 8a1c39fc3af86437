package io.kipimo.engines;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.EmbeddedKafka;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.gateway.Gateway;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.harness.solr.SolrCloud;
import io.kipimo.jobs.JobEnvironment;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.FanOutPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;
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
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A SolrCloud of six shards, each with nine tenths of the documents of one topic, behind the gateway. The quality job
 * learns from full queries which shards have what; then the gateway tells Solr to ask fewer, and what that costs is
 * measured as it is.
 */
@Tag("full")
class SolrFanOutITCase {
    private static final Path BED =
            Path.of("..", "solr", "target").toAbsolutePath().normalize();
    private static final int SHARDS = 6;
    private static final int DOCUMENTS_A_TOPIC = 400;
    private static final int WORDS_A_TOPIC = 20;
    private static final int WORDS_A_DOCUMENT = 5;
    private static final int K = 10;
    private static final double FLOOR = 0.8;
    private static final double EXPLORATION = 0.1;

    /** Queries with fewer shards. */
    private static final int TRIMMED = 80;

    private static final int MOST_QUERIES = 20_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AutoClose
    private final Started started = new Started();

    /** What was answered, and what the same query finds in all shards. */
    private record Asked(List<String> answer, String words) {}

    private JsonNode send(HttpRequest.Builder request) throws Exception {
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private static HttpRequest.Builder to(int port, String target) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target));
    }

    private static String word(int topic, int number) {
        return "t" + topic + "w" + number;
    }

    private void index(int node) throws Exception {
        send(to(
                node,
                "/solr/admin/collections?action=CREATE&name=topics&router.name=implicit"
                        + "&shards=s0,s1,s2,s3,s4,s5&replicationFactor=1"
                        + "&collection.configName=docs&wt=json"));
        SplittableRandom random = new SplittableRandom(23);
        List<ArrayNode> documents = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            documents.add(JSON.createArrayNode());
        }
        for (int topic = 0; topic < SHARDS; topic++) {
            for (int i = 0; i < DOCUMENTS_A_TOPIC; i++) {
                StringBuilder text = new StringBuilder();
                for (int w = 0; w < WORDS_A_DOCUMENT; w++) {
                    text.append(word(topic, random.nextInt(WORDS_A_TOPIC))).append(' ');
                }
                int shard = random.nextInt(10) == 0 ? random.nextInt(SHARDS) : topic;
                documents
                        .get(shard)
                        .addObject()
                        // Orders documents of equal score by chance.
                        .put("id", "d%08x-%d".formatted(random.nextInt() & 0x7fffffff, topic))
                        .put("text", text.toString());
            }
        }
        for (int shard = 0; shard < SHARDS; shard++) {
            send(to(node, "/solr/topics/update?commit=true&wt=json&_route_=s" + shard)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(documents.get(shard).toString())));
        }
    }

    private static Policy policy() {
        return Policy.builder()
                .service("topics")
                .version(1)
                .metrics(List.of("tpr@" + K))
                .topK(K)
                // The first answer of a cold gateway may come seconds after its results.
                .expirationWindowMillis(10_000)
                .windowMillis(5_000)
                .slideMillis(1_000)
                .classes(List.of(ClassPolicy.builder()
                        .name("default")
                        .objective(0.8)
                        .floor(1)
                        .build()))
                .sampling(SamplingPolicy.builder().maximumRate(1).fixedRate(1).build())
                .fanOut(Optional.of(FanOutPolicy.builder()
                        .classes(List.of("default"))
                        .floor(FLOOR)
                        .exploration(EXPLORATION)
                        .shadow(false)
                        .periodMillis(1_000)
                        .build()))
                .build();
    }

    private static void startJob(FlinkCluster cluster, KafkaSettings kafka) throws Exception {
        Configuration config = Configuration.fromMap(Map.of(
                "kafka.bootstrap-servers", kafka.bootstrapServers(),
                "kafka.topic-prefix", kafka.topicPrefix(),
                "source.out-of-orderness", "300 ms",
                "source.idleness", "1 s",
                "deadlines.profiles-per-second", "1000000",
                "deadlines.window", "1 min",
                "deadlines.every", "1 s",
                "parallelism.default", "1"));
        StreamExecutionEnvironment env = cluster.environment(JobEnvironment.withDefaults(config));
        QualityJob.define(env, QualityJob.OPTIONS.read(config));
        env.executeAsync("quality");
    }

    /** Free ports come before the listeners', which the front must know. */
    private Gateway gateway(KafkaSettings kafka, int node, Map<String, String> cores) throws Exception {
        Map<String, Integer> ports = new TreeMap<>();
        for (String shard : cores.keySet()) {
            ports.put(shard, FreePorts.one());
        }
        StringBuilder shards = new StringBuilder();
        StringBuilder listeners = new StringBuilder();
        cores.forEach((shard, core) -> {
            shards.append("        %s: '127.0.0.1:%d/solr/%s'\n".formatted(shard, ports.get(shard), core));
            listeners.append("""
                              - name: %s
                                role: component
                                trace-header: X-Trace-Id
                                listen: 127.0.0.1:%d
                                servers: ['127.0.0.1:%d']
                                idempotent: [GET, POST]
                                memo-without-parameters: [NOW, rid]
                                items: {reader: javabin}
                            """.formatted(shard, ports.get(shard), node));
        });
        return started.keep(Gateway.start(ConfigFile.read(
                """
                                service: topics
                                admin: 127.0.0.1:0
                                threads: 1
                                kafka: {bootstrap-servers: '%s', topic-prefix: '%s'}
                                sampling: {rate: 1, profiling-share: 1}
                                record: {timeout: 1s, expiration: 2s}
                                listeners:
                                  - name: front
                                    role: front
                                    trace-header: X-Trace-Id
                                    trusted-callers: [127.0.0.1]
                                    listen: 127.0.0.1:0
                                    servers: ['127.0.0.1:%d']
                                    top-k: %d
                                    deadline: 1s
                                    items: {array: /response/docs, cut-when: [/responseHeader/partialResults]}
                                    fan-out:
                                      features: {parameters: [words]}
                                      rewrite: solr
                                      components:
                                """.formatted(kafka.bootstrapServers(), kafka.topicPrefix(), node, K) + shards + listeners,
                null,
                "gw")));
    }

    private static String query(String words) {
        return "/solr/topics/select?rows="
                + K
                + "&wt=json&fl=id,score&q="
                + encoded("{!boost b=sum(1,product(0.000002,ord(id))) v=$words}")
                + "&words="
                + encoded("text:(" + words + ")^=1");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static List<String> ids(JsonNode answer) {
        List<String> ids = new ArrayList<>();
        answer.at("/response/docs").forEach(doc -> ids.add(doc.path("id").asText()));
        return ids;
    }

    private static boolean isTrimmed(Measurement row) {
        return row.components().stream().anyMatch(c -> c.outcome() == Outcome.NOT_ASKED);
    }

    private static long asked(Measurement row) {
        return row.components().stream()
                .map(ComponentShare::outcome)
                .filter(outcome -> outcome != Outcome.NOT_ASKED)
                .count();
    }

    @Test
    void solrAsksFewerShardsAndWhatThatCostsIsMeasuredAsItIs() throws Exception {
        SolrCloud solr = started.keep(SolrCloud.start(
                BED,
                1,
                1,
                0,
                // Shards at other addresses than those that ZooKeeper has.
                List.of("-Dsolr.disable.allowUrls=true")));
        int node = solr.ports().get(0);
        index(node);
        EmbeddedKafka broker = started.keep(EmbeddedKafka.start());
        KafkaSettings kafka = new KafkaSettings(broker.bootstrapServers(), "topics.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, policy());
        startJob(started.keep(FlinkCluster.inProcess(1, 2)), kafka);
        Map<String, String> cores = solr.cores("topics");
        assertThat(cores).hasSize(SHARDS);
        Gateway gateway = gateway(kafka, node, cores);

        SplittableRandom random = new SplittableRandom(31);
        Map<String, Asked> asked = new LinkedHashMap<>();
        while (chosen(gateway) < TRIMMED) {
            assertThat(asked.size()).as("queries until fewer shards are asked").isLessThan(MOST_QUERIES);
            int topic = random.nextInt(SHARDS);
            String words =
                    word(topic, random.nextInt(WORDS_A_TOPIC)) + " " + word(topic, random.nextInt(WORDS_A_TOPIC));
            String id = EngineContract.traceId(asked.size());
            JsonNode answer =
                    send(to(gateway.ports().get("front"), query(words)).header("X-Trace-Id", id));
            asked.put(id, new Asked(ids(answer), words));
        }

        try (QualityRows rows = new QualityRows(kafka)) {
            await("all are measured")
                    .atMost(PATIENCE)
                    .until(() -> rows.read().keySet().containsAll(asked.keySet()));
            double kept = 0;
            double measured = 0;
            double requests = 0;
            int trimmed = 0;
            Map<String, Measurement> measuredRows = rows.read();
            for (Map.Entry<String, Asked> one : asked.entrySet()) {
                Measurement row = measuredRows.get(one.getKey());
                assertThat(row.degraded()).as("%s", row).isFalse();
                if (!isTrimmed(row)) {
                    assertThat(asked(row)).as("%s", row).isEqualTo(SHARDS);
                    continue;
                }
                List<String> all = ids(send(to(node, query(one.getValue().words()))));
                assertThat(all).hasSize(K);
                trimmed++;
                kept += all.stream().filter(one.getValue().answer()::contains).count() / (double) K;
                measured += row.scores().get(0).high();
                requests += asked(row);
                assertThat(row.notAskedLoss())
                        .hasValueSatisfying(
                                loss -> assertThat(row.scores().get(0).high()).isEqualTo(1 - loss, within(1e-9)));
                assertThat(row.explored()).isFalse();
            }
            System.out.printf(
                    "%d queries, %d of them asked %.2f of %d shards; they kept %.3f, measured %.3f%n",
                    asked.size(), trimmed, requests / trimmed, SHARDS, kept / trimmed, measured / trimmed);
            assertThat(trimmed).isGreaterThanOrEqualTo(TRIMMED);
            assertThat(requests / trimmed).as("shards asked").isLessThan(SHARDS - 2);
            assertThat(kept / trimmed).as("the floor is kept").isGreaterThan(FLOOR);
            assertThat(measured / trimmed).isCloseTo(kept / trimmed, within(0.05));
            assertThat(measuredRows.values()).anyMatch(Measurement::explored);
        }
        assertThat(EngineContract.metric(gateway, "responses_unreadable_total")).isZero();
        assertThat(EngineContract.metric(gateway, "answers_unmeasurable_total")).isZero();
    }

    private static double chosen(Gateway gateway) {
        return EngineContract.metric(gateway, "choices_total{reason=\"chosen\"}");
    }
}
