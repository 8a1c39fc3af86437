package io.kipimo.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.record.ItemReaders;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.sdk.internal.control.SettableControl;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.RequestOptions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The number and size of queries that are kept for replay are bounded (issue 17, E5). Requests are sent as bytes. */
class ReplayBoundsTest {
    private static final String HITS = "{\"hits\":[{\"id\":1,\"score\":0.5}]}";
    private static final int QUERIES = 6;

    private final SettableControl control = new SettableControl();

    /** Requests that the component has not answered yet. */
    private final List<HttpServerRequest> waiting = new CopyOnWriteArrayList<>();

    private volatile boolean isSlow = true;

    /** Completed when the slow component has the request of the latest query. */
    private volatile Promise<Void> reached = Promise.promise();

    /** Whether the front end sends a part of its answer every 100 ms, and never the whole. */
    private volatile boolean frontTrickles;

    private final AtomicInteger trickles = new AtomicInteger();
    private Upstream component;
    private Upstream front;
    private Gateway gateway;

    /**
     * Starts front and component. The gateway waits for late responses as long as the test needs.
     *
     * @param bounds keys of section {@code record}
     */
    private void start(String bounds) throws Exception {
        start("timeout: 50s, expiration: 60s", bounds);
    }

    private void start(String times, String bounds) throws Exception {
        component = Upstream.start(request -> {
            if (isSlow) {
                waiting.add(request);
                var unused = reached.tryComplete();
            } else {
                request.response().end(HITS);
            }
        });
        front = Upstream.start(this::frontEnd);
        GatewayConfig config = ConfigFile.read(
                """
                        service: shop
                        threads: 1
                        admin: 127.0.0.1:0
                        record: {redis: ['127.0.0.1:%d'], %s, replay: true, %s}
                        listeners:
                          - {name: front, role: front, idempotent: [GET, POST], listen: '127.0.0.1:0', servers: ['127.0.0.1:%d'], items: {array: /hits}}
                          - {name: part, role: component, listen: '127.0.0.1:0', servers: ['127.0.0.1:%d'], items: {array: /hits}}
                        """.formatted(
                                // Redis is down, so replays invoke the component.
                                LocalRedis.freePort(), times, bounds, front.port(), component.port()),
                null,
                "gw");
        gateway = Gateway.start(config, control, ItemReaders.of(config));
        control.samplingRate = 1;
    }

    @AfterEach
    void stop() {
        gateway.close();
        front.close();
        component.close();
    }

    /** Answers without the component if that is slow, as soon as it has the request. */
    private void frontEnd(HttpServerRequest request) {
        Promise<Void> asks = Promise.promise();
        reached = asks;
        Context context = Vertx.currentContext();
        HttpClient client = context.owner().createHttpClient();
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setHost("127.0.0.1")
                .setPort(gateway.ports().get("part"))
                .setURI("/part");
        for (String name : List.of("traceparent", "tracestate")) {
            request.headers().getAll(name).forEach(value -> options.addHeader(name, value));
        }
        Future.any(
                        client.request(options)
                                .compose(asked -> asked.send())
                                .compose(response -> response.body())
                                .otherwiseEmpty(),
                        asks.future())
                .onComplete(came -> context.runOnContext(v -> {
                    client.close();
                    if (frontTrickles) {
                        trickle(request.response().setChunked(true));
                    } else {
                        request.response().end(HITS);
                    }
                }));
    }

    private void trickle(HttpServerResponse response) {
        Vertx vertx = Vertx.currentContext().owner();
        trickles.incrementAndGet();
        long timer = vertx.setPeriodic(100, t -> response.write(" "));
        response.closeHandler(v -> {
            vertx.cancelTimer(timer);
            trickles.decrementAndGet();
        });
    }

    private void ask(String body) throws Exception {
        try (Wire wire = Wire.to(gateway.ports().get("front"))) {
            wire.send("POST /search HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: "
                    + body.length()
                    + "\r\n\r\n"
                    + body);
            assertThat(wire.readToEnd()).startsWith("HTTP/1.1 200 ");
        }
    }

