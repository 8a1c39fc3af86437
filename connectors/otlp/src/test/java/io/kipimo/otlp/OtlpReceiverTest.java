package io.kipimo.otlp;

import static io.kipimo.otlp.Spans.START;
import static io.kipimo.otlp.Spans.TRACE;
import static io.kipimo.otlp.Spans.call;
import static io.kipimo.otlp.Spans.front;
import static io.kipimo.otlp.Spans.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.http.HostileClients;
import io.kipimo.http.PageServer;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.sdk.internal.control.SettableControl;
import io.kipimo.sdk.internal.net.Address;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtlpReceiverTest {
    private static final String PROTOBUF = "application/x-protobuf";
    private static final String JSON = "application/json";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicLong now = new AtomicLong(START + 1_000);
    private final Map<String, SettableControl> controls = new ConcurrentHashMap<>();
    private OtlpReceiver receiver;

    @BeforeEach
    void start() throws Exception {
        receiver = OtlpReceiver.start(
                new Address("127.0.0.1", 0),
                SpanRulesFile.read("{expected: [web], hold: 1s}"),
                (service, emittedUpTo) -> control(service),
                now::get);
    }

    private SettableControl control(String service) {
        if (service.equals("bad")) {
            throw new IllegalArgumentException("refused");
        }
        SettableControl control = new SettableControl();
        control.samplingRate = 1;
        controls.put(service, control);
        return control;
    }

    @AfterEach
    void stop() {
        receiver.close();
    }

    private static ExportTraceServiceRequest request(String service, Span.Builder... spans) {
        ScopeSpans.Builder scope = ScopeSpans.newBuilder();
        for (Span.Builder span : spans) {
            scope.addSpans(span);
        }
        return ExportTraceServiceRequest.newBuilder()
                .addResourceSpans(ResourceSpans.newBuilder()
                        .setResource(Resource.newBuilder()
                                .addAttributes(KeyValue.newBuilder()
                                        .setKey("service.name")
                                        .setValue(Spans.text(service))))
                        .addScopeSpans(scope))
                .build();
    }

    private HttpResponse<byte[]> post(String type, String coding, byte[] body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + receiver.port() + "/v1/traces"))
                .POST(BodyPublishers.ofByteArray(body))
                .header("content-type", type);
        if (!coding.isEmpty()) {
            request.header("content-encoding", coding);
        }
        return http.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static byte[] zipped(byte[] body) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write(body);
        }
        return out.toByteArray();
    }

    private SettableControl measured(String service) {
        now.addAndGet(60_000);
        await("the query is measured")
                .until(() -> controls.containsKey(service)
                        && !controls.get(service).answers.isEmpty());
        return controls.get(service);
    }

    @Test
    void hostileClientsOfThePageTakeNobodysTurn() throws Exception {
        try (PageServer page = OtlpPage.start(new Address("127.0.0.1", 0), receiver)) {
            HostileClients.attack(page.port(), "/metrics");
        }
    }

    private double metric(String series) {
        return OtlpPage.page(receiver)
                .toString()
                .lines()
                .filter(line -> line.startsWith("kipimo_otlp_" + series + ' '))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"''", "gzip", "identity"})
    void spansBecomeEvents(String coding) throws Exception {
        byte[] body = request(
                        "shop",
                        front(100).addAttributes(Spans.attribute("kipimo.variant", Spans.text("canary"))),
                        call(2, "web", 5, 250).addAttributes(ids("a", "b")))
                .toByteArray();

        HttpResponse<byte[]> response = post(PROTOBUF, coding, coding.equals("gzip") ? zipped(body) : body);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type")).contains(PROTOBUF);
        assertThat(ExportTraceServiceResponse.parseFrom(response.body()))
                .isEqualTo(ExportTraceServiceResponse.getDefaultInstance());
        SettableControl shop = measured("shop");
        assertThat(shop.answers).hasSize(1);
        assertThat(shop.answers.get(0).queryId()).isEqualTo(TRACE);
        assertThat(shop.answers.get(0).invocations().get(0).outcome()).isEqualTo(Outcome.TIMED_OUT);
        assertThat(shop.answers.get(0).variant()).isEqualTo("canary");
        assertThat(shop.variants).containsExactly("canary");
        assertThat(shop.partials).hasSize(1);
        assertThat(shop.offered).hasValue(1);
        assertThat(metric("spans_total{result=\"received\"}")).isEqualTo(2);
        assertThat(metric("traces_total{result=\"measured\"}")).isEqualTo(1);
        assertThat(metric("traces_held")).isZero();
    }

    /** The form of the specification's example: hexadecimal ids, numbers as texts. */
    @Test
    void jsonHasHexadecimalIds() throws Exception {
        String json = """
                {"resourceSpans": [{
                  "resource": {"attributes": [
                    {"key": "service.name", "value": {"stringValue": "shop"}}]},
                  "scopeSpans": [{"spans": [
                    {"traceId": "4BF92F3577B34DA6A3CE929D0E0E4736", "spanId": "EEE19B7EC3C1B174",
                     "parentSpanId": "", "name": "GET /search", "kind": 2,
                     "startTimeUnixNano": "1700000000000000000",
                     "endTimeUnixNano": "1700000000100000000", "unknown": 1},
                    {"traceId": "4BF92F3577B34DA6A3CE929D0E0E4736", "spanId": "EEE19B7EC3C1B173",
                     "parentSpanId": "eee19b7ec3c1b174", "name": "I'm a client", "kind": 3,
                     "startTimeUnixNano": "1700000000000000000",
                     "endTimeUnixNano": 1700000000050000000,
                     "attributes": [
                       {"key": "kipimo.component", "value": {"stringValue": "web"}},
                       {"key": "kipimo.items.ids", "value": {"arrayValue": {"values": [
                         {"stringValue": "a"}, {"intValue": "7"}]}}}],
                     "links": [{"traceId": "4BF92F3577B34DA6A3CE929D0E0E4736",
                                "spanId": "EEE19B7EC3C1B171"}]}]}]}]}
                """;

        HttpResponse<byte[]> response = post(JSON + "; charset=utf-8", "", json.getBytes(StandardCharsets.UTF_8));

        assertThat(new String(response.body(), StandardCharsets.UTF_8)).isEqualTo("{}");
        assertThat(response.headers().firstValue("content-type")).contains(JSON);
        SettableControl shop = measured("shop");
        assertThat(shop.answers.get(0).queryId()).isEqualTo(TRACE);
        assertThat(shop.answers.get(0).whyUnmeasurable()).isEmpty();
        assertThat(shop.answers.get(0).invocations().get(0).component()).isEqualTo("web");
    }

    @Test
    void aSpanThatCannotBeUsedIsRejectedAlone() throws Exception {
        byte[] body = request(
                        "shop",
                        front(100),
                        call(2, "web", 5, 40).clearTraceId(),
                        call(3, "web", 50, 40),
                        call(4, "web", 5, 3_600_000))
                .toByteArray();

        HttpResponse<byte[]> response = post(PROTOBUF, "", body);

        assertThat(response.statusCode()).isEqualTo(200);
        ExportTraceServiceResponse reply = ExportTraceServiceResponse.parseFrom(response.body());
        assertThat(reply.getPartialSuccess().getRejectedSpans()).isEqualTo(3);
        assertThat(reply.getPartialSuccess().getErrorMessage()).contains("trace id not of 16");
        assertThat(metric("spans_total{result=\"rejected\"}")).isEqualTo(3);
        assertThat(measured("shop").answers).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "application/x-protobuf, '', 400",
        "application/x-protobuf, gzip, 400",
        "application/json, '', 400",
        "text/plain, '', 415",
        "application/x-protobuf, br, 415"
    })
    void otherBodiesAreRefused(String type, String coding, int status) throws Exception {
        HttpResponse<byte[]> response = post(type, coding, "no spans at all".getBytes(StandardCharsets.UTF_8));

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(new String(response.body(), StandardCharsets.UTF_8)).isNotEmpty();
        if (type.equals(JSON)) {
            assertThat(new String(response.body(), StandardCharsets.UTF_8))
                    .startsWith("{\"code\":3,\"message\":\"the body cannot be read");
        }
        assertThat(metric("requests_refused_total")).isEqualTo(1);
    }

    @Test
    void aBodyAboveTheLimitIsRefusedBeforeAndAfterDecompression() throws Exception {
        byte[] large = new byte[OtlpReceiver.LARGEST_BODY + 1];

        assertThat(post(PROTOBUF, "gzip", zipped(large)).statusCode()).isEqualTo(413);
        try {
            assertThat(post(PROTOBUF, "", large).statusCode()).isEqualTo(413);
        } catch (IOException e) {
            // The connection was closed while the client still sent.
            assertThat(metric("requests_refused_total")).isEqualTo(2);
        }
    }

    /** 15.6 kB that were 8 million objects; another exporter goes on. */
    @Test
    void manyEmptySpansAreRefusedAndOthersGoOn() throws Exception {
        byte[] bomb = zipped(OtlpBodyTest.emptySpans());
        assertThat(bomb).hasSizeLessThan(17_000);

        for (int i = 0; i < 10; i++) {
            HttpResponse<byte[]> refused = post(PROTOBUF, "gzip", bomb);
            assertThat(refused.statusCode()).isEqualTo(413);
            assertThat(new String(refused.body(), StandardCharsets.UTF_8)).contains("more than 100000 spans");
        }
        assertThat(post(PROTOBUF, "", request("shop", front(100)).toByteArray()).statusCode())
                .isEqualTo(200);
        assertThat(measured("shop").answers).hasSize(1);
    }

    /** The service's control refuses to connect, for example because of its name. */
    @Test
    void aTraceThatCannotBeEmittedStopsNoOther() throws Exception {
        post(
                PROTOBUF,
                "",
                request("bad", front(100).setTraceId(Spans.bytes("%032x".formatted(1))))
                        .toByteArray());
        post(PROTOBUF, "", request("shop", front(100)).toByteArray());

        assertThat(measured("shop").answers).hasSize(1);
        assertThat(metric("traces_total{result=\"failed\"}")).isEqualTo(1);
    }

    @Test
    void onlyTracesHaveAPath() throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + receiver.port());
        assertThat(http.send(
                                HttpRequest.newBuilder(uri.resolve("/v1/metrics"))
                                        .POST(BodyPublishers.noBody())
                                        .build(),
                                BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(404);
        assertThat(http.send(HttpRequest.newBuilder(uri.resolve("/v1/traces")).build(), BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(405);
    }

    @Test
    void aHeadSampledQueryStandsForOthers() throws Exception {
        post(
                PROTOBUF,
                "",
                request("shop", front(100).setTraceState("ot=th:c"), call(2, "web", 5, 250))
                        .toByteArray());

        assertThat(measured("shop").offered).hasValue(4);
        assertThat(controls.get("shop").answered).hasSize(4);
        assertThat(controls.get("shop").answers).hasSize(1);
    }

    @Test
    void furtherServicesAreNotMeasured() throws Exception {
        for (int i = 0; i <= OtlpReceiver.MOST_SERVICES; i++) {
            Span.Builder front = front(100).setTraceId(Spans.bytes("%032x".formatted(i + 1)));
            post(PROTOBUF, "", request("shop-" + i, front).toByteArray());
        }
        now.addAndGet(60_000);
        await("all are decided").until(() -> metric("traces_held") == 0);
        await("the last one is refused").until(() -> metric("traces_total{result=\"other_service\"}") == 1);
        assertThat(controls).hasSize(OtlpReceiver.MOST_SERVICES);
    }

    @Test
    void whatIsHeldIsEmittedAtTheEnd() throws Exception {
        post(PROTOBUF, "", request("shop", front(100), call(2, "web", 5, 250)).toByteArray());
        receiver.close();
        assertThat(controls.get("shop").answers).hasSize(1);
    }
}
