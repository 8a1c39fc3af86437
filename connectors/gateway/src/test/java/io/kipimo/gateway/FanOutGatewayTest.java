package io.kipimo.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.core.quality.fanout.model.FanOutChoice.Reason;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.record.ItemReaders;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Features;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.sdk.internal.control.SettableControl;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A front end that asks all components, behind a gateway that lets some of them be left out. */
class FanOutGatewayTest extends StartedParts {
    private static final List<String> COMPONENTS = List.of("a", "b", "c");
    private static final String HITS = "{\"hits\":[{\"id\":1,\"score\":0.9}]}";
    private static final String NOTHING = "{\"hits\":[]}";

    private final SettableControl control = new SettableControl();
    private final Random random = new Random(5);
    private final java.net.http.HttpClient http = java.net.http.HttpClient.newBuilder()
            .version(java.net.http.HttpClient.Version.HTTP_1_1)
            .build();

    /** Requests that reached each component. */
    private final Map<String, List<String>> reached = new ConcurrentHashMap<>();

    /** What the front end got from each component. */
    private final Map<String, String> got = new ConcurrentHashMap<>();

    private final List<HttpServerRequest> asked = new CopyOnWriteArrayList<>();
    private volatile boolean componentsFail;
    private Gateway gateway;

    private void start(String fanOut, String component) throws Exception {
        Upstream frontEnd = keep(Upstream.start(this::frontEnd));
        StringBuilder listeners = new StringBuilder();
        for (String name : COMPONENTS) {
            Upstream upstream = keep(Upstream.start(request -> {
                reached.computeIfAbsent(name, n -> new CopyOnWriteArrayList<>()).add(request.uri());
                boolean isReplay = request.headers().contains("tracestate");
                request.response()
                        .setStatusCode(componentsFail && !isReplay ? 500 : 200)
                        .end(HITS);
            }));
            listeners.append(
                    "  - {name: %s, role: component, listen: '127.0.0.1:0', servers: ['127.0.0.1:%d'], items: {array: /hits}%s}\n"
                            .formatted(name, upstream.port(), component));
        }
        GatewayConfig config =
                ConfigFile.read("""
                        service: shop
                        threads: 2
                        admin: 127.0.0.1:0
                        record: {redis: ['127.0.0.1:%d'], timeout: 500ms, expiration: 60s, replay: true}
                        listeners:
                          - name: front
                            role: front
                            listen: '127.0.0.1:0'
                            servers: ['127.0.0.1:%d']
                            trusted-callers: [127.0.0.1]
                            idempotent: [GET, POST]
                            items: {array: /hits}
                            fan-out: {%s}
                        %s""".formatted(LocalRedis.freePort(), frontEnd.port(), fanOut, listeners), null, "gw");
        gateway = keep(Gateway.start(config, control, ItemReaders.of(config)));
        control.samplingRate = 1;
        control.profiles = true;
    }

    /** Components answer at once for what is not asked. */
    private void startWithListeners() throws Exception {
        start("features: {parameters: [q], fields: [/query/text]}", ", not-asked: {body: '" + NOTHING + "'}");
    }

    private void startRewriting(String engine) throws Exception {
        start(
                "features: {parameters: [q]}, rewrite: " + engine + ", components: {a: 's1/x', b: 's2/y', c: 's3/z'}",
                "");
    }

    private void frontEnd(HttpServerRequest request) {
        asked.add(request);
        HttpClient client = Vertx.currentContext().owner().createHttpClient();
        Future<Void> all = Future.succeededFuture();
        for (String name : COMPONENTS) {
            all = all.compose(v -> ask(client, request, name));
        }
        all.onComplete(v -> {
            client.close();
            request.response().end(HITS);
        });
    }

