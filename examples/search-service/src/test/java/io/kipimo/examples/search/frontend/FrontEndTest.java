package io.kipimo.examples.search.frontend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.kipimo.examples.search.component.QueueOrder;
import io.kipimo.examples.search.component.SearchComponent;
import io.kipimo.examples.search.frontend.FrontEnd.QueryClassPort;
import io.kipimo.examples.search.index.BuiltIndexes;
import io.kipimo.examples.search.index.Hits;
import io.kipimo.examples.search.index.Partition;
import io.kipimo.examples.search.index.QueryLanguage;
import io.kipimo.examples.search.protocol.Headers;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.sdk.CompletenessClient;
import io.kipimo.sdk.ServerIdentity;
import io.kipimo.sdk.ServerReporter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FrontEndTest {
    private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final Duration AMPLE = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(1_500);

    private final Vertx vertx = Vertx.vertx();
    private final RecordingTelemetry sampling = new RecordingTelemetry(true, true);

    /** The gate at which the component waits. */
    private final Promise<Void> gate = Promise.promise();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void aCleanAnswerIsThatOfASingleIndexAndNeedsNoPartials() throws Exception {
        int port = frontEnd(AMPLE, components(), sampling, false);

        for (String query : List.of("parliament", "long tail", "\"human rights\" of a person")) {
            JsonObject body = new JsonObject(ask(port, query).body());
            Hits single = search(BuiltIndexes.SINGLE.partitions().get(0), query);
            assertThat(ids(body)).containsExactly(single.ids());
            assertThat(body.getInteger("coverage")).isEqualTo(4);
            assertThat(body.getString("traceId")).isEqualTo(TRACE_ID);
        }

        assertThat(sampling.answers).hasSize(3).noneMatch(Answer::isDegraded);
        assertThat(sampling.partials).isEmpty();
        assertThat(sampling.lateWorkMicros).isEmpty();
        assertThat(sampling.answered).hasSize(3);
    }

    @Test
    void ofAProfiledQueryThePartialsOfACleanAnswerAreTold() throws Exception {
        sampling.profiles = true;
        int port = frontEnd(AMPLE, components(), sampling, false);

        ask(port, "small animal");

        await().until(() -> sampling.partials.size() == 4);
        assertThat(sampling.answers).singleElement().matches(answer -> !answer.isDegraded());
        assertThat(sampling.partials(Phase.ONLINE)).hasSize(4);
    }

    @Test
    void theAnswerSaysHowCompleteItIsExpectedToBeIfThatIsKnown() throws Exception {
        int port = frontEnd(AMPLE, components(), sampling, false);

        assertThat(ask(port, "animal").headers().firstValue(CompletenessClient.HEADER))
                .isEmpty();
        sampling.prediction = OptionalDouble.of(0.8765);

        assertThat(ask(port, "animal").headers().firstValue(CompletenessClient.HEADER))
                .contains("0.87");
    }

    @Test
    void aDegradedAnswerNamesWhoTimedOutAndItsResultComesAsMature() throws Exception {
        int port = frontEnd(SHORT, oneGated(), sampling, false);

        HttpResponse<String> response = ask(port, "small animal");

        assertThat(response.headers().firstValue(Headers.COVERAGE)).contains("3/4");
        await().until(() -> sampling.partials(Phase.ONLINE).size() == 3);
        assertThat(sampling.answers).hasSize(1);
        Answer answer = sampling.answers.get(0);
        assertThat(answer.queryId()).isEqualTo(TRACE_ID);
        assertThat(answer.invocations())
                .extracting(Invocation::outcome)
                .containsExactly(Outcome.IN_TIME, Outcome.IN_TIME, Outcome.TIMED_OUT, Outcome.IN_TIME);
        assertThat(sampling.partials(Phase.MATURE)).isEmpty();

        gate.complete();

        await().until(() -> !sampling.partials(Phase.MATURE).isEmpty());
        PartialResult mature = sampling.partials(Phase.MATURE).get(0);
        Hits undisturbed = search(BuiltIndexes.SKEWED.partitions().get(2), "small animal");
        assertThat(mature.component()).isEqualTo("partition-2");
        assertThat(mature.items().numbers()).containsExactly(undisturbed.ids());
        assertThat(mature.items().scores()).containsExactly(undisturbed.scores());
        assertThat(mature.invokedAtMillis()).isGreaterThanOrEqualTo(answer.startedAtMillis());
        assertThat(mature.completedAtMillis()).isGreaterThan(answer.answeredAtMillis());
        assertThat(sampling.lateWorkMicros).hasSize(1);
    }

    @Test
    void ofAnUnsampledQueryOnlyTheCountsAreTold() throws Exception {
        RecordingTelemetry unsampled = new RecordingTelemetry(false, true);
        int port = frontEnd(SHORT, oneGated(), unsampled, false);

        ask(port, "small animal");
        gate.complete();

        await().until(() -> unsampled.answered.size() == 1);
        assertThat(unsampled.offered).containsExactly("low");
        assertThat(unsampled.answered.get(0).get(2).outcome()).isEqualTo(Outcome.TIMED_OUT);
        assertThat(unsampled.answers).isEmpty();
        assertThat(unsampled.partials).isEmpty();
    }

    @Test
    void whatTheModelLeavesOutIsNotAskedAndTheExpectedLossIsTold() throws Exception {
        sampling.profiles = true;
        sampling.asked = List.of("partition-1", "partition-3");
        int port = frontEnd(AMPLE, components(), sampling, false);

        HttpResponse<String> response = ask(port, "small animal");

        assertThat(response.headers().firstValue(Headers.COVERAGE)).contains("2/4");
        await().until(() -> sampling.partials.size() == 2);
        assertThat(sampling.partials)
                .extracting(PartialResult::component)
                .containsExactlyInAnyOrder("partition-1", "partition-3");
        assertThat(sampling.answers).singleElement().satisfies(answer -> {
            assertThat(answer.invocations())
                    .extracting(Invocation::outcome)
                    .containsExactly(Outcome.NOT_ASKED, Outcome.IN_TIME, Outcome.NOT_ASKED, Outcome.IN_TIME);
            assertThat(answer.invocations().get(0).latencyMicros()).isZero();
            assertThat(answer.notAskedLoss().orElseThrow()).isCloseTo(0.1, within(1e-12));
            assertThat(answer.isDegraded()).isFalse();
        });
        assertThat(sampling.answered.get(0)).isEqualTo(sampling.answers.get(0).invocations());
    }

    @Test
    void aComponentThatCannotBeReachedHasFailed() throws Exception {
        List<ComponentAddress> components = components();
        components.set(1, new ComponentAddress("partition-1", 1));
        int port = frontEnd(AMPLE, components, sampling, false);

        ask(port, "animal");

        await().until(() -> sampling.partials.size() == 3);
        assertThat(sampling.answers.get(0).invocations().get(1).outcome()).isEqualTo(Outcome.FAILED);
    }

    @Test
    void shedsWhatIsNotAdmittedAndSaysWhenToComeAgain() throws Exception {
        RecordingTelemetry shedding = new RecordingTelemetry(true, false);
        int port = frontEnd(AMPLE, components(), shedding, true);

        HttpResponse<String> response = ask(port, "animal");

        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(response.headers().firstValue("Retry-After")).contains("1");
        assertThat(shedding.offered).hasSize(1);
        assertThat(shedding.rejected).hasSize(1);
        assertThat(shedding.answered).isEmpty();
    }

    @Test
    void aClassThatIsNotUnderAdmissionIsNeverShed() throws Exception {
        int port = frontEnd(AMPLE, components(), new RecordingTelemetry(true, false), false);

        assertThat(ask(port, "animal").statusCode()).isEqualTo(200);
    }

    @Test
    void refusesAnEmptyQuery() throws Exception {
        int port = frontEnd(AMPLE, components(), sampling, false);

        assertThat(ask(port, " ").statusCode()).isEqualTo(400);
        assertThat(sampling.offered).isEmpty();
    }

    private int frontEnd(
            Duration deadline, List<ComponentAddress> components, Telemetry telemetry, boolean underAdmission) {
        FrontEndSettings settings = new FrontEndSettings("search", "front-1", deadline, AMPLE.multipliedBy(2), 20);
        QueryClassPort port = new QueryClassPort("low", 0, underAdmission);
        return join(FrontEnd.start(vertx, settings, port, components, text -> 1, telemetry))
                .port();
    }

    private List<ComponentAddress> components() {
        List<ComponentAddress> addresses = new ArrayList<>();
        for (Partition partition : BuiltIndexes.SKEWED.partitions()) {
            SearchComponent component = join(SearchComponent.start(
                    vertx,
                    partition,
                    64,
                    QueueOrder.ARRIVAL,
                    ServerReporter.silent(ServerIdentity.server("search", "index", partition.name(), "test", 1))));
            addresses.add(new ComponentAddress(component.name(), component.port()));
        }
        return addresses;
    }

    /** All components; a gate delays the responses of the third one. */
    private List<ComponentAddress> oneGated() {
        List<ComponentAddress> components = components();
        int port = components.get(2).port();
        int gatePort = join(vertx.createHttpServer()
                        .requestHandler(request -> passOn(request, port))
                        .listen(0, "127.0.0.1"))
                .actualPort();
        components.set(2, new ComponentAddress("partition-2", gatePort));
        return components;
    }

    private void passOn(HttpServerRequest request, int port) {
        HttpClient client = vertx.createHttpClient();
        client.request(request.method(), port, "127.0.0.1", request.uri())
                .compose(toComponent -> {
                    toComponent.headers().addAll(request.headers());
                    return toComponent.send();
                })
                .compose(response -> response.body()
                        .compose(body -> gate.future().map(body))
                        .onSuccess(body -> reply(request, response.statusCode(), body)));
    }

    private static void reply(HttpServerRequest request, int status, Buffer body) {
        request.response().setStatusCode(status).end(body);
    }

    private static HttpResponse<String> ask(int port, String query) throws IOException, InterruptedException {
        String encoded = URLEncoder.encode(query, StandardCharsets.UTF_8);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/search?q=" + encoded))
                .header("traceparent", "00-" + TRACE_ID + "-00f067aa0ba902b7-03")
                .build();
        return java.net.http.HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static Hits search(Partition partition, String query) throws IOException {
        return partition
                .search(new QueryLanguage().parse(query), 20, Partition.Cut.NEVER)
                .hits();
    }

    private static long[] ids(JsonObject body) {
        return body.getJsonArray("items").stream()
                .mapToLong(item -> ((JsonObject) item).getLong("id"))
                .toArray();
    }

    private static <T> T join(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }
}
