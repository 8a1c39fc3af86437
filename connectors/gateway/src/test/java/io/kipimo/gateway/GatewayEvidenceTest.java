package io.kipimo.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.record.ItemReaders;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.sdk.internal.control.SettableControl;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.RequestOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Events of answers that are not known to be complete. Without evidence, they never contain a component in time or a
 * mature answer. The front end, which does not know Kipimo, invokes the components that a test names.
 */
class GatewayEvidenceTest extends StartedParts {
    private static final String HITS = "{\"hits\":[{\"id\":1,\"score\":0.9}]}";

    /** {@link #HITS}, packed by {@code brotli} 1.1.0, since Java has a decoder only. */
    private static final String BROTLI_HITS = "Cw+AeyJoaXRzIjpbeyJpZCI6MSwic2NvcmUiOjAuOX1dfQM=";

    /** As above, with 8 MiB of blanks. */
    private static final String BROTLI_BOMB =
            "y///P+gVIcmsnixVezYjkqppipDtMJED1gBbeiN4GiQwJMSQVo/nzeq9tVDE02ve/7klhyI8APBLgEQTAQAA";

    private static final String CUT = "{\"timed_out\":true,\"hits\":[{\"id\":1,\"score\":0.9}]}";
    private static final String CUT_WHEN = ", cut-when: [/timed_out, '/_shards/failed > 0']";
    private static final Unmeasurable MEASURABLE = null;

    private final SettableControl control = new SettableControl();
    private final Random random = new Random(11);
    private final java.net.http.HttpClient http = java.net.http.HttpClient.newBuilder()
            .version(java.net.http.HttpClient.Version.HTTP_1_1)
            .build();

    /**
     * Components that the front end invokes, in turn; an optional path follows after a blank, by default {@code /part}.
     */
    private volatile List<String> asks = List.of("a", "b");

    private volatile HttpMethod method = HttpMethod.GET;
    private volatile boolean passesTraceState = true;
    private volatile boolean passesTraceParent = true;
    private volatile Handler<HttpServerRequest> frontSays = answers(HITS);
    private final Map<String, Handler<HttpServerRequest>> componentSays = new ConcurrentHashMap<>();
    private Gateway gateway;

    private enum Form {
        GZIP("gzip"),
        DEFLATE("deflate"),
        RAW_DEFLATE("deflate"),
        BROTLI("br");

        final String coding;

        Form(String coding) {
            this.coding = coding;
        }
    }

    private static byte[] packed(Form form, byte[] plain) throws IOException {
        if (form == Form.BROTLI) {
            assertThat(new String(plain, StandardCharsets.UTF_8)).isEqualTo(HITS);
            return Base64.getDecoder().decode(BROTLI_HITS);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out =
                switch (form) {
                    case GZIP -> new GZIPOutputStream(bytes);
                    case DEFLATE -> new DeflaterOutputStream(bytes);
                    case RAW_DEFLATE ->
                        new DeflaterOutputStream(bytes, new Deflater(Deflater.DEFAULT_COMPRESSION, true));
                    case BROTLI -> throw new IllegalStateException("has no encoder");
                }) {
            out.write(plain);
        }
        return bytes.toByteArray();
    }

    private static Handler<HttpServerRequest> answers(String body) {
        return answers(200, body);
    }

    private static Handler<HttpServerRequest> answers(int status, String body) {
        return request -> {
            request.response().setStatusCode(status);
            if (status == 204 || status == 304) {
                request.response().end();
            } else {
                request.response().end(body);
            }
        };
    }

    private static Handler<HttpServerRequest> answers(String coding, byte[] body) {
        return request ->
                request.response().putHeader("Content-Encoding", coding).end(Buffer.buffer(body));
    }

    /** Sends half a response, then closes the connection. */
    private static Handler<HttpServerRequest> breaksOff() {
        return request -> {
            request.response().putHeader("content-length", "100");
            var unused = request.response().write("{\"hits\":").onComplete(w -> request.connection()
                    .close());
        };
    }