    /** As an engine asks its shards: those that the request names, or all. */
    private Future<Void> ask(HttpClient client, HttpServerRequest request, String name) {
        String shards = request.getParam("shards");
        if (shards != null && !shards.contains("s" + (COMPONENTS.indexOf(name) + 1))) {
            return Future.succeededFuture();
        }
        RequestOptions options = new RequestOptions()
                .setHost("127.0.0.1")
                .setPort(gateway.ports().get(name))
                .setURI("/part")
                .putHeader("traceparent", request.getHeader("traceparent"));
        if (request.headers().contains("tracestate")) {
            options.putHeader("tracestate", request.getHeader("tracestate"));
        }
        return client.request(options)
                .compose(r -> r.send())
                .compose(r -> r.body())
                .onSuccess(body -> got.put(name, body.toString()))
                .mapEmpty();
    }

    private HttpResponse<String> query(HttpRequest.Builder request) throws Exception {
        String id = "%016x%016x".formatted(random.nextLong() | 1, random.nextLong());
        return http.send(
                request.header("traceparent", "00-" + id + "-00f067aa0ba902b7-02")
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpRequest.Builder to(String target) {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + gateway.ports().get("front") + target));
    }

    private Answer answer() {
        await("the answer").until(() -> !control.answers.isEmpty());
        return control.answers.get(0);
    }

    private static Map<String, Outcome> outcomes(Answer answer) {
        Map<String, Outcome> outcomes = new TreeMap<>();
        for (Invocation one : answer.invocations()) {
            outcomes.put(one.component(), one.outcome());
        }
        return outcomes;
    }

    private double count(String series) {
        return Metrics.of(gateway, series);
    }

    @Test
    void aListenerAnswersForAComponentThatTheQueryLeavesOut() throws Exception {
        startWithListeners();
        control.asked = all -> List.of("a", "c");
        control.kept = 0.9;
        assertThat(query(to("/search?q=Deep+Sea")).statusCode()).isEqualTo(200);

        assertThat(reached).containsOnlyKeys("a", "c");
        assertThat(got).isEqualTo(Map.of("a", HITS, "b", NOTHING, "c", HITS));
        assertThat(answer().whyUnmeasurable()).isEmpty();
        assertThat(outcomes(answer()))
                .isEqualTo(Map.of(
                        "a", Outcome.IN_TIME,
                        "b", Outcome.NOT_ASKED,
                        "c", Outcome.IN_TIME));
        assertThat(answer().notAskedLoss())
                .hasValueSatisfying(l -> assertThat(l).isCloseTo(0.1, within()));
        assertThat(answer().explored()).isFalse();
        assertThat(answer().features()).isEqualTo(Features.ofTexts(List.of("deep", "sea")));
        assertThat(control.notAskedLosses).containsExactly(answer().notAskedLoss());
        assertThat(control.reasons).containsExactly(Optional.empty());
        assertThat(count("kipimo_gateway_not_asked_total{listener=\"b\"}")).isEqualTo(1);
        assertThat(count("kipimo_gateway_choices_total{reason=\"chosen\"}")).isEqualTo(1);
        await("its results").until(() -> control.partials.size() == 2);
        assertThat(control.partials).extracting(p -> p.component()).containsOnly("a", "c");
    }

    private static org.assertj.core.data.Offset<Double> within() {
        return org.assertj.core.data.Offset.offset(1e-9);
    }

    @Test
    void anExploredQueryAsksAllAndSaysSo() throws Exception {
        startWithListeners();
        control.reason = Reason.EXPLORED;
        query(to("/search?q=sea"));

        assertThat(reached).containsOnlyKeys("a", "b", "c");
        assertThat(answer().explored()).isTrue();
        assertThat(answer().notAskedLoss()).isEmpty();
        assertThat(control.notAskedLosses).containsExactly(Optional.empty());
    }

    @Test
    void aReplayAsksAll() throws Exception {
        startWithListeners();
        control.asked = all -> List.of("a", "c");
        control.kept = 0.9;
        componentsFail = true;
        query(to("/search?q=sea"));

        await("the mature answer").until(() -> control.answers.stream().anyMatch(a -> a.kind() == AnswerKind.REPLAYED));
        assertThat(reached.get("b")).as("only the replay asked it").hasSize(1);
        assertThat(reached.get("a")).hasSize(2);
    }

