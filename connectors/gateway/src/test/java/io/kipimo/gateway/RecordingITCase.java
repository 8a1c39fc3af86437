package io.kipimo.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.record.ItemReaders;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.sdk.internal.control.SettableControl;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisServer;

/**
 * The front end does not know Kipimo, but propagates the trace context. It invokes two components and merges their
 * results. One component is too slow for the front end's time-out; a busy machine must not make the other one so.
 */
class RecordingITCase {
    private static final int TIMEOUT_MILLIS = 1_000;
    private static final int SLOW_MILLIS = 2_500;
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    @TempDir
    private Path directory;

    private final SettableControl control = new SettableControl();
    private final List<AutoCloseable> started = new ArrayList<>();

    /** Responses that the front end received, by component, in the order of arrival. */
    private final Map<String, List<Buffer>> received = new ConcurrentHashMap<>();

    /** Deadlines that the front end received, one per query. */
    private final List<String> deadlines = new CopyOnWriteArrayList<>();

    private final java.net.http.HttpClient http = java.net.http.HttpClient.newHttpClient();
    private Upstream fast;
    private Upstream slow;
    private Gateway gateway;
    private RedisServer redis;

    @BeforeEach
    void start() throws Exception {
        redis = LocalRedis.start(directory);
        fast = Upstream.start(r -> answer(r, 0, "{\"hits\":[{\"id\":1,\"score\":0.9}]}"));
        slow = Upstream.start(r -> answer(r, SLOW_MILLIS, "{\"hits\" : [ {\"id\":2,\"score\":0.95} ],\"é\":1}"));
        // The ports of the components are known when the front end is called.
        Upstream front = Upstream.start(
                r -> frontEnd(r, gateway.ports().get("fast"), gateway.ports().get("slow")));
        GatewayConfig config = ConfigFile.read(
                """
                        service: shop
                        threads: 2
                        admin: 127.0.0.1:0
                        record:
                          redis: ['127.0.0.1:%d']
                          timeout: 10s
                          expiration: 15s
                          replay: true
                          replay-without-headers: [x-deadline]
                        listeners:
                          - name: front
                            role: front
                            listen: 127.0.0.1:0
                            servers: ['127.0.0.1:%d']
                            trusted-callers: [127.0.0.1]
                            top-k: 2
                            items: {array: /hits}
                          - name: fast
                            role: component
                            listen: 127.0.0.1:0
                            servers: ['127.0.0.1:%d']
                            items: {array: /hits}
                          - name: slow
                            role: component
                            listen: 127.0.0.1:0
                            servers: ['127.0.0.1:%d']
                            items: {array: /hits}
                        """.formatted(redis.ports().get(0), front.port(), fast.port(), slow.port()), null, "gw");
        gateway = Gateway.start(config, control, ItemReaders.of(config));
        started.addAll(List.of(gateway, front, slow, fast));
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : started) {
            one.close();
        }
        redis.stop();
    }

    private static void answer(HttpServerRequest request, int millis, String json) {
        request.response().putHeader("content-type", "application/json").putHeader("x-shard", "7");
        Upstream.after(millis, json).handle(request);
    }

    private void frontEnd(HttpServerRequest request, int fastPort, int slowPort) {
        deadlines.add(String.valueOf(request.getHeader("x-deadline")));
        Vertx vertx = Vertx.currentContext().owner();
        HttpClient client = vertx.createHttpClient(new HttpClientOptions());
        List<Future<JsonArray>> parts =
                List.of(ask(client, request, "fast", fastPort), ask(client, request, "slow", slowPort));
        Future.join(parts).onComplete(all -> {
            JsonArray hits = new JsonArray();
            parts.stream().filter(Future::succeeded).forEach(p -> hits.addAll(p.result()));
            request.response().end(new JsonObject().put("hits", hits).encode());
            client.close();
        });
    }

    private Future<JsonArray> ask(HttpClient client, HttpServerRequest request, String component, int port) {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setHost("127.0.0.1")
                .setPort(port)
                .setURI("/part?" + request.query());
        if (component.equals("slow")) {
            options.setTimeout(TIMEOUT_MILLIS);
        }
        for (String name : List.of("traceparent", "tracestate")) {
            request.headers().getAll(name).forEach(v -> options.addHeader(name, v));
        }
        return client.request(options)
                .compose(r -> r.send())
                .compose(r -> r.body())
                .map(body -> {
                    received.computeIfAbsent(component, c -> new CopyOnWriteArrayList<>())
                            .add(body);
                    return body.toJsonObject().getJsonArray("hits");
                });
    }

    private HttpResponse<String> query(String traceId, String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + gateway.ports().get("front") + path))
                        .header("traceparent", "00-" + traceId + "-00f067aa0ba902b7-02")
                        .header("x-deadline", "1")
                        .build(),
                BodyHandlers.ofString());
    }

    private Answer answer(AnswerKind kind) {
        await("the answer " + kind)
                .until(() -> find(kind).isPresent()
                        || !Metrics.failedReplays(gateway).isEmpty());
        return find(kind).orElseThrow(() -> new AssertionError(Metrics.failedReplays(gateway)));
    }

    private Optional<Answer> find(AnswerKind kind) {
        return control.answers.stream().filter(a -> a.kind() == kind).findFirst();
    }

    @Test
    void whatCameTooLateIsRecordedAndGivenAgainToTheReplay() throws Exception {
        control.samplingRate = 1;

        assertThat(query(TRACE, "/search?q=a").body()).isEqualTo("{\"hits\":[{\"id\":1,\"score\":0.9}]}");

        Answer online = answer(AnswerKind.ONLINE);
        assertThat(online.queryId()).isEqualTo(TRACE);
        assertThat(online.topK()).isEqualTo(2);
        assertThat(online.items().numbers()).containsExactly(1);
        assertThat(online.invocations())
                .extracting(i -> i.component() + " " + i.outcome())
                .containsExactlyInAnyOrder("fast " + Outcome.IN_TIME, "slow " + Outcome.TIMED_OUT);
        Answer replayed = answer(AnswerKind.REPLAYED);
        assertThat(replayed.queryId()).isEqualTo(TRACE);
        assertThat(replayed.startedAtMillis()).isEqualTo(online.startedAtMillis());
        assertThat(replayed.items().numbers()).containsExactly(1, 2);

        assertThat(control.partials)
                .extracting(
                        p -> p.component() + " " + p.phase() + " " + p.items().numbers()[0])
                .containsExactlyInAnyOrder("fast " + Phase.ONLINE + " 1", "slow " + Phase.MATURE + " 2");
        PartialResult late = control.partials.stream()
                .filter(p -> p.phase() == Phase.MATURE)
                .findFirst()
                .orElseThrow();
        assertThat(late.latencyMicros()).isGreaterThanOrEqualTo(SLOW_MILLIS * 1_000L);
        assertThat(control.late.get()).isEqualTo(1);
        assertThat(control.offered.get())
                .as("a replay does not count as a query")
                .isEqualTo(1);
        assertThat(control.answered).hasSize(1);

        assertThat(deadlines).as("a replay omits headers that depend on time").containsExactly("1", "null");
        assertThat(fast.requests.get()).as("the replay calls no component").isEqualTo(1);
        assertThat(slow.requests.get()).isEqualTo(1);
        assertThat(received.get("slow"))
                .containsExactly(Buffer.buffer("{\"hits\" : [ {\"id\":2,\"score\":0.95} ],\"é\":1}"));
        assertThat(received.get("fast")).hasSize(2);
        assertThat(received.get("fast").get(0)).isEqualTo(received.get("fast").get(1));
    }

    @Test
    void aReplayWhoseRecordingIsGoneAsksTheComponentAndIsNotTakenForMature() throws Exception {
        control.samplingRate = 1;
        redis.stop();

        query(TRACE, "/search?q=a");

        await("the replay fails").until(() -> Metrics.failedReplays(gateway, "incomplete") == 1);
        assertThat(fast.requests.get()).isEqualTo(2);
        assertThat(control.answers).extracting(Answer::kind).containsExactly(AnswerKind.ONLINE);
        redis.start();
    }

    @Test
    void unsampledQueriesAreCountedAndTheirLateWorkIsStopped() throws Exception {
        control.samplingRate = 0;

        query(TRACE, "/search?q=a");

        assertThat(control.answered).singleElement().satisfies(invocations -> assertThat(invocations)
                .extracting(i -> i.component() + " " + i.outcome())
                .containsExactlyInAnyOrder("fast IN_TIME", "slow TIMED_OUT"));
        await("the component sees the cancellation").until(() -> slow.broken.get() == 1);
        assertThat(control.answers).isEmpty();
        assertThat(control.partials).isEmpty();
        assertThat(Metrics.of(gateway, "kipimo_gateway_queries_open")).isZero();
    }
}