    /** Never answers. */
    /** Bodies that the gateway must not accept as results. */
    private static Handler<HttpServerRequest> unreadable(String how) throws IOException {
        byte[] plain = HITS.getBytes(StandardCharsets.UTF_8);
        return switch (how) {
            case "zstd" -> answers("zstd", plain);
            case "not br" -> answers("br", plain);
            case "half br" -> {
                byte[] whole = packed(Form.BROTLI, plain);
                yield answers("br", java.util.Arrays.copyOf(whole, whole.length - 12));
            }
            case "br bomb" -> answers("br", Base64.getDecoder().decode(BROTLI_BOMB));
            case "two codings" -> answers("gzip, gzip", packed(Form.GZIP, packed(Form.GZIP, plain)));
            case "not gzip" -> answers("gzip", plain);
            case "half gzip" -> {
                byte[] whole = packed(Form.GZIP, plain);
                yield answers("gzip", java.util.Arrays.copyOf(whole, whole.length - 12));
            }
            case "bomb" -> {
                byte[] blanks = new byte[8 << 20];
                java.util.Arrays.fill(blanks, (byte) ' ');
                System.arraycopy(plain, 0, blanks, 0, plain.length);
                yield answers("gzip", packed(Form.GZIP, blanks));
            }
            case "too large" -> answers(HITS + " ".repeat(70_000));
            case "text" -> answers("<html>busy</html>");
            case "half JSON" -> answers(HITS.substring(0, 20));
            case "no list" -> answers("{\"error\":\"busy\"}");
            case "empty" -> answers("");
            default -> throw new IllegalArgumentException(how);
        };
    }

    /**
     * Starts a gateway with a front listener and one listener per component.
     *
     * @param front configuration after its {@code servers}; empty: no items
     * @param components configuration after their {@code servers}, by name
     */
    private void start(String front, Map<String, String> components) throws Exception {
        Upstream frontEnd = keep(Upstream.start(this::frontEnd));
        StringBuilder listeners = new StringBuilder();
        for (Map.Entry<String, String> component : components.entrySet()) {
            String name = component.getKey();
            Upstream upstream = keep(Upstream.start(
                    request -> componentSays.getOrDefault(name, answers(HITS)).handle(request)));
            listeners.append("  - {name: %s, role: component, listen: '127.0.0.1:0', servers: ['127.0.0.1:%d']%s}\n"
                    .formatted(name, upstream.port(), component.getValue()));
        }
        GatewayConfig config = ConfigFile.read(
                """
                        service: shop
                        threads: 2
                        admin: 127.0.0.1:0
                        record: {redis: ['127.0.0.1:%d'], timeout: 500ms, expiration: 60s, replay: %s, largest-body: 64k}
                        listeners:
                          - {name: front, role: front, listen: '127.0.0.1:0', servers: ['127.0.0.1:%d']%s}
                        %s""".formatted(
                                // Redis is down, so replays invoke the components.
                                LocalRedis.freePort(), front.contains("items"), frontEnd.port(), front, listeners),
                null,
                "gw");
        gateway = keep(Gateway.start(config, control, ItemReaders.of(config)));
        control.samplingRate = 1;
        control.profiles = true;
    }

    /** Items are configured at the front and at two components. */
    private void start() throws Exception {
        start(", items: {array: /hits}", both(", items: {array: /hits}"));
    }

    private static Map<String, String> both(String keys) {
        return new HashMap<>(Map.of("a", keys, "b", keys));
    }

    private void frontEnd(HttpServerRequest request) {
        HttpClient client = Vertx.currentContext().owner().createHttpClient();
        Future<Void> asked = Future.succeededFuture();
        for (String ask : asks) {
            // The answer omits a component that fails or hangs.
            asked = asked.compose(v -> ask(client, request, ask)).otherwiseEmpty();
        }
        asked.onComplete(v -> {
            client.close();
            frontSays.handle(request);
        });
    }

