package io.kipimo.engines;

import static io.kipimo.engines.EngineContract.JSON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.EmbeddedKafka;
import io.kipimo.engines.EngineContract.Query;
import io.kipimo.gateway.Gateway;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.config.ReplayConfig;
import io.kipimo.harness.solr.SolrCloud;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Solr's approximate search for the nearest vectors: its answers never say what they missed, so a share of them is run
 * again with more candidates than a shard has, which Solr searches exactly.
 */
@Tag("full")
class RecallITCase {
    private static final Path BED =
            Path.of("..", "solr", "target").toAbsolutePath().normalize();
    private static final int SHARDS = 2;
    private static final int DOCUMENTS = 4_000;
    private static final int DIMENSIONS = 32;
    private static final int K = EngineContract.K;
    private static final int QUERIES = 80;

    /** Of the answers that are drawn. */
    private static final double SHARE = 0.25;

    @AutoClose
    private final Started started = new Started();

    private final SplittableRandom random = new SplittableRandom(41);

    @Test
    void theDrawnAnswersHaveTheirRecallAndItsLossIsThatOfExactSearch() throws Exception {
        SolrCloud solr = started.keep(SolrCloud.start(BED, 1, SHARDS, 0));
        int node = solr.ports().get(0);
        index(solr);
        EmbeddedKafka broker = started.keep(EmbeddedKafka.start());
        KafkaSettings kafka = new KafkaSettings(broker.bootstrapServers(), "recall.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, EngineContract.policy("recall", MergeKind.REPLAYED_ANSWERS, Duration.ofSeconds(10)));
        EngineContract.startJob(started.keep(FlinkCluster.inProcess(1, 2)), kafka);
        GatewayConfig config = config(kafka, node);
        ReplayConfig replay = config.listeners().get(0).replay().orElseThrow();
        Gateway gateway = started.keep(Gateway.start(config));

        Map<String, Double> drawn = new LinkedHashMap<>();
        List<String> undrawn = new ArrayList<>();
        for (int query = 0; query < QUERIES; query++) {
            String id = EngineContract.traceId(query);
            String vector = vector();
            List<String> answer = ids(EngineContract.send(query(vector, K)
                    .at(gateway.ports().get("front"))
                    .header("traceparent", EngineContract.traceparent(query))));
            List<String> nearest =
                    ids(EngineContract.send(query(vector, DOCUMENTS).at(node)));
            assertThat(nearest).hasSize(K);
            if (replay.draws(id)) {
                drawn.put(id, nearest.stream().filter(answer::contains).count() / (double) K);
            } else {
                undrawn.add(id);
            }
        }
        assertThat(drawn).hasSizeBetween(QUERIES / 8, QUERIES * 3 / 8);
        assertThat(drawn.values()).anyMatch(recall -> recall < 1).anyMatch(recall -> recall > 0);

        try (QualityRows rows = new QualityRows(kafka)) {
            EngineContract.askUntil(
                    "are measured",
                    () -> query(vector(), K).at(gateway.ports().get("front")),
                    () -> rows.read().keySet().containsAll(drawn.keySet()));
            Map<String, Measurement> measured = rows.read();
            drawn.forEach((id, recall) -> check(measured.get(id), recall));
            assertThat(measured.keySet()).doesNotContainAnyElementsOf(undrawn);
        }
        System.out.printf(
                Locale.ROOT,
                "recall %.3f of %d drawn answers; extra load %.0f %%%n",
                drawn.values().stream().mapToDouble(r -> r).average().orElseThrow(),
                drawn.size(),
                100
                        * EngineContract.metric(gateway, "replay_seconds_total")
                        / EngineContract.metric(gateway, "query_seconds_total"));
    }

    private static void check(Measurement row, double recall) {
        assertThat(row.completeness()).as("%s", row).isEqualTo(Completeness.COMPLETE);
        assertThat(row.scores().get(0).low()).as("%s", row).isEqualTo(recall, within(1e-9));
        for (ComponentShare share : row.components()) {
            assertThat(share.lostQuality())
                    .as("%s", row)
                    .isEqualTo(share.component().equals("exact") ? 1 - recall : 0, within(1e-9));
        }
    }

    private void index(SolrCloud solr) throws Exception {
        ArrayNode documents = JSON.createArrayNode();
        for (int i = 0; i < DOCUMENTS; i++) {
            ObjectNode document = documents.addObject().put("id", "d" + i);
            document.set("vector", JSON.readTree(vector()));
        }
        solr.index(documents.toString(), true);
    }

    private String vector() {
        return IntStream.range(0, DIMENSIONS)
                .mapToObj(i -> String.format(Locale.ROOT, "%.4f", random.nextDouble(-1, 1)))
                .collect(Collectors.joining(",", "[", "]"));
    }

    /** @param candidates of each shard */
    private static Query query(String vector, int candidates) {
        return new Query(
                "POST",
                "/solr/docs/select?wt=json&rows=" + K + "&k=" + candidates,
                EngineContract.FORM,
                "q="
                        + EngineContract.encoded("{!knn f=vector topK=$k v=$near}")
                        + "&near="
                        + EngineContract.encoded(vector));
    }

    private static List<String> ids(JsonNode answer) {
        List<String> ids = new ArrayList<>();
        answer.at("/response/docs").forEach(doc -> ids.add(doc.path("id").asText()));
        return ids;
    }

    private static GatewayConfig config(KafkaSettings kafka, int node) {
        return ConfigFile.read(
                """
                service: recall
                admin: 127.0.0.1:0
                threads: 1
                kafka: {bootstrap-servers: '%s', topic-prefix: '%s'}
                sampling: {rate: 1}
                listeners:
                  - name: front
                    role: front
                    engine: solr
                    trusted-callers: [127.0.0.1]
                    listen: 127.0.0.1:0
                    servers: ['127.0.0.1:%d']
                    top-k: %d
                    replay: {budget: 1, of-clean: %s, set-parameters: {k: '%d'}}
                """.formatted(kafka.bootstrapServers(), kafka.topicPrefix(), node, K, SHARE, DOCUMENTS), null, "gw");
    }
}
