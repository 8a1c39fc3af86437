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
import io.kipimo.schemas.quality.Unmeasurable;
import io.kipimo.sdk.internal.control.SettableControl;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An engine behind a front listener: what is measured, what is run again, and what passes once. */
class EngineGatewayTest extends StartedParts {
    private static final String SHARDS = shards(0, "");
    private static final String WHOLE = answer(false, SHARDS, "a", "b");
    private static final String CUT = answer(true, SHARDS, "a");

    private final SettableControl control = new SettableControl();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<String> traces = new CopyOnWriteArrayList<>();
    private final List<String> ownIds = new CopyOnWriteArrayList<>();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** What the engine answers to path, query and body. */
    private volatile Function<String, String> says = asked -> WHOLE;

    /** What the engine answers when the test lets it. */
    private volatile Predicate<String> holds = asked -> false;

    private final List<HttpServerRequest> held = new CopyOnWriteArrayList<>();
    private final AtomicInteger givenUp = new AtomicInteger();

    private Gateway gateway;

    private static String answer(boolean timedOut, String shards, String... ids) {
        StringBuilder hits = new StringBuilder();
        for (String id : ids) {
            hits.append(hits.isEmpty() ? "" : ",")
                    .append("{\"_index\":\"i\",\"_id\":\"")
                    .append(id)
                    .append("\",\"_score\":1}");
        }
        return "{\"timed_out\":" + timedOut + shards + ",\"hits\":{\"hits\":[" + hits + "]}}";
    }

    private static String shards(int failed, String failures) {
        return ",\"_shards\":{\"total\":2,\"successful\":" + (2 - failed) + ",\"failed\":" + failed + failures + "}";
    }

    private void start(String keys) throws Exception {
        Upstream engine = Upstream.start(this::engine);
        started.add(0, engine);
        GatewayConfig config = ConfigFile.read("""
                        service: shop
                        threads: 1
                        admin: 127.0.0.1:0
                        classes: {high: {}, low: {floor: 0.1}}
                        record: {largest-body: 64k, expiration: 60s}
                        listeners:
                          - name: front
                            role: front
                            engine: opensearch
                            listen: '127.0.0.1:0'
                            servers: ['127.0.0.1:%d', '127.0.0.1:%d']
                        %s
                        """.formatted(engine.port(), engine.port(), keys.indent(4)), null, "gw");
        gateway = Gateway.start(config, control, ItemReaders.of(config));
        started.add(0, gateway);
        control.samplingRate = 1;
    }

    private void engine(HttpServerRequest request) {
        traces.addAll(request.headers().getAll("traceparent"));
        ownIds.addAll(request.headers().getAll("x-trace-id"));
        request.body().onSuccess(body -> {
            String text = request.method() + " " + request.uri() + " " + plain(request, body);
            asked.add(text);
            if (holds.test(text)) {
                held.add(request);
                request.response().closeHandler(closed -> givenUp.incrementAndGet());
                return;
            }
            String answer = says.apply(text);
            if (answer == null) {
                request.connection().close();
            } else {
                request.response().end(answer);
            }
        });
    }