    private Future<Void> ask(HttpClient client, HttpServerRequest request, String ask) {
        String[] parts = ask.split(" ", 2);
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setHost("127.0.0.1")
                .setPort(gateway.ports().get(parts[0]))
                .setURI(parts.length > 1 ? parts[1] : "/part");
        if (passesTraceParent) {
            options.putHeader("traceparent", request.getHeader("traceparent"));
        }
        if (passesTraceState && request.headers().contains("tracestate")) {
            options.putHeader("tracestate", request.getHeader("tracestate"));
        }
        Future<Buffer> answer = client.request(options).compose(r -> r.send()).compose(r -> r.body());
        if (!parts[0].equals("b") || reached.future().isComplete()) {
            return answer.mapEmpty();
        }
        Context context = Vertx.currentContext();
        Promise<Buffer> left = Promise.promise();
        reached.future().onSuccess(b -> context.runOnContext(v -> left.complete()));
        return Future.any(answer.otherwiseEmpty(), left.future()).mapEmpty();
    }

    /** Completed when component {@code b} hangs with a request; the front end leaves it then. */
    private final Promise<Buffer> reached = Promise.promise();

    private HttpResponse<byte[]> query() throws Exception {
        String id = "%016x%016x".formatted(random.nextLong(), random.nextLong());
        return http.send(
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + gateway.ports().get("front") + "/search"))
                        .header("traceparent", "00-" + id + "-00f067aa0ba902b7-02")
                        .build(),
                BodyHandlers.ofByteArray());
    }

    /** The first emitted answer. */
    private Answer answer() {
        await("the answer").until(() -> !control.answers.isEmpty());
        return control.answers.get(0);
    }

    private static Map<String, Outcome> outcomes(List<Invocation> invocations) {
        Map<String, Outcome> outcomes = new HashMap<>();
        invocations.forEach(i -> outcomes.put(i.component(), i.outcome()));
        return outcomes;
    }

    /** The emitted answer, the meter and the metrics agree. */
    private void assertTold(Unmeasurable reason) {
        assertThat(answer().whyUnmeasurable()).isEqualTo(Optional.ofNullable(reason));
        assertThat(control.reasons).containsExactly(answer().unmeasurable());
        if (reason != null) {
            assertThat(answer().unmeasurable()).contains(reason);
            assertThat(gateway.metrics())
                    .contains("kipimo_gateway_answers_unmeasurable_total{reason=\""
                            + reason.name().toLowerCase(java.util.Locale.ROOT)
                            + "\"} 1");
            assertThat(control.partials).isEmpty();
        }
        assertThat(gateway.metrics()).contains("kipimo_gateway_answers_total 1");
    }

    @Test
    void anAnswerWithEverythingNamesWhatWasAskedAndResultsKnowTheStart() throws Exception {
        start();
        query();

        assertTold(MEASURABLE);
        assertThat(outcomes(answer().invocations())).isEqualTo(Map.of("a", Outcome.IN_TIME, "b", Outcome.IN_TIME));
        await("the results").until(() -> control.partials.size() == 2);
        assertThat(control.partials)
                .extracting(PartialResult::startedAtMillis)
                .containsOnly(answer().startedAtMillis());
    }

    @Test
    void theServerThatAnsweredNamesItsVariant() throws Exception {
        frontSays = request -> {
            request.response().putHeader("X-Release", "canary");
            answers(HITS).handle(request);
        };
        start(", variant-header: x-release", both(""));
        query();

        assertThat(answer().variant()).isEqualTo("canary");
        assertThat(control.variants).containsExactly("canary");
    }

    @Test
    void withoutTheHeaderThereIsNoVariant() throws Exception {
        start(", variant-header: x-release", both(""));
        query();

        assertThat(answer().variant()).isEmpty();
        assertThat(control.variants).containsExactly("");
    }

    @Test
    void aFrontWithoutComponentsKnowsNothing() throws Exception {
        asks = List.of();
        start("", Map.of());
        query();

        assertTold(Unmeasurable.NO_COMPONENTS);
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 304, 400, 404, 429, 500, 503})
    void anErrorToTheUserIsNoAnswer(int status) throws Exception {
        frontSays = answers(status, HITS);
        start();

        assertThat(query().statusCode()).isEqualTo(status);
        assertTold(Unmeasurable.FAILED_ANSWER);
    }

    @Test
    void anAnswerThatBreaksOffHasFailed() throws Exception {
        frontSays = breaksOff();
        start();

        assertThat(org.assertj.core.api.Assertions.catchThrowable(this::query)).isInstanceOf(IOException.class);
        assertTold(Unmeasurable.FAILED_ANSWER);
    }

    @Test
    void aFrontEndThatIsAwayHasFailed() throws Exception {
        frontSays = request -> request.connection().close();
        start();

        assertThat(query().statusCode()).isEqualTo(502);
        assertTold(Unmeasurable.FAILED_ANSWER);
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 304, 400, 404, 429, 500, 503})
    void aComponentsErrorIsAFailure(int status) throws Exception {
        componentSays.put("b", answers(status, HITS));
        start();
        query();

        assertTold(MEASURABLE);
        assertThat(outcomes(answer().invocations())).isEqualTo(Map.of("a", Outcome.IN_TIME, "b", Outcome.FAILED));
        assertThat(control.partials).extracting(PartialResult::component).containsExactly("a");
    }

    @Test
    void aComponentThatBreaksOffHasFailed() throws Exception {
        componentSays.put("b", breaksOff());
        start();
        query();

        assertThat(outcomes(answer().invocations())).containsEntry("b", Outcome.FAILED);
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void packedResultsAreRead(Form form) throws Exception {
        byte[] packed = packed(form, HITS.getBytes(StandardCharsets.UTF_8));
        Handler<HttpServerRequest> says = answers(form.coding, packed);
        componentSays.put("b", says);
        frontSays = says;
        start();

        assertThat(query().body()).as("forwarded unchanged").isEqualTo(packed);
        assertTold(MEASURABLE);
        assertThat(answer().items().numbers()).containsExactly(1);
        await("the results").until(() -> control.partials.size() == 2);
        assertThat(control.partials)
                .allSatisfy(p -> assertThat(p.items().numbers()).containsExactly(1));
    }

    @ParameterizedTest
    @CsvSource({
        "zstd, coding",
        "not br, form",
        "half br, form",
        "br bomb, too_large",
        "two codings, coding",
        "not gzip, form",
        "half gzip, form",
        "bomb, too_large",
        "too large, too_large",
        "text, form",
        "half JSON, form",
        "no list, form",
        "empty, form"
    })
    void whatCannotBeReadIsNotTakenForAResult(String how, String why) throws Exception {
        componentSays.put("b", unreadable(how));
        start("", both(", items: {array: /hits}"));
        query();

        assertTold(Unmeasurable.UNREADABLE);
        assertThat(gateway.metrics())
                .contains("kipimo_gateway_responses_unreadable_total{listener=\"b\",reason=\"" + why + "\"} 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd", "half gzip", "bomb", "too large", "text", "no list", "empty"})
    void anAnswerThatCannotBeReadIsNotMeasurable(String how) throws Exception {
        frontSays = unreadable(how);
        start(", items: {array: /hits}", both(""));
        query();

        assertTold(Unmeasurable.UNREADABLE);
    }

    /** A caller has the whole body of declared length before the end of the response is signalled. */
    @RepeatedTest(5)
    void aLargeResultIsRecordedBeforeItsCallerGoesOn() throws Exception {
        componentSays.put("b", answers(HITS + " ".repeat(5_000_000)));
        start("", both(""));
        query();

        assertThat(outcomes(answer().invocations())).containsEntry("b", Outcome.IN_TIME);
    }

    @Test
    void noContentIsAResultWithoutItems() throws Exception {
        componentSays.put("b", answers(204, ""));
        start();
        query();

        assertTold(MEASURABLE);
        assertThat(outcomes(answer().invocations())).containsEntry("b", Outcome.IN_TIME);
    }

    /** Cut responses are counted for all queries, so responses to unsampled queries are parsed, too. */
    @ParameterizedTest
    @CsvSource({
        "1, '{\"timed_out\":true,\"hits\":[]}'",
        "0, '{\"timed_out\":true,\"hits\":[]}'",
        "1, '{\"hits\":[],\"_shards\":{\"total\":6,\"failed\":1}}'",
        "0, '{\"hits\":[],\"_shards\":{\"total\":6,\"failed\":1}}'"
    })
    void aComponentThatCutsItsWorkHasFailed(double rate, String body) throws Exception {
        componentSays.put("b", answers(body));
        start("", both(", items: {array: /hits" + CUT_WHEN + "}"));
        control.samplingRate = rate;
        query();

        await("counted").until(() -> control.answered.size() == 1);
        assertThat(outcomes(control.answered.get(0))).isEqualTo(Map.of("a", Outcome.IN_TIME, "b", Outcome.FAILED));
        assertThat(control.reasons).containsExactly(Optional.empty());
        assertThat(control.partials).extracting(PartialResult::component).isSubsetOf("a");
        assertThat(gateway.metrics()).contains("kipimo_gateway_responses_cut_total{listener=\"b\"} 1");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1})
    void anAnswerThatSaysItIsCutIsNotMeasurable(double rate) throws Exception {
        frontSays = answers(CUT);
        start(", items: {array: /hits" + CUT_WHEN + "}", both(""));
        control.samplingRate = rate;
        query();

        await("counted").until(() -> control.answered.size() == 1);
        assertThat(control.reasons).containsExactly(Optional.of(Unmeasurable.CUT));
        assertThat(control.answers).extracting(Answer::whyUnmeasurable).isSubsetOf(Optional.of(Unmeasurable.CUT));
    }

    @Test
    void aCutThatAMissingComponentExplainsIsMeasured() throws Exception {
        frontSays = answers(CUT);
        componentSays.put("b", answers(503, ""));
        start(", items: {array: /hits" + CUT_WHEN + "}", both(""));
        query();

        assertTold(MEASURABLE);
        assertThat(answer().isDegraded()).isTrue();
    }

    @Test
    void signsThatSayNoChangeNothing() throws Exception {
        frontSays = answers("{\"timed_out\":false,\"_shards\":{\"failed\":0}," + HITS.substring(1));
        start(", items: {array: /hits" + CUT_WHEN + "}", both(""));
        query();

        assertTold(MEASURABLE);
        assertThat(answer().isDegraded()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1})
    void aComponentThatWasNotAskedIsMissed(double rate) throws Exception {
        asks = List.of("a");
        start();
        control.samplingRate = rate;
        query();

        await("counted").until(() -> control.answered.size() == 1);
        assertThat(control.reasons).containsExactly(Optional.of(Unmeasurable.NOT_ASKED));
        assertThat(control.answers).extracting(Answer::whyUnmeasurable).isSubsetOf(Optional.of(Unmeasurable.NOT_ASKED));
    }

    @Test
    void aFrontEndThatDropsTheTraceAsksNobody() throws Exception {
        passesTraceParent = false;
        start();
        query();

        assertTold(Unmeasurable.NOT_ASKED);
    }

    @Test
    void anOptionalComponentNeedNotBeAsked() throws Exception {
        asks = List.of("a");
        start("", Map.of("a", "", "b", ", optional: true"));
        query();

        assertTold(MEASURABLE);
    }

    @Test
    void withoutAnyComponentAskedNothingIsKnown() throws Exception {
        asks = List.of();
        start("", both(", optional: true"));
        query();

        assertTold(Unmeasurable.NO_COMPONENTS);
    }

    @ParameterizedTest
    @CsvSource({"200, IN_TIME", "500, FAILED"})
    void requestsThatAreSentOnceAreSeenAllTheSame(int status, Outcome outcome) throws Exception {
        method = HttpMethod.POST;
        componentSays.put("b", answers(status, HITS));
        start();
        query();

        assertTold(MEASURABLE);
        assertThat(outcomes(answer().invocations())).isEqualTo(Map.of("a", Outcome.IN_TIME, "b", outcome));
    }

    @ParameterizedTest
    @CsvSource({"200, IN_TIME", "500, FAILED"})
    void everyRequestToAComponentCounts(int secondStatus, Outcome outcome) throws Exception {
        asks = List.of("a", "b /first", "b /second");
        componentSays.put("b", request -> answers(request.path().equals("/first") ? 200 : secondStatus, HITS)
                .handle(request));
        start();
        query();

        assertTold(MEASURABLE);
        assertThat(outcomes(answer().invocations())).isEqualTo(Map.of("a", Outcome.IN_TIME, "b", outcome));
    }

    /** Elasticsearch sends one for each deprecated field. */
    private static Handler<HttpServerRequest> warns(int times) {
        return request -> {
            for (int i = 0; i < times; i++) {
                request.response().headers().add("Warning", "299 Elasticsearch \"" + "x".repeat(100) + i + '"');
            }
            answers(HITS).handle(request);
        };
    }

    @Test
    void aLargeHeadOfAResponseIsPassedOn() throws Exception {
        frontSays = warns(200);
        componentSays.put("b", warns(200));
        start();
        HttpResponse<byte[]> response = query();

        assertThat(response.headers().allValues("warning")).hasSize(200);
        assertTold(MEASURABLE);
    }

    @Test
    void aHeadThatIsLargerThanTheLimitIsRefused() throws Exception {
        frontSays = warns(200);
        start(", largest-response-head: 16k", both(""));

        assertThat(query().statusCode()).isEqualTo(502);
    }

    /** The front end answers this much after it could. */
    private static Handler<HttpServerRequest> stalls(Handler<HttpServerRequest> then) {
        return request -> Vertx.currentContext().owner().setTimer(5, timer -> then.handle(request));
    }

    /** It may have left out what arrived while it stalled. */
    @ParameterizedTest
    @CsvSource({"'', 0", "'', 1", "', items: {array: /hits}', 1"})
    void anAnswerThatLeftAtItsDeadlineIsNotWholeBecauseAllArrived(String items, double rate) throws Exception {
        frontSays = stalls(answers(HITS));
        start(items + ", deadline: 3ms", both(items));
        control.samplingRate = rate;
        query();

        await("counted").until(() -> control.answered.size() == 1);
        assertThat(control.reasons).containsExactly(Optional.of(Unmeasurable.CUT));
        assertThat(control.answers).extracting(Answer::whyUnmeasurable).isSubsetOf(Optional.of(Unmeasurable.CUT));
        assertThat(control.partials).isEmpty();
    }

    @Test
    void anAnswerThatLeftBeforeItsDeadlineIsWhole() throws Exception {
        frontSays = stalls(answers(HITS));
        start(", deadline: 1h", both(""));
        query();

        assertTold(MEASURABLE);
        assertThat(answer().isDegraded()).isFalse();
    }

    /** Whether the front end took it, nobody knows. */
    @Test
    void aResultThatArrivedAfterTheDeadlineIsNotInTimeBecauseTheAnswerCameLaterStill() throws Exception {
        componentSays.put("a", stalls(answers(HITS)));
        componentSays.put("b", answers(503, ""));
        start(", deadline: 3ms", both(""));
        query();

        assertTold(Unmeasurable.CUT);
    }

    @Test
    void anAnswerThatLeftAtItsDeadlineWithoutAComponentIsMeasured() throws Exception {
        asks = List.of("b", "a");
        componentSays.put("b", request -> reached.tryComplete());
        componentSays.put("a", answers(503, ""));
        frontSays = stalls(answers(HITS));
        start(", deadline: 3ms", both(""));
        query();

        assertTold(MEASURABLE);
        assertThat(outcomes(answer().invocations())).isEqualTo(Map.of("a", Outcome.FAILED, "b", Outcome.TIMED_OUT));
    }

    /** Component {@code b} hangs at first. The test defines how it and the front end answer the replay. */
    private void startWithAReplay(Handler<HttpServerRequest> componentAgain, Handler<HttpServerRequest> frontAgain)
            throws Exception {
        startWithAReplay("", componentAgain, frontAgain);
    }

    private void startWithAReplay(
            String front, Handler<HttpServerRequest> componentAgain, Handler<HttpServerRequest> frontAgain)
            throws Exception {
        componentSays.put("b", request -> reached.tryComplete());
        start(", items: {array: /hits" + CUT_WHEN + "}" + front, both(", items: {array: /hits" + CUT_WHEN + "}"));
        Handler<HttpServerRequest> frontFirst = frontSays;
        // On a slow machine the replay starts as soon as the first answer has been sent.
        frontSays = request -> {
            componentSays.put("b", componentAgain);
            frontSays = frontAgain;
            frontFirst.handle(request);
        };
        query();
        answer();
    }

    private void assertFailed(String reason) {
        await("the replay fails").until(() -> Metrics.failedReplays(gateway, reason) == 1);
        assertThat(control.answers).extracting(Answer::kind).containsExactly(AnswerKind.ONLINE);
        assertThat(Metrics.of(gateway, "kipimo_gateway_replays_total")).isZero();
    }

    @Test
    void aReplayInWhichEverythingWasSeenIsMature() throws Exception {
        startWithAReplay(answers(HITS), answers(HITS));

        await("the mature answer").until(() -> control.answers.size() == 2);
        assertThat(control.answers.get(1).kind()).isEqualTo(AnswerKind.REPLAYED);
        assertThat(gateway.metrics()).contains("kipimo_gateway_replays_total 1");
    }

    @Test
    void aReplayWhoseApplicationDropsTheTraceStateIsNotMature() throws Exception {
        passesTraceState = false;
        startWithAReplay(answers(HITS), answers(HITS));

        assertFailed("not_asked");
    }

    @Test
    void aReplayThatFailsIsNotMature() throws Exception {
        startWithAReplay(answers(HITS), answers(500, HITS));

        assertFailed("status");
    }

    @Test
    void aReplayThatLeftAtItsDeadlineIsNotMature() throws Exception {
        startWithAReplay(", deadline: 3ms", answers(HITS), stalls(answers(HITS)));

        assertFailed("late");
    }

    @Test
    void aReplayWithoutAnAnswerIsNotMature() throws Exception {
        startWithAReplay(answers(HITS), request -> request.connection().close());

        assertFailed("no_answer");
    }

    @Test
    void aReplayThatIsCutIsNotMature() throws Exception {
        startWithAReplay(answers(HITS), answers(CUT));

        assertFailed("cut");
    }

    @Test
    void aReplayThatCannotBeReadIsNotMature() throws Exception {
        startWithAReplay(answers(HITS), unreadable("zstd"));

        assertFailed("unreadable");
    }

    /** The front end sends further bytes as long as the gateway reads. */
    @Test
    void ofAReplaysAnswerNoMoreIsKeptThanMayBe() throws Exception {
        AtomicInteger closed = new AtomicInteger();
        startWithAReplay(answers(HITS), request -> {
            request.response().setChunked(true);
            request.response().closeHandler(v -> closed.incrementAndGet());
            saysMore(request.response());
        });

        assertFailed("unreadable");
        await("the connection is closed").until(() -> closed.get() == 1);
        await().until(() -> Metrics.of(gateway, "kipimo_gateway_buffered_bytes") == 0);
        assertThat(Metrics.of(gateway, "kipimo_gateway_replay_bytes")).isZero();
    }

    private static void saysMore(HttpServerResponse response) {
        var unused = response.write(" ".repeat(10_000)).onSuccess(v -> saysMore(response));
    }

    @ParameterizedTest
    @ValueSource(strings = {CUT, ""})
    void aReplayInWhichAComponentIsMissingIsNotMature(String body) throws Exception {
        startWithAReplay(answers(body.isEmpty() ? 503 : 200, body), answers(HITS));

        assertFailed("incomplete");
    }
}
