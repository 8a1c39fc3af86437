package io.kipimo.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.record.ItemReaders;
import io.kipimo.schemas.tails.DivergentQuery;
import io.kipimo.schemas.tails.ReplicaTruth;
import io.kipimo.sdk.internal.control.SettableControl;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Two servers whose answers to copies of one query are compared. */
class ReplicaAnswersTest extends StartedParts {
    private static final String FULL = answer("a", 3, "b", 2, "c", 1);

    private final SettableControl control = new SettableControl();
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<Integer, String> says = new ConcurrentHashMap<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final List<Upstream> servers = new ArrayList<>();
    private Gateway gateway;

    private static String answer(Object... idsAndScores) {
        StringBuilder hits = new StringBuilder();
        for (int i = 0; i < idsAndScores.length; i += 2) {
            hits.append(hits.isEmpty() ? "" : ",")
                    .append("{\"_index\":\"i\",\"_id\":\"" + idsAndScores[i] + "\",\"_score\":")
                    .append(idsAndScores[i + 1] + "}");
        }
        return "{\"timed_out\":false,\"_shards\":{\"total\":1,\"successful\":1,\"failed\":0},"
                + "\"hits\":{\"hits\":["
                + hits
                + "]}}";
    }

    private void start(String compareAfter) throws Exception {
        for (int i = 0; i < 2; i++) {
            int server = i;
            says.put(server, FULL);
            Upstream upstream = Upstream.start(request -> {
                request.response().end(says.get(server));
                answered.incrementAndGet();
            });
            servers.add(upstream);
            started.add(0, upstream);
        }
        GatewayConfig config = ConfigFile.read(
                """
                        service: shop
                        threads: 1
                        admin: 127.0.0.1:0
                        listeners:
                          - name: front
                            role: front
                            engine: opensearch
                            listen: 127.0.0.1:0
                            servers: ['127.0.0.1:%d', '127.0.0.1:%d']
                            arbitration: {compare-after: %s}
                        """.formatted(servers.get(0).port(), servers.get(1).port(), compareAfter), null, "gw");
        gateway = Gateway.start(config, control, ItemReaders.of(config));
        started.add(0, gateway);
        control.samplingRate = 1;
        control.factor = 2;
    }

    /** Returns when each copy has its answer. */
    private void ask() throws Exception {
        int before = answered.get();
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.ports().get("front") + "/i/_search"))
                .build();
        assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        await("copies").until(() -> answered.get() >= before + control.factor);
    }

    private double comparisons(String verdict) {
        return Metrics.of(
                gateway, "kipimo_gateway_replica_comparisons_total{listener=\"front\",verdict=\"" + verdict + "\"}");
    }

    private double lacked(int server, String verdict) {
        return Metrics.of(
                gateway,
                "kipimo_gateway_replica_lacked_total{listener=\"front\",server=\"127.0.0.1:"
                        + servers.get(server).port()
                        + "\",verdict=\""
                        + verdict
                        + "\"}");
    }

    private void awaitComparisons(String verdict, int count) {
        await(verdict).until(() -> comparisons(verdict) == count);
    }

    @Test
    void theSameAnswersAreTheSameAndNobodyIsAskedAgain() throws Exception {
        start("1ms");
        ask();
        awaitComparisons("same", 1);
        says.put(1, answer("a", 3, "b", 2.0, "c", 1));
        ask();
        awaitComparisons("same", 2);
        assertThat(servers).allMatch(server -> server.requests.get() == 2);
    }

    @Test
    void equalScoresInAnotherOrderAreTies() throws Exception {
        start("1ms");
        says.put(0, answer("a", 1, "b", 1, "c", 1));
        says.put(1, answer("b", 1, "c", 1, "a", 1));
        ask();
        awaitComparisons("ties", 1);
        assertThat(servers).allMatch(server -> server.requests.get() == 1);
    }

    @Test
    void theStaleServerIsNamedIfItStillDiffers() throws Exception {
        start("1ms");
        says.put(1, answer("b", 2, "c", 1));
        ask();
        awaitComparisons("different", 1);
        assertThat(lacked(1, "different")).isEqualTo(1);
        assertThat(lacked(0, "different")).isZero();
        assertThat(comparisons("lag")).isZero();
        assertThat(servers).allMatch(server -> server.requests.get() == 2);

        await("report").atMost(Duration.ofMinutes(1)).until(() -> control.replicaTruth.isPresent());
        ReplicaTruth truth = control.replicaTruth.orElseThrow();
        assertThat(truth.component()).isEqualTo("front");
        assertThat(truth.different()).isEqualTo(1);
        assertThat(truth.queries())
                .extracting(DivergentQuery::server, DivergentQuery::items)
                .containsExactly(tuple("127.0.0.1:" + servers.get(1).port(), List.of("i/a")));
    }

    @Test
    void theServerThatCaughtUpOnlyLagged() throws Exception {
        start("300ms");
        says.put(0, answer("b", 2, "c", 1));
        ask();
        says.put(0, FULL);
        awaitComparisons("lag", 1);
        assertThat(lacked(0, "lag")).isEqualTo(1);
        assertThat(lacked(1, "lag")).isZero();
        assertThat(comparisons("different")).isZero();
    }

    @Test
    void oneQueryAtATimeIsAskedAgain() throws Exception {
        start("1h");
        says.put(1, answer("b", 2, "c", 1));
        ask();
        ask();
        awaitComparisons("unknown", 1);
        assertThat(servers).allMatch(server -> server.requests.get() == 2);
    }

    @Test
    void whatIsNoEvidenceIsNotCompared() throws Exception {
        start("1ms");
        says.put(1, FULL.replace("\"timed_out\":false", "\"timed_out\":true"));
        ask();
        says.put(1, "{");
        ask();
        says.put(1, FULL);
        ask();
        awaitComparisons("same", 1);
        assertThat(comparisons("different") + comparisons("unknown")).isZero();
    }

    @Test
    void withoutTheSettingOrTheSampleNothingIsCompared() throws Exception {
        start("1ms");
        control.samplingRate = 0;
        ask();
        control.samplingRate = 1;
        control.factor = 1;
        ask();
        control.factor = 2;
        ask();
        awaitComparisons("same", 1);
    }

    @Test
    void anAnswerThatDoesNotComeAgainIsUnknown() throws Exception {
        start("300ms");
        says.put(1, answer("b", 2, "c", 1));
        ask();
        servers.get(1).close();
        awaitComparisons("unknown", 1);
        assertThat(comparisons("different")).isZero();
    }
}