    private void askAll(String body) throws Exception {
        for (int i = 0; i < QUERIES; i++) {
            ask(body);
        }
        await("degraded answers").until(() -> answers(AnswerKind.ONLINE) == QUERIES);
    }

    private long answers(AnswerKind kind) {
        return control.answers.stream().map(Answer::kind).filter(kind::equals).count();
    }

    private double bytes() {
        return Metrics.of(gateway, "kipimo_gateway_replay_bytes");
    }

    /** Answers the waiting requests late, so the kept queries are replayed. */
    private void release() {
        isSlow = false;
        waiting.forEach(request -> request.response().end(HITS));
        waiting.clear();
    }

    private void awaitLeftOut(String reason) {
        await("all but two").until(() -> Metrics.failedReplays(gateway, reason) == QUERIES - 2);
    }

    private void assertOnlyTheFirstTwoAreRunAgain(String reason) {
        awaitLeftOut(reason);
        assertThat(answers(AnswerKind.REPLAYED)).isZero();

        release();

        await("replays").until(() -> answers(AnswerKind.REPLAYED) == 2);
        await("nothing is stored").until(() -> bytes() == 0 && !gateway.isReplaying());
        assertThat(Metrics.of(gateway, "kipimo_gateway_replays_total")).isEqualTo(2);
        assertThat(Metrics.failedReplays(gateway, reason)).isEqualTo(QUERIES - 2);
    }

    @Test
    void queriesThatAreKeptAreBoundedInNumber() throws Exception {
        start("replay-queue: 2");
        askAll("");
        assertOnlyTheFirstTwoAreRunAgain("queue_full");

        isSlow = true;
        ask("");
        await("there is room again").until(() -> bytes() > 0);
        assertThat(Metrics.failedReplays(gateway, "queue_full")).isEqualTo(QUERIES - 2);
    }

    @Test
    void queriesThatAreKeptAreBoundedInBytes() throws Exception {
        start("replay-memory: 100k");
        askAll("b".repeat(40 << 10));
        awaitLeftOut("no_room");
        assertThat(bytes()).isBetween(80.0 * (1 << 10), 100.0 * (1 << 10));
        assertOnlyTheFirstTwoAreRunAgain("no_room");
    }

    /** Headers count, too. */
    @Test
    void queriesWithoutABodyAreBoundedInBytes() throws Exception {
        start("replay-memory: 15k");
        for (int i = 0; i < QUERIES; i++) {
            try (Wire wire = Wire.to(gateway.ports().get("front"))) {
                wire.send("GET /search HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Long: "
                        + "h".repeat(6 << 10)
                        + "\r\n\r\n");
                assertThat(wire.readToEnd()).startsWith("HTTP/1.1 200 ");
            }
        }
        await("degraded answers").until(() -> answers(AnswerKind.ONLINE) == QUERIES);
        assertOnlyTheFirstTwoAreRunAgain("no_room");
    }

    /** A slow answer that avoids the idle time-out must not block the next replays. */
    @Test
    void aReplayEndsWhenItsQueryExpires() throws Exception {
        start("timeout: 3s, expiration: 4s", "replay-queue: 10");
        ask("");
        frontTrickles = true;
        release();
        await("the replay").until(() -> trickles.get() == 1);

        await("the replay fails").until(() -> Metrics.failedReplays(gateway, "no_answer") == 1);
        await("released").until(() -> trickles.get() == 0 && bytes() == 0);
        await().until(() -> Metrics.of(gateway, "kipimo_gateway_buffered_bytes") == 0);

        frontTrickles = false;
        isSlow = true;
        ask("");
        release();
        await("the next replay").until(() -> answers(AnswerKind.REPLAYED) == 1);
    }

    /** Only degraded queries take a place. */
    @Test
    void completeQueriesTakeNoPlace() throws Exception {
        start("replay-queue: 1");
        isSlow = false;
        askAll("");
        assertThat(bytes()).isZero();
        assertThat(Metrics.failedReplays(gateway, "queue_full")).isZero();
    }
}