    @Test
    void aTrustedCallerStatesFeaturesAndABodyHasWords() throws Exception {
        startWithListeners();
        query(to("/search")
                .header("kipimo-features", "1f, ffffffffffffffff")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"query\":{\"text\":[\"Blue whale\",\"sea\"]}}")));

        long[] words = Features.ofTexts(List.of("blue", "whale", "sea")).hashes();
        assertThat(answer().features()).isEqualTo(Features.of(0x1f, -1, words[0], words[1], words[2]));
    }

    @Test
    void aMalformedHeaderSaysNothing() throws Exception {
        startWithListeners();
        query(to("/search").header("kipimo-features", "1f, no"));

        assertThat(answer().features()).isEqualTo(Features.NONE);
        assertThat(control.features).containsExactly(Features.NONE);
    }

    @Test
    void solrIsToldWhichShardsToAskAndAReplayAsksAll() throws Exception {
        startRewriting("solr");
        control.asked = all -> List.of("a", "c");
        control.kept = 0.9;
        componentsFail = true;
        query(to("/select?q=sea"));

        assertThat(asked.get(0).uri()).isEqualTo("/select?q=sea&shards=s1%2Fx%2Cs3%2Fz");
        assertThat(outcomes(answer()))
                .isEqualTo(Map.of(
                        "a", Outcome.FAILED,
                        "b", Outcome.NOT_ASKED,
                        "c", Outcome.FAILED));
        await("the replay").until(() -> asked.size() == 2);
        assertThat(asked.get(1).uri()).isEqualTo("/select?q=sea&shards=s1%2Fx%2Cs2%2Fy%2Cs3%2Fz");
    }

    @Test
    void openSearchAndVespaAreToldInTheirParameters() throws Exception {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("opensearch", "/select?preference=_shards%3As1%2Fx%2Cs3%2Fz");
        parameters.put("vespa", "/select?restrict=s1%2Fx%2Cs3%2Fz");
        control.asked = all -> List.of("a", "c");
        for (Map.Entry<String, String> one : parameters.entrySet()) {
            startRewriting(one.getKey());
            asked.clear();
            query(to("/select"));
            assertThat(asked.get(0).uri()).isEqualTo(one.getValue());
        }
    }

    @Test
    void aRequestThatNamesItsShardsIsSentAsItIs() throws Exception {
        startRewriting("solr");
        control.asked = all -> List.of("a");
        query(to("/select?q=sea&shards=s1,s2,s3"));
        query(to("/select")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"params\":{\"shards\":\"s1,s2,s3\"}}")));
        query(to("/select")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("q=sea&sh%61rds=s1")));
        query(to("/select").header("Content-Type", "application/json").POST(BodyPublishers.ofString("{\"params\":{")));

        assertThat(asked)
                .extracting(HttpServerRequest::uri)
                .containsExactly("/select?q=sea&shards=s1,s2,s3", "/select", "/select", "/select");
        assertThat(control.features).as("nothing was chosen").isEmpty();
        assertThat(control.notAskedLosses).containsOnly(Optional.empty());
    }

    @Test
    void aComponentThatIsAskedAllTheSameIsNoDeliberateLoss() throws Exception {
        // An engine that ignores the parameter: the front end of this test knows only "shards".
        startRewriting("vespa");
        control.asked = all -> List.of("a");
        control.kept = 0.5;
        query(to("/select?q=sea"));

        assertThat(outcomes(answer()).values()).containsOnly(Outcome.IN_TIME);
        assertThat(answer().notAskedLoss()).isEmpty();
    }

    @Test
    void featuresOfOutsidersAreNotPassedOn() throws Exception {
        Upstream server = keep(Upstream.start(
                request -> request.response().end(String.valueOf(request.getHeader("kipimo-features")))));
        GatewayConfig config = ConfigFile.read("""
                        service: shop
                        threads: 1
                        admin: 127.0.0.1:0
                        listeners:
                          - {name: front, role: front, listen: '127.0.0.1:0', servers: ['127.0.0.1:%d']}
                        """.formatted(server.port()), null, "gw");
        gateway = keep(Gateway.start(config, control, ItemReaders.of(config)));
        assertThat(query(to("/").header("kipimo-features", "1f")).body()).isEqualTo("null");
    }
}
