package io.kipimo.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.record.ItemReaders;
import io.kipimo.sdk.CompletenessClient;
import io.kipimo.sdk.internal.control.SettableControl;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What callers are told of answers. {@link EngineCorpusTest} asks it of every engine. */
class ToldAnswersTest {
    private static final String WHOLE = "{\"timed_out\":false,\"_shards\":{\"total\":4,\"successful\":4,\"failed\":0},"
            + "\"hits\":{\"hits\":[{\"_index\":\"i\",\"_id\":\"a\",\"_score\":1}]}}";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private Upstream engine;
    private Gateway gateway;

    @AfterEach
    void stop() throws Exception {
        gateway.close();
        engine.close();
    }

    private void start(Consumer<HttpServerRequest> answers, String keys) throws Exception {
        engine = Upstream.start(answers::accept);
        GatewayConfig config = ConfigFile.read("""
                        service: shop
                        threads: 1
                        admin: 127.0.0.1:0
                        record: {largest-body: 2k}
                        listeners:
                          - name: front
                            role: front
                            engine: opensearch
                            tell: true
                            listen: '127.0.0.1:0'
                            servers: ['127.0.0.1:%d']
                        %s
                        """.formatted(engine.port(), keys.indent(4)), null, "gw");
        gateway = Gateway.start(config, new SettableControl(), ItemReaders.of(config));
    }

    private HttpRequest request(String target) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.ports().get("front") + target))
                .build();
    }

    private static String told(HttpResponse<?> response) {
        return String.join(",", response.headers().allValues(CompletenessClient.HEADER));
    }

    private String told(String target) throws Exception {
        return told(http.send(request(target), BodyHandlers.ofString()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'total':4 | whole",
                "'total':5 | cut;share=0.80",
                "'total':400 | cut;share=0.01",
                "'failed':1,'total':4 | cut",
                "'totals':4 | unknown",
            })
    void theHeadSaysWhatTheBodyShows(String shards, String expected) throws Exception {
        String body = WHOLE.replace("\"total\":4", shards.replace('\'', '"'))
                .replace("\"failed\":0", shards.contains("failed") ? "\"skipped\":0" : "\"failed\":0");
        // In pieces, as most engines send.
        start(
                request -> {
                    request.response().setChunked(true).write(body.substring(0, 9));
                    request.response().end(body.substring(9));
                },
                "");

        assertThat(told("/i/_search")).isEqualTo(expected);
    }

    @Test
    void aListThatCannotBeReadIsNotCalledWholeWhetherSampledOrNot() throws Exception {
        start(request -> request.response().end(WHOLE.replace("_id", "id")), "");

        assertThat(told("/i/_search")).isEqualTo("unknown");
    }

    @Test
    void whereWholeAnswersAreRunAgainNoneIsCalledWhole() throws Exception {
        start(request -> request.response().end(WHOLE), "replay: {of-clean: 0.1}");

        assertThat(told("/i/_search")).isEqualTo("unknown");
    }

    @Test
    void whatTheServerClaimsIsReplaced() throws Exception {
        start(
                request -> request.response()
                        .putHeader(CompletenessClient.HEADER, "whole")
                        .end(WHOLE.replace("\"timed_out\":false", "\"timed_out\":true")),
                "");

        assertThat(told("/i/_search")).isEqualTo("cut");
    }

    @Test
    void errorsAndAnswersThatAreTooLargeAreUnknown() throws Exception {
        String large = WHOLE.replace("\"hits\":{", "\"x\":\"" + "x".repeat(9_000) + "\",\"hits\":{");
        start(
                request -> {
                    if (request.uri().endsWith("e")) {
                        request.response().setStatusCode(500).end(WHOLE);
                    } else {
                        request.response()
                                .setChunked(request.uri().endsWith("c"))
                                .end(large);
                    }
                },
                "");

        assertThat(told("/i/_search?e")).isEqualTo("unknown");
        assertThat(told("/i/_search?l")).isEqualTo("unknown");
        HttpResponse<String> inPieces = http.send(request("/i/_search?c"), BodyHandlers.ofString());
        assertThat(told(inPieces)).isEqualTo("unknown");
        assertThat(inPieces.body()).isEqualTo(large);
    }

    @Test
    void whatIsNoQueryTellsNothing() throws Exception {
        start(request -> request.response().end(WHOLE), "");

        assertThat(told("/i/_count")).isEmpty();
    }

    /** An event stream may never end; and what takes too long is passed on as far as it is there. */
    @ParameterizedTest
    @CsvSource({"text/event-stream, 30s", "application/json, 200ms"})
    void whatMustNotBeHeldComesAtOnceAndIsUnknown(String type, String patience) throws Exception {
        AtomicReference<HttpServerResponse> response = new AtomicReference<>();
        start(
                request -> {
                    request.response()
                            .setChunked(true)
                            .putHeader("content-type", type)
                            .write(WHOLE.substring(0, 9));
                    response.set(request.response());
                },
                "timeouts: {response: " + patience + "}");
        // A first query loads classes, and one that got nothing in time is answered with 504.
        HttpResponse<InputStream> head = await().until(
                        () -> http.send(request("/i/_search"), BodyHandlers.ofInputStream()),
                        came -> came.statusCode() == 200);

        assertThat(told(head)).isEqualTo("unknown");
        response.get().end(WHOLE.substring(9));
        assertThat(new String(head.body().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(WHOLE);
    }

    /** Nothing of it has been passed on, so another server may be asked. */
    @Test
    void anAnswerThatBreaksOffWhileItIsHeldIsTriedAgain() throws Exception {
        start(
                request -> {
                    if (engine.requests.get() == 1) {
                        request.response().setChunked(true).write(WHOLE.substring(0, 9));
                        request.connection().close();
                    } else {
                        request.response().end(WHOLE);
                    }
                },
                "");

        assertThat(told("/i/_search")).isEqualTo("whole");
        await().until(() -> Metrics.of(gateway, "kipimo_gateway_retries_total{listener=\"front\"}") == 1);
    }
}
