package io.kipimo.examples.search.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.examples.search.protocol.Headers;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoadGeneratorTest {
    private final Vertx vertx = Vertx.vertx();
    private final Set<String> traceParents = ConcurrentHashMap.newKeySet();
    private final List<HttpServerRequest> held = new ArrayList<>();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void countsEveryQueryOnceByClassAndSecond() throws Exception {
        ArrivalTrace trace = twoSecondsOf("clean", "degraded", "shed", "broken", "gone");

        List<Arrival> answered = new ArrayList<>();
        LoadResult result = run(trace, (arrival, latencyMicros, body) -> answered.add(arrival));

        assertThat(answered)
                .hasSize(80)
                .allMatch(a -> a.query().equals("clean") || a.query().equals("degraded"));
        for (LoadResult.Tally tally : List.of(result.high(), result.low())) {
            assertThat(tally.offered()).isEqualTo(100);
            assertThat(tally.answered()).isEqualTo(40);
            assertThat(tally.degraded()).isEqualTo(20);
            assertThat(tally.rejected()).isEqualTo(20);
            assertThat(tally.failed()).isEqualTo(40);
        }
        assertThat(result.seconds()).hasSize(2);
        assertThat(result.seconds())
                .allSatisfy(s -> assertThat(s.high().offered()).isEqualTo(50));
        assertThat(result.seconds())
                .allSatisfy(s -> assertThat(s.low().rejected()).isEqualTo(10));
        assertThat(result.generator().unfinished()).isZero();
    }

    @Test
    void everyQueryHasAnIdOfItsOwn() throws Exception {
        run(twoSecondsOf("clean"));

        assertThat(traceParents).hasSize(200);
    }

    @Test
    void slowAnswersDoNotHoldBackTheNextQuery() throws Exception {
        LoadResult result = run(twoSecondsOf("held"));

        assertThat(result.high().answered()).isEqualTo(100);
        assertThat(result.low().answered()).isEqualTo(100);
    }

    private LoadResult run(ArrivalTrace trace) throws InterruptedException {
        return run(trace, (arrival, latencyMicros, body) -> {});
    }

    private LoadResult run(ArrivalTrace trace, LoadGenerator.AnswerListener listener) throws InterruptedException {
        int port = vertx.createHttpServer()
                .requestHandler(this::answer)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join()
                .actualPort();
        try (LoadGenerator generator = new LoadGenerator()) {
            return generator.run(new LoadTarget(port, port), trace, 1, listener);
        }
    }

    private void answer(HttpServerRequest request) {
        traceParents.add(request.getHeader("traceparent"));
        switch (request.getParam("q")) {
            case "clean" ->
                request.response().putHeader(Headers.COVERAGE, "4/4").end();
            case "degraded" ->
                request.response().putHeader(Headers.COVERAGE, "3/4").end();
            case "shed" -> request.response().setStatusCode(429).end();
            case "held" -> holdUntilAllAreThere(request);
            case "broken" -> request.response().setStatusCode(500).end();
            default -> request.connection().close();
        }
    }

    private void holdUntilAllAreThere(HttpServerRequest request) {
        held.add(request);
        if (held.size() == 200) {
            held.forEach(waiting -> waiting.response().end());
        }
    }

    /** A hundred queries of each class, with alternating kinds. */
    private static ArrivalTrace twoSecondsOf(String... kinds) {
        List<Arrival> arrivals = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            for (QueryClass queryClass : QueryClass.values()) {
                arrivals.add(new Arrival(i * 20_000L, queryClass, kinds[i % kinds.length]));
            }
        }
        return new ArrivalTrace(Duration.ofSeconds(2), arrivals);
    }
}
