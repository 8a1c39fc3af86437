package io.kipimo.engines;

import static io.kipimo.engines.EngineContract.JSON;
import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.kipimo.gateway.Gateway;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.harness.solr.SolrCloud;
import io.kipimo.sdk.internal.control.Control;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two replicas of Solr, of which one lacks documents: for good, and until its next commit. */
@Tag("full")
class ReplicaTruthITCase {
    private static final Path BED =
            Path.of("..", "solr", "target").toAbsolutePath().normalize();
    private static final int DOCUMENTS = 200;

    @AutoClose
    private final Started started = new Started();

    /** Each query is sampled and copied. */
    private static final class EachCopied implements Control {
        @Override
        public boolean admits(String queryClass, String queryId, double cost) {
            return true;
        }

        @Override
        public double fraction(String queryClass) {
            return 1;
        }

        @Override
        public int factor(String tier) {
            return 2;
        }

        @Override
        public boolean isSampled(String queryId, long startedAtMillis) {
            return true;
        }
    }

    @Test
    void theStaleReplicaIsNamedAndTiesAndLagAreToldApart() throws Exception {
        SolrCloud fresh = started.keep(SolrCloud.start(BED, 1, 1, 0));
        SolrCloud stale = started.keep(SolrCloud.start(BED, 1, 1, 0));
        // In opposite orders, by which Solr breaks ties.
        fresh.index(documents(0, DOCUMENTS, 1), true);
        stale.index(documents(DOCUMENTS - 1, -1, -1), true);
        Gateway gateway = started.keep(Gateway.start(
                ConfigFile.read(
                        """
                                        service: replicas
                                        threads: 1
                                        admin: 127.0.0.1:0
                                        listeners:
                                          - name: front
                                            role: front
                                            engine: solr
                                            listen: 127.0.0.1:0
                                            servers: ['127.0.0.1:%d', '127.0.0.1:%d']
                                            arbitration: {compare-after: 10s}
                                        """.formatted(fresh.ports().get(0), stale.ports().get(0)), null, "gateway"),
                new EachCopied()));

        // Scores fall with the number, so that both have one order.
        ask(gateway, "{!func}updates", 0);
        awaitComparisons(gateway, "same", 1);
        ask(gateway, "*:*", 1);
        awaitComparisons(gateway, "ties", 1);

        fresh.index(documents(DOCUMENTS, DOCUMENTS + 1, 1), true);
        ask(gateway, "{!func}updates", 2);
        awaitComparisons(gateway, "different", 1);
        assertThat(lacked(gateway, stale, "different")).isEqualTo(1);
        assertThat(lacked(gateway, fresh, "different")).isZero();

        // It has the document, and will show it with its next commit.
        stale.index(documents(DOCUMENTS, DOCUMENTS + 1, 1), false);
        ask(gateway, "{!func}updates", 3);
        stale.index("[]", true);
        awaitComparisons(gateway, "lag", 1);
        assertThat(lacked(gateway, stale, "lag")).isEqualTo(1);
        assertThat(lacked(gateway, fresh, "lag")).isZero();

        ask(gateway, "{!func}updates", 4);
        awaitComparisons(gateway, "same", 2);
        assertThat(comparisons(gateway, "different")).isEqualTo(1);
        assertThat(comparisons(gateway, "unknown")).isZero();
    }

    private static String documents(int from, int to, int step) {
        ArrayNode documents = JSON.createArrayNode();
        for (int i = from; i != to; i += step) {
            documents.addObject().put("id", "d" + i).put("updates", i + 1L);
        }
        return documents.toString();
    }

    private static void ask(Gateway gateway, String query, int number) throws Exception {
        assertThat(EngineContract.send(EngineContract.Query.get("/solr/docs/select?wt=json&rows=10&q="
                                        + URLEncoder.encode(query, StandardCharsets.UTF_8))
                                .at(gateway.ports().get("front"))
                                .header("traceparent", EngineContract.traceparent(number)))
                        .at("/response/docs"))
                .hasSize(10);
    }

    /** Of the series of a counter that has these labels. */
    private static double figure(Gateway gateway, String name, String labels) {
        return gateway.metrics()
                .lines()
                .filter(line -> line.startsWith("kipimo_gateway_" + name) && line.contains(labels))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private static void awaitComparisons(Gateway gateway, String verdict, int count) {
        await(verdict).atMost(PATIENCE).until(() -> comparisons(gateway, verdict) == count);
    }

    private static double comparisons(Gateway gateway, String verdict) {
        return figure(gateway, "replica_comparisons_total", "verdict=\"" + verdict + '"');
    }

    private static double lacked(Gateway gateway, SolrCloud solr, String verdict) {
        return figure(
                gateway,
                "replica_lacked_total",
                "server=\"127.0.0.1:" + solr.ports().get(0) + "\",verdict=\"" + verdict + '"');
    }
}
