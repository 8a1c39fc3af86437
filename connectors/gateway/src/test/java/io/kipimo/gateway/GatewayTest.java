package io.kipimo.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.kipimo.core.admission.HashAdmission;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.record.ItemReaders;
import io.kipimo.sdk.internal.control.SettableControl;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GatewayTest extends StartedParts {
    private static final Iterable<String> COOKIES = List.of("a=1", "b=2");

    private final SettableControl control = new SettableControl();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private Gateway gateway;

    /** Starts one listener in front of the servers; {@code more} are lines of its section. */
    private void start(List<Integer> servers, String... more) throws Exception {
        String list = servers.stream().map(p -> "'127.0.0.1:" + p + "'").collect(Collectors.joining(","));
        GatewayConfig config = ConfigFile.read(
                """
                        service: shop
                        threads: 2
                        admin: 127.0.0.1:0
                        drain: 5s
                        classes: {high: {}, low: {floor: 0.01}}
                        record: {largest-body: 64k}
                        listeners:
                          - name: web
                            listen: 127.0.0.1:0
                            servers: [%s]
                            class: high
                        %s
                        """.formatted(
                        list,
                        List.of(more).stream().map(line -> "    " + line + '\n').collect(Collectors.joining())),
                null,
                "test");
        gateway = keep(Gateway.start(config, control, ItemReaders.of(config)));
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + gateway.ports().get("web") + path));
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = to(path);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private double metric(String series) {
        return Metrics.of(gateway, series);
    }

    private double count(String event) {
        return metric("kipimo_gateway_" + event + "_total{listener=\"web\"}");
    }

    private static String traceParent(String traceId) {
        return "00-" + traceId + "-00000000000000a1-02";
    }

    private static String traceId(Random random) {
        return "%016x%016x".formatted(random.nextLong(), random.nextLong());
    }

    @Test
    void aRequestAndItsResponseGoThroughUntouchedButForTheHeadersOfEachConnection() throws Exception {
        Upstream upstream = keep(Upstream.start(request -> request.body().onSuccess(body -> request.response()
                .setStatusCode(203)
                .putHeader("x-uri", request.uri())
                .putHeader("x-host", request.getHeader("host"))
                .putHeader("x-for", request.getHeader("x-forwarded-for"))
                .putHeader("x-trace", String.valueOf(request.getHeader("traceparent")))
                .putHeader("set-cookie", COOKIES)
                .putHeader("keep-alive", "timeout=9")
                .end(body))));
        start(List.of(upstream.port()));

        HttpResponse<String> response = http.send(
                to("/a%20b/../c?q=%C3%A4&q=2")
                        .POST(BodyPublishers.ofString("käse"))
                        .build(),
                BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(203);
        assertThat(response.body()).isEqualTo("käse");
        assertThat(response.headers().firstValue("x-uri")).contains("/a%20b/../c?q=%C3%A4&q=2");
        assertThat(response.headers().firstValue("x-host"))
                .contains("127.0.0.1:" + gateway.ports().get("web"));
        assertThat(response.headers().firstValue("x-for")).contains("127.0.0.1");
        assertThat(response.headers().firstValue("x-trace"))
                .as("a tier adds none")
                .contains("null");
        assertThat(response.headers().allValues("set-cookie")).containsExactly("a=1", "b=2");
        assertThat(response.headers().firstValue("keep-alive")).isEmpty();
        assertThat(response.headers().firstValue("via")).contains("1.1 kipimo");
        await("the response is counted after its client has it")
                .until(() -> metric("kipimo_gateway_responses_total{listener=\"web\",status=\"2xx\"}") == 1);
    }

    @Test
    void largeBodiesStreamBothWaysWithoutBeingKept() throws Exception {
        // The client reads only after it has sent everything.
        Upstream upstream = keep(Upstream.start(
                request -> request.body().onSuccess(all -> request.response().end(all))));
        start(List.of(upstream.port()));
        byte[] large = new byte[48 << 20];
        new Random(1).nextBytes(large);

        HttpResponse<byte[]> response =
                http.send(to("/").POST(BodyPublishers.ofByteArray(large)).build(), BodyHandlers.ofByteArray());

        assertThat(response.body()).isEqualTo(large);
    }

    /** Unread responses must not fill the gateway's memory. */
    @Test
    void aSlowReaderHoldsTheServerBack() throws Exception {
        int total = 256 << 20;
        AtomicLong written = new AtomicLong();
        Upstream upstream = keep(Upstream.start(request -> write(request, total, written)));
        start(List.of(upstream.port()));

        try (Wire wire = Wire.to(gateway.ports().get("web"))) {
            wire.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            long[] before = {-1};
            await("the server stops writing")
                    .pollInterval(Duration.ofMillis(300))
                    .until(() -> {
                        long now = written.get();
                        boolean stands = now > 0 && now == before[0];
                        before[0] = now;
                        return stands;
                    });
            assertThat(written.get()).isLessThan(total / 4);
        }
    }

    private static void write(HttpServerRequest request, long total, AtomicLong written) {
        var response = request.response();
        response.putHeader("content-length", Long.toString(total));
        response.exceptionHandler(e -> {});
        Buffer block = Buffer.buffer(new byte[1 << 16]);
        Runnable more = () -> {
            while (!response.writeQueueFull() && written.get() < total) {
                written.addAndGet(block.length());
                response.write(block);
            }
        };
        response.drainHandler(v -> more.run());
        more.run();
    }

    @Test
    void headAndNotModifiedHaveLengthsAndNoBodies() throws Exception {
        Upstream upstream = keep(Upstream.start(request -> {
            if (request.path().equals("/304")) {
                request.response().setStatusCode(304).putHeader("etag", "\"x\"").end();
            } else if (request.path().equals("/204")) {
                request.response().setStatusCode(204).end();
            } else {
                request.response().putHeader("content-length", "1234").end();
            }
        }));
        start(List.of(upstream.port()));

        HttpResponse<String> head =
                http.send(to("/").method("HEAD", BodyPublishers.noBody()).build(), BodyHandlers.ofString());
        assertThat(head.headers().firstValue("content-length")).contains("1234");
        assertThat(get("/304").statusCode()).isEqualTo(304);
        assertThat(get("/304").headers().firstValue("etag")).contains("\"x\"");
        assertThat(get("/204").statusCode()).isEqualTo(204);
        assertThat(get("/204").statusCode())
                .as("the connection is still in step")
                .isEqualTo(204);
    }

    @Test
    void smuggledRequestsNeverReachAServer() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        Upstream upstream = keep(Upstream.start(request -> {
            seen.add(request.method() + " " + request.uri());
            request.body().onSuccess(b -> request.response().end("ok"));
        }));
        start(List.of(upstream.port()));
        int port = gateway.ports().get("web");
        String smuggled = "GET /admin HTTP/1.1\r\nHost: a\r\n\r\n";

        String length = String.valueOf(smuggled.length());
        List<String> attacks = List.of(
                // Length and chunks.
                "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: "
                        + (smuggled.length() + 5)
                        + "\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                        + smuggled,
                // Two different lengths.
                "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: " + length + "\r\n\r\n" + smuggled,
                "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0, " + length + "\r\n\r\n" + smuggled,
                "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: +" + length + "\r\n\r\n" + smuggled,
                // Encodings that some servers treat as chunked.
                "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + smuggled,
                "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + smuggled,
                "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + smuggled,
                "POST /x HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled,
                // A chunk with two lengths.
                "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n" + smuggled);
        for (String attack : attacks) {
            String answer;
            try (Wire wire = Wire.to(port)) {
                wire.send(attack);
                answer = wire.readBriefly();
            }
            assertThat(seen).as("%s%nwas answered with %s", attack, answer).doesNotContain("GET /admin");
        }
        assertThat(get("/alive").body()).isEqualTo("ok");
    }

    @Test
    void malformedRequestsAreRefusedAndNeverStopTheGateway() throws Exception {
        Upstream upstream = keep(Upstream.start(Upstream.after(0, "ok")));
        start(List.of(upstream.port()));
        int port = gateway.ports().get("web");
        Random random = new Random(7);
        List<String> bad = List.of(
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "GET a HTTP/1.1\r\nHost: a\r\n\r\n",
                "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
                "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX: " + "y".repeat(40_000) + "\r\n\r\n",
                "GET / HTTP/9.9\r\nHost: a\r\n\r\n",
                "\r\n\r\n\0\0\0\r\n\r\n");
        for (String text : bad) {
            try (Wire wire = Wire.to(port)) {
                wire.send(text);
                String answer = wire.readBriefly();
                assertThat(answer)
                        .as(text.substring(0, Math.min(40, text.length())))
                        .matches("(?s)(HTTP/\\d.\\d (4|5)\\d\\d .*)?");
            }
        }
        for (int i = 0; i < 200; i++) {
            byte[] noise = new byte[random.nextInt(300)];
            random.nextBytes(noise);
            try (Wire wire = Wire.to(port)) {
                wire.send(noise);
                wire.halfClose();
                wire.readBriefly();
            }
        }
        assertThat(upstream.requests.get()).isZero();
        assertThat(get("/").body()).isEqualTo("ok");
    }

    @Test
    void lowerClassesAreShedByTheHashOfTheirIdAndAChangeLosesNoRequest() throws Exception {
        Upstream upstream = keep(Upstream.start(Upstream.after(0, "ok")));
        start(List.of(upstream.port()));
        Random random = new Random(3);
        List<String> ids =
                IntStream.range(0, 600).mapToObj(i -> traceId(random)).toList();

        for (double fraction : new double[] {1, 0.3, 0.01, 0.8}) {
            control.fraction = fraction;
            int admitted = 0;
            for (String id : ids) {
                HttpResponse<String> response = get("/", "kipimo-class", "low", "traceparent", traceParent(id));
                boolean expected = HashAdmission.admits(id, fraction, 0);
                assertThat(response.statusCode()).isEqualTo(expected ? 200 : 429);
                if (!expected) {
                    assertThat(response.headers().firstValue("retry-after").orElseThrow())
                            .matches("[1-5]");
                }
                admitted += expected ? 1 : 0;
            }
            assertThat(admitted / 600.0).isEqualTo(fraction, within(0.08));
        }
        assertThat(get("/", "kipimo-class", "high").statusCode()).isEqualTo(200);
        assertThat(get("/", "kipimo-class", "unknown").statusCode()).isEqualTo(200);
    }

    @Test
    void theLocalLimitHoldsWithoutAnybodyAndKeepsAShareForTheFirstClass() throws Exception {
        List<Runnable> held = new CopyOnWriteArrayList<>();
        Upstream upstream = keep(Upstream.start(request -> {
            var context = Vertx.currentContext();
            held.add(() -> context.runOnContext(v -> request.response().end("ok")));
        }));
        start(List.of(upstream.port()), "limit: {initial: 4, least: 4, most: 4}");
        List<CompletableFuture<HttpResponse<String>>> low = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            low.add(send("low"));
        }
        await().until(() -> held.size() == 4);

        assertThat(get("/", "kipimo-class", "low").statusCode()).isEqualTo(503);
        assertThat(get("/", "kipimo-class", "low").headers().firstValue("retry-after"))
                .isPresent();
        List<CompletableFuture<HttpResponse<String>>> high = List.of(send("high"), send("high"));
        await("high uses its reserve, half the limit").until(() -> held.size() == 6);
        assertThat(get("/", "kipimo-class", "high").statusCode()).isEqualTo(503);
        assertThat(count("shed_by_limit")).isEqualTo(3);

        held.forEach(Runnable::run);
        for (var response : IntStream.range(0, 6)
                .mapToObj(i -> i < 4 ? low.get(i) : high.get(i - 4))
                .toList()) {
            assertThat(response.get(60, TimeUnit.SECONDS).body()).isEqualTo("ok");
        }
    }

    private CompletableFuture<HttpResponse<String>> send(String queryClass) {
        return http.sendAsync(to("/").header("kipimo-class", queryClass).build(), BodyHandlers.ofString());
    }

    @Test
    void deadServersAreTriedNoMoreAndComeBack() throws Exception {
        Upstream one = keep(Upstream.start(Upstream.after(0, "one")));
        Upstream two = Upstream.start(Upstream.after(0, "two"));
        int port = two.port();
        start(List.of(one.port(), port));
        assertThat(List.of(get("/").body(), get("/").body())).containsExactlyInAnyOrder("one", "two");

        two.close();
        for (int i = 0; i < 20; i++) {
            assertThat(get("/").body()).as("retried").isEqualTo("one");
        }
        assertThat(count("retries")).isBetween(1.0, 8.0);
        String up = "kipimo_gateway_server_up{listener=\"web\",server=\"127.0.0.1:" + port + "\"}";
        assertThat(metric(up)).isZero();

        keep(Upstream.start(port, Upstream.after(0, "two")));
        await("tried again").until(() -> get("/").body().equals("two"));
    }

    @Test
    void whatIsNotIdempotentIsNeverSentTwice() throws Exception {
        Upstream one = keep(Upstream.start(request -> request.connection().close()));
        Upstream two = keep(Upstream.start(request -> request.connection().close()));
        start(List.of(one.port(), two.port()));
        control.factor = 2;

        HttpResponse<String> response =
                http.send(to("/").POST(BodyPublishers.ofString("x")).build(), BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(502);
        assertThat(one.requests.get() + two.requests.get()).isEqualTo(1);
        assertThat(get("/").statusCode()).isEqualTo(502);
        assertThat(one.requests.get() + two.requests.get())
                .as("copies, and one retry")
                .isEqualTo(4);
    }

    @Test
    void theFirstOfTheCopiesAnswers() throws Exception {
        Upstream slow = keep(Upstream.start(Upstream.after(2_000, "slow")));
        Upstream fast = keep(Upstream.start(Upstream.after(0, "fast")));
        start(List.of(slow.port(), fast.port()));
        control.factor = 2;
        for (int i = 0; i < 10; i++) {
            assertThat(get("/").body()).isEqualTo("fast");
        }
        // Copies that are still unsent when the answer arrives are dropped.
        assertThat(slow.requests.get()).isBetween(5, 10);
        double copies = count("copies");
        assertThat(copies).isBetween(15.0, 20.0);
        String ofWeb = "kipimo_gateway_won_copies_total{listener=\"web\",server=\"127.0.0.1:%d\"}";
        assertThat(metric(ofWeb.formatted(fast.port()))).isBetween(1.0, copies - 10);
        assertThat(metric(ofWeb.formatted(slow.port()))).isZero();

        control.factor = 1;
        assertThat(List.of("fast", "slow")).contains(get("/").body());
        assertThat(count("copies")).isEqualTo(copies + 1);
    }

    @Test
    void aFailureIsAnsweredOnlyWhenNoCopyIsLeft() throws Exception {
        Upstream bad = keep(
                Upstream.start(request -> request.response().setStatusCode(500).end("bad")));
        Upstream good = keep(Upstream.start(Upstream.after(100, "good")));
        start(List.of(bad.port(), good.port()));
        control.factor = 2;
        assertThat(get("/").body()).isEqualTo("good");

        control.factor = 1;
        assertThat(List.of(get("/").statusCode(), get("/").statusCode()))
                .as("a single server's answer is forwarded")
                .containsExactlyInAnyOrder(200, 500);
    }

    @Test
    void aResponseTooLargeToBeKeptIsStillTheFirst() throws Exception {
        String large = "x".repeat(300_000);
        Upstream one = keep(Upstream.start(Upstream.after(0, large)));
        Upstream two = keep(Upstream.start(Upstream.after(20, large)));
        start(List.of(one.port(), two.port()));
        control.factor = 2;
        for (int i = 0; i < 5; i++) {
            assertThat(get("/").body()).isEqualTo(large);
        }
    }

    @Test
    void tokensLetOnlySoManyCopiesBeAtAServer() throws Exception {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Upstream upstream = keep(Upstream.start(request -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            Vertx.currentContext().owner().setTimer(10, t -> {
                now.decrementAndGet();
                request.response().end("ok");
            });
        }));
        start(List.of(upstream.port()), "arbitration: {policy: tad, tokens: 4}");
        List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            all.add(send("high"));
        }
        for (var one : all) {
            assertThat(one.get(60, TimeUnit.SECONDS).body()).isEqualTo("ok");
        }
        assertThat(most.get()).isLessThanOrEqualTo(4);
    }

    @Test
    void aServerThatDoesNotAnswerInTimeIsGivenUp() throws Exception {
        Upstream upstream = keep(Upstream.start(request -> {}));
        start(List.of(upstream.port()), "timeouts: {response: 100ms}");
        assertThat(get("/").statusCode()).isEqualTo(504);
        await("the server sees the cancellation").until(() -> upstream.broken.get() == 1);
        assertThat(count("timed_out")).isEqualTo(1);
    }

    @Test
    void aCallerThatGoesAwayStopsTheWork() throws Exception {
        Upstream upstream = keep(Upstream.start(request -> {}));
        start(List.of(upstream.port()));
        try (Wire wire = Wire.to(gateway.ports().get("web"))) {
            wire.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            await().until(() -> upstream.requests.get() == 1);
        }
        await().until(() -> upstream.broken.get() == 1);
        await("no request is in flight").until(() -> metric("kipimo_gateway_under_way{listener=\"web\"}") == 0);
        assertThat(count("abandoned")).isEqualTo(1);
    }

    @Test
    void halfAResponseNeverLooksWhole() throws Exception {
        Upstream upstream = keep(Upstream.start(request -> {
            request.response().setChunked(true).write("half");
            Vertx.currentContext().owner().setTimer(50, t -> request.connection()
                    .close());
        }));
        start(List.of(upstream.port()));
        assertThatThrownBy(() -> get("/")).isInstanceOf(IOException.class);
    }

    @Test
    void requestsUnderWayEndBeforeTheGatewayDoes() throws Exception {
        Upstream upstream = keep(Upstream.start(Upstream.after(500, "ok")));
        start(List.of(upstream.port()));
        var underWay = send("high");
        await().until(() -> upstream.requests.get() == 1);

        gateway.drain();

        assertThat(underWay.get(60, TimeUnit.SECONDS).body()).isEqualTo("ok");
        assertThat(underWay.get().headers().firstValue("connection")).contains("close");
        assertThat(admin("/readyz").statusCode()).isEqualTo(503);
        assertThat(admin("/healthz").statusCode()).isEqualTo(200);
    }

    private HttpResponse<String> admin(String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.adminPort() + path))
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void metricsAreInPrometheusForm() throws Exception {
        Upstream upstream = keep(Upstream.start(Upstream.after(0, "ok")));
        start(List.of(upstream.port()));
        get("/");
        HttpResponse<String> page = admin("/metrics");
        assertThat(page.headers().firstValue("content-type").orElseThrow()).startsWith("text/plain; version=0.0.4");
        assertThat(page.body().lines())
                .allMatch(line ->
                        line.matches("# (HELP|TYPE) kipimo_gateway_\\w+ .+" + "|kipimo_gateway_\\w+(\\{.*\\})? \\S+"));
        assertThat(page.body()).contains("kipimo_gateway_decision_age_seconds{class=\"low\"} 1.5");
        assertThat(admin("/nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void latenciesAreAHistogramAndAServerThatIsListedTwiceOccursOnce() throws Exception {
        Upstream upstream = keep(Upstream.start(Upstream.after(20, "ok")));
        start(List.of(upstream.port(), upstream.port()));
        get("/");
        get("/");
        await("both are counted").until(() -> metric("kipimo_gateway_request_seconds_count{listener=\"web\"}") == 2);
        assertThat(metric("kipimo_gateway_request_seconds_sum{listener=\"web\"}"))
                .isGreaterThan(0.03);
        assertThat(metric("kipimo_gateway_request_seconds_bucket{listener=\"web\",le=\"0.01\"}"))
                .isZero();
        assertThat(metric("kipimo_gateway_request_seconds_bucket{listener=\"web\",le=\"+Inf\"}"))
                .isEqualTo(2);
        assertThat(metric("kipimo_gateway_server_up{listener=\"web\",server=\"127.0.0.1:" + upstream.port() + "\"}"))
                .isEqualTo(1);
    }

    @Test
    void aPortThatIsTakenIsTold() throws Exception {
        Upstream upstream = keep(Upstream.start(Upstream.after(0, "ok")));
        start(List.of(upstream.port()));
        int taken = gateway.ports().get("web");
        GatewayConfig config = ConfigFile.read(
                "service: a\nadmin: 127.0.0.1:0\nlisteners: [{name: w, listen: '127.0.0.1:"
                        + upstream.port()
                        + "', servers: ['a:1']}]",
                null,
                "t");
        assertThat(taken).isPositive();
        assertThatThrownBy(() -> Gateway.start(config)).hasMessageContaining("cannot listen");
    }
}