    private static String plain(HttpServerRequest request, Buffer body) {
        if (!"gzip".equals(request.getHeader("content-encoding"))) {
            return body.toString();
        }
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body.getBytes()))) {
            return "packed " + new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HttpResponse<String> send(String method, String target, String body, String... headers) throws Exception {
        return send(method, target, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    private HttpResponse<String> send(String method, String target, byte[] body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.ports().get("front") + target))
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private Answer online() {
        await().until(() -> !control.answers.isEmpty());
        return control.answers.get(0);
    }

    private static Map<String, Outcome> outcomes(Answer answer) {
        return answer.invocations().stream().collect(Collectors.toMap(Invocation::component, Invocation::outcome));
    }

    private double passed() {
        return Metrics.of(gateway, "kipimo_gateway_passed_total{listener=\"front\"}");
    }

    @Test
    void aWholeAnswerIsCompleteByTheEnginesOwnWord() throws Exception {
        start("");
        send("GET", "/i/_search?q=x", "");

        assertThat(online().unmeasurable()).isEmpty();
        assertThat(outcomes(online())).isEqualTo(Map.of("opensearch", Outcome.IN_TIME));
        assertThat(asked).hasSize(1);
    }

    /** What the user saw, whole or cut; not where items were found beside an empty list, nor what cannot be read. */
    @Test
    void itemsOfEachAnswerAreCountedWhereAnEmptyListSaysThatNothingWasFound() throws Exception {
        start("");
        List<String> answers = List.of(
                WHOLE,
                answer(false, SHARDS),
                answer(true, SHARDS),
                answer(false, SHARDS).replace("\"hits\":[", "\"total\":{\"value\":5},\"hits\":["),
                "<html>busy</html>");
        for (String one : answers) {
            says = asked -> one;
            send("GET", "/i/_search?q=x", "");
        }
        says = asked -> WHOLE;
        send(
                "POST",
                "/i/_search",
                "{\"aggs\":{\"a\":{\"avg\":{\"field\":\"p\"}}}}",
                "content-type",
                "application/json");
        control.samplingRate = 0;
        send("GET", "/i/_search?q=x", "");
        await("all answers").until(() -> control.answered.size() == answers.size() + 2);

        assertThat(control.listed).containsExactly(2, 0, 0);
    }

    @Test
    void aCutAnswerIsRunAgainWithoutItsLimits() throws Exception {
        says = asked -> asked.contains("timeout") ? CUT : WHOLE;
        start("replay: {budget: 1}");
        HttpResponse<String> answer = send(
                "POST",
                "/i/_search?timeout=3ms&preference=p",
                "{\"timeout\":\"3ms\",\"size\":2}",
                "content-type",
                "application/json");

        assertThat(answer.body()).isEqualTo(CUT);
        assertThat(outcomes(online())).isEqualTo(Map.of("opensearch", Outcome.TIMED_OUT));
        await("the mature answer").until(() -> control.answers.size() == 2);
        Answer mature = control.answers.get(1);
        assertThat(mature.kind()).isEqualTo(AnswerKind.REPLAYED);
        assertThat(mature.queryId()).isEqualTo(online().queryId());
        assertThat(mature.items().texts()).containsExactly("i/a", "i/b");
        assertThat(asked)
                .containsExactly(
                        "POST /i/_search?timeout=3ms&preference=p {\"timeout\":\"3ms\",\"size\":2}",
                        "POST /i/_search?preference=p {\"size\":2}");
    }

    @Test
    void aPackedBodyIsUnpackedToTakeItsLimitAway() throws Exception {
        says = asked -> asked.contains("timeout") ? CUT : WHOLE;
        start("replay: {budget: 1}");
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write("{\"timeout\":\"3ms\",\"size\":2}".getBytes(StandardCharsets.UTF_8));
        }
        send(
                "POST",
                "/i/_search",
                packed.toByteArray(),
                "content-encoding",
                "gzip",
                "content-type",
                "application/json");

        await("the mature answer").until(() -> control.answers.size() == 2);
        assertThat(asked)
                .containsExactly(
                        "POST /i/_search packed {\"timeout\":\"3ms\",\"size\":2}", "POST /i/_search {\"size\":2}");
    }

    @Test
    void aBodyInWhichNoLimitCanBeFoundIsNotRunAgain() throws Exception {
        says = asked -> CUT;
        start("replay: {budget: 1}");
        send("POST", "/i/_search", "\u0001", "content-type", "application/cbor");

        await("tried").until(() -> Metrics.failedReplays(gateway, "body") == 1);
        assertThat(asked).hasSize(1);
        assertThat(online().isDegraded()).isTrue();
    }

    /** An unlimited answer that is cut or lacks a shard once more says nothing of the first. */
    @ParameterizedTest
    @CsvSource({"true, 0, cut", "false, 1, incomplete"})
    void whatIsCutOnceMoreIsNotMature(boolean timedOut, int failed, String reason) throws Exception {
        says = asked -> answer(timedOut, shards(failed, ""));
        start("replay: {budget: 1}");
        send("GET", "/i/_search?timeout=3ms", "");

        await("tried").until(() -> Metrics.failedReplays(gateway, reason) == 1);
        assertThat(control.answers).hasSize(1);
        assertThat(online().isDegraded()).isTrue();
    }

    @Test
    void aShardThatFailedIsNamed() throws Exception {
        says = asked -> answer(false, shards(1, ",\"failures\":[{\"shard\":1,\"index\":\"i\"}]"), "a");
        start("replay: {budget: 1}");
        send("GET", "/i/_search", "");

        assertThat(outcomes(online())).isEqualTo(Map.of("opensearch", Outcome.IN_TIME, "i[1]", Outcome.FAILED));
        await("tried").until(() -> Metrics.failedReplays(gateway, "incomplete") == 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"<html>busy</html>", "{\"hits\":{\"hits\":[]}}", "{}"})
    void whatSaysNothingOfItsCompletenessIsUnreadable(String body) throws Exception {
        says = asked -> body;
        start("");
        send("GET", "/i/_search", "");

        assertThat(online().unmeasurable()).contains(Unmeasurable.UNREADABLE);
        assertThat(online().isDegraded()).isFalse();
    }

    /** Two lists of no items are equal, whatever the count lost. */
    @Test
    void aCountThatWasCutIsNotMeasurable() throws Exception {
        says = asked -> answer(true, SHARDS);
        start("replay: {budget: 1}");
        send("POST", "/i/_search", "{\"size\":0,\"timeout\":\"1ms\"}", "content-type", "application/json");

        assertThat(online().unmeasurable()).contains(Unmeasurable.NO_LIST);
        await("counted")
                .until(() -> Metrics.of(gateway, "kipimo_gateway_answers_unmeasurable_total{reason=\"no_list\"}") == 1);
        assertThat(asked).hasSize(1);
    }

    /** The size may be that of a template, which the request does not show. */
    @Test
    void anEmptyListBesideItemsThatWereFoundIsNoMatureAnswer() throws Exception {
        says = asked ->
                answer(asked.contains("timeout"), SHARDS).replace("\"hits\":[", "\"total\":{\"value\":5},\"hits\":[");
        start("replay: {budget: 1}");
        send("GET", "/i/_search?timeout=1ms", "");

        await("tried").until(() -> Metrics.failedReplays(gateway, "no_list") == 1);
        assertThat(control.answers).hasSize(1);
        assertThat(online().isDegraded()).isTrue();
    }

    /** Of aggregations, two empty lists say nothing. */
    @Test
    void twoEmptyListsBesideAggregationsAreNoMatureAnswer() throws Exception {
        says = asked -> answer(asked.contains("timeout"), SHARDS);
        start("replay: {budget: 1}");
        send(
                "POST",
                "/i/_search?timeout=1ms",
                "{\"aggs\":{\"a\":{\"avg\":{\"field\":\"p\"}}}}",
                "content-type",
                "application/json");

        await("tried").until(() -> Metrics.failedReplays(gateway, "no_list") == 1);
        assertThat(control.answers).hasSize(1);
    }

    /** What the engine says of a cluster that is away: its shards are not among the others. */
    @Test
    void aClusterThatIsSkippedIsMissingUntilAReplayHasIt() throws Exception {
        String skipped = ",\"_clusters\":{\"total\":2,\"successful\":1,\"skipped\":1}";
        says = asked -> asked.contains("timeout") ? answer(false, SHARDS + skipped, "a") : WHOLE;
        start("replay: {budget: 1}");
        send("GET", "/docs/_search?timeout=5ms", "");

        assertThat(outcomes(online())).isEqualTo(Map.of("opensearch", Outcome.FAILED));
        await("the mature answer").until(() -> control.answers.size() == 2);
    }

    @Test
    void withoutReplaysACutAnswerIsNotMeasurable() throws Exception {
        says = asked -> CUT;
        start("replay: {when: never}");
        send("GET", "/i/_search", "");

        assertThat(online().unmeasurable()).contains(Unmeasurable.CUT);
    }

    @Test
    void withoutBudgetNothingIsRunAgain() throws Exception {
        says = asked -> CUT;
        start("replay: {budget: 0}");
        for (int i = 0; i < 20; i++) {
            send("GET", "/i/_search?n=" + i, "");
        }

        await().until(() -> control.answers.size() == 20);
        assertThat(asked).hasSize(20);
        await("all wait").until(() -> Metrics.of(gateway, "kipimo_gateway_replays_waiting") == 20);
        assertThat(Metrics.of(gateway, "kipimo_gateway_replay_seconds_total{listener=\"front\"}"))
                .isZero();
    }

    /** Approximate search never says that it left something out. */
    @Test
    void whereAllAreRunAgainNoAnswerIsPerfectByConstruction() throws Exception {
        start("replay: {when: always, budget: 1, set-fields: {/exact: true}}");
        send("POST", "/i/_search", "{\"k\":2}", "content-type", "application/json");

        assertThat(outcomes(online())).isEqualTo(Map.of("opensearch", Outcome.IN_TIME, "exact", Outcome.TIMED_OUT));
        await("the mature answer").until(() -> control.answers.size() == 2);
        assertThat(asked.get(1)).isEqualTo("POST /i/_search {\"k\":2,\"exact\":true}");
    }

    @Test
    void aQueryHasTheIdThatItsCallerGaveIt() throws Exception {
        start("trusted-callers: [127.0.0.1]\ntrace-header: X-Trace-Id");
        String traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        for (String id : List.of("11111111-2222-3333-4444-555555555555", "solr-17", "solr-17")) {
            send("GET", "/i/_search", "", "X-Trace-Id", id, "traceparent", traceparent);
        }
        send("GET", "/i/_search", "", "traceparent", traceparent);

        await().until(() -> control.answers.size() == 4);
        List<String> ids = ids(AnswerKind.ONLINE);
        assertThat(ids.get(0)).isEqualTo("11111111222233334444555555555555");
        assertThat(ids.get(1)).isEqualTo(ids.get(2)).isNotEqualTo(ids.get(0));
        assertThat(ids.get(3)).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(traces)
                .containsExactlyElementsOf(ids.stream()
                        .map(id -> "00-" + id + "-b7ad6b7169203331-01")
                        .toList());
    }

    @Test
    void anOutsidersIdIsReplaced() throws Exception {
        start("trace-header: X-Trace-Id");
        send("GET", "/i/_search", "", "X-Trace-Id", "11111111222233334444555555555555");

        assertThat(online().queryId()).isNotEqualTo("11111111222233334444555555555555");
        assertThat(ownIds).containsExactly(online().queryId());
        assertThat(Metrics.of(gateway, "kipimo_gateway_ignored_total{listener=\"front\",reason=\"trace_of_outsider\"}"))
                .isEqualTo(1);
    }

    /** The others are counted, and are not samples. */
    @Test
    void ofWholeAnswersAShareIsRunAgain() throws Exception {
        start("replay: {of-clean: 0.25, budget: 1, set-fields: {/exact: true}}");
        int queries = 80;
        for (int i = 0; i < queries; i++) {
            send("POST", "/i/_search", "{\"n\":" + i + "}", "content-type", "application/json");
        }

        await().until(() -> control.answered.size() == queries);
        assertThat(control.answered)
                .allMatch(parts -> parts.stream().anyMatch(p -> p.component().equals("exact")));
        // Replays may take a share of the queries' time, so without queries they would get none.
        control.samplingRate = 0;
        await("none waits").until(() -> {
            send("POST", "/i/_search", "{}", "content-type", "application/json");
            return !gateway.isReplaying();
        });
        List<String> drawn = ids(AnswerKind.ONLINE);
        assertThat(drawn).hasSizeBetween(1, queries / 2).containsExactlyInAnyOrderElementsOf(ids(AnswerKind.REPLAYED));
        assertThat(asked).filteredOn(one -> one.contains("exact")).hasSameSizeAs(drawn);
        assertThat(asked).filteredOn(one -> one.contains("\"n\"")).hasSize(queries + drawn.size());
    }

    @Test
    void aCutAnswerIsRunAgainWhateverTheShareOfWholeOnes() throws Exception {
        says = asked -> asked.contains("timeout") ? CUT : WHOLE;
        start("replay: {of-clean: 0.000001, budget: 1}");
        send("GET", "/i/_search?timeout=3ms", "");

        await("the mature answer").until(() -> control.answers.size() == 2);
        assertThat(outcomes(online())).isEqualTo(Map.of("opensearch", Outcome.TIMED_OUT, "exact", Outcome.TIMED_OUT));
    }

    private List<String> ids(AnswerKind kind) {
        return control.answers.stream()
                .filter(answer -> answer.kind() == kind)
                .map(Answer::queryId)
                .toList();
    }

    private void sendLongQueries(int cut) throws Exception {
        sendLongQueries(cut, 0);
    }

    /**
     * Queries that wait for each other, so that they take long enough to pay for replays.
     *
     * @param cut those whose answers are cut, and which are replayed
     * @param whole those that only pay
     */
    private void sendLongQueries(int cut, int whole) throws Exception {
        int queries = cut + whole;
        holds = asked -> true;
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < queries; i++) {
            answers.add(http.sendAsync(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                    + gateway.ports().get("front")
                                    + (i < cut ? "/i/_search?timeout=3ms&n=" : "/i/_search?n=")
                                    + i))
                            .build(),
                    BodyHandlers.ofString()));
        }
        await().until(() -> held.size() == queries);
        long begun = System.nanoTime();
        await("long enough").until(() -> System.nanoTime() - begun > 1_500_000_000L);
        holds = asked -> !asked.contains("timeout");
        List<HttpServerRequest> sent = List.copyOf(held);
        // Before they end: a replay may be held as soon as its query has.
        held.clear();
        sent.forEach(request -> request.response().end(request.uri().contains("timeout") ? CUT : WHOLE));
        for (int i = 0; i < queries; i++) {
            assertThat(answers.get(i).get().body()).isEqualTo(i < cut ? CUT : WHOLE);
        }
    }

    private long mature() {
        return ids(AnswerKind.REPLAYED).size();
    }

    private double running() {
        return Metrics.of(gateway, "kipimo_gateway_replays_running");
    }

    @Test
    void asManyReplaysRunAtATimeAsAreAllowed() throws Exception {
        start("replay: {budget: 1, concurrency: 2, timeout: 50s}");
        sendLongQueries(5);
        await("two run").until(() -> held.size() == 2);
        await().during(Duration.ofMillis(200)).until(() -> held.size() == 2 && running() == 2);

        held.remove(0).response().end(WHOLE);
        await("the next begins").until(() -> held.size() == 2 && mature() == 1);
        holds = asked -> false;
        held.forEach(request -> request.response().end(WHOLE));

        // An answer is there just before its replay has ended.
        await("all").until(() -> mature() == 5 && running() == 0);
    }

    /** One that the engine never answers takes one place. */
    @Test
    void aSlowReplayDoesNotBlockTheOthers() throws Exception {
        start("replay: {budget: 1, timeout: 50s}");
        // The others pay half a minute, in which the slow one uses up no budget.
        sendLongQueries(1, 20);
        await("the slow one").until(() -> held.size() == 1);
        holds = asked -> false;
        says = asked -> asked.contains("timeout") ? CUT : WHOLE;
        send("GET", "/i/_search?timeout=3ms&n=x", "");

        await("the other one").until(() -> mature() == 1 && running() == 1);
    }

    @Test
    void aReplayIsGivenUpAfterItsTime() throws Exception {
        start("replay: {budget: 1, concurrency: 1, timeout: 100ms}");
        sendLongQueries(2);

        await("given up").until(() -> Metrics.failedReplays(gateway, "timed_out") == 2);
        await("the engine is told").until(() -> givenUp.get() == 2);
        assertThat(running()).isZero();
        assertThat(mature()).isZero();
        assertThat(Metrics.of(gateway, "kipimo_gateway_replay_bytes")).isZero();
    }

    /** A retry of {@code _bulk} would write twice. */
    @ParameterizedTest
    @CsvSource({
        "POST, /_bulk",
        "POST, /i/_bulk?x=/_search",
        "GET, /i/_doc/1",
        "POST, /i/_bulk/../_search",
        "PUT, /i/_search",
        "POST, /_msearch"
    })
    void whatIsNoSearchIsSentOnceWhateverItsMethod(String method, String target) throws Exception {
        says = asked -> null;
        start("arbitration: {retries: 3}\nlimit: {enabled: true}");
        control.factor = 3;
        HttpResponse<String> answer = send(method, target, "{}", "content-type", "application/x-ndjson");

        assertThat(answer.statusCode()).isEqualTo(502);
        assertThat(asked).hasSize(1);
        assertThat(passed()).isEqualTo(1);
        assertThat(control.answered).isEmpty();
        assertThat(control.offered).hasValue(0);
    }

    @Test
    void aSearchIsRetriedWithItsBody() throws Exception {
        says = asked -> this.asked.size() < 3 ? null : WHOLE;
        start("arbitration: {retries: 3}");
        HttpResponse<String> answer = send("POST", "/i/_search", "{\"size\":2}");

        assertThat(answer.body()).isEqualTo(WHOLE);
        assertThat(asked).hasSize(3).allMatch("POST /i/_search {\"size\":2}"::equals);
        assertThat(passed()).isZero();
    }

    /** Admission of outsiders goes by the query, and a search's query is in its body. */
    @Test
    void outsidersSearchesAreAdmittedByTheirBodies() throws Exception {
        start("class: low");
        control.fraction = 0.5;
        int[] admitted = new int[2];
        int differ = 0;
        for (int query = 0; query < 40; query++) {
            String body = "{\"query\":" + query + "}";
            int first = send("POST", "/i/_search", body).statusCode();
            differ += send("POST", "/i/_search", body).statusCode() == first ? 0 : 1;
            admitted[first == 200 ? 1 : 0]++;
        }

        // Between the two a minute may have ended.
        assertThat(differ).isLessThanOrEqualTo(1);
        assertThat(admitted[0]).isPositive();
        assertThat(admitted[1]).isPositive();
        assertThat(send("POST", "/_bulk", "{}").statusCode()).isEqualTo(200);
    }
}
