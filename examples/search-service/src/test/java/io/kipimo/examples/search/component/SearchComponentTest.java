package io.kipimo.examples.search.component;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.examples.search.index.BuiltIndexes;
import io.kipimo.examples.search.protocol.ComponentResult;
import io.kipimo.examples.search.protocol.EpochMicros;
import io.kipimo.examples.search.protocol.Headers;
import io.kipimo.sdk.ServerIdentity;
import io.kipimo.sdk.ServerReporter;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SearchComponentTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void answersWithIdsAndScores() throws Exception {
        HttpResponse<byte[]> response = ask(start(64), "q=animal&k=5", Long.MAX_VALUE, false);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(result(response).hits().size()).isEqualTo(5);
    }

    @Test
    void skipsAnUnsampledQueryWhoseTimeIsOver() throws Exception {
        HttpResponse<byte[]> response = ask(start(64), "q=animal", EpochMicros.now() - 1, false);

        assertThat(response.statusCode()).isEqualTo(204);
        assertThat(response.headers().firstValue(Headers.SHED)).contains("STALE");
    }

    @Test
    void finishesASampledQueryWhateverTheTime() throws Exception {
        HttpResponse<byte[]> response = ask(start(64), "q=animal", EpochMicros.now() - 1, true);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(result(response).hits().size()).isEqualTo(20);
    }

    @Test
    void refusesOnlyUnsampledQueriesWhenTheQueueIsFull() throws Exception {
        int port = start(0);

        HttpResponse<byte[]> unsampled = ask(port, "q=animal", Long.MAX_VALUE, false);
        assertThat(unsampled.headers().firstValue(Headers.SHED)).contains("QUEUE_FULL");
        assertThat(ask(port, "q=animal", Long.MAX_VALUE, true).statusCode()).isEqualTo(200);
    }

    @Test
    void byClassTheHighClassIsServedFirstAndNotRefusedBecauseOthersWait() throws Exception {
        int port = start(0, QueueOrder.CLASS);

        assertThat(ask(port, "q=animal", Long.MAX_VALUE, false, "low").statusCode())
                .isEqualTo(204);
        assertThat(ask(port, "q=animal", Long.MAX_VALUE, false, "high").statusCode())
                .isEqualTo(200);
        assertThat(Stream.of(task(false, 1), task(true, 2), task(false, 0), task(true, 3))
                        .sorted())
                .extracting(SearchComponent.SearchTask::number)
                .containsExactly(2L, 3L, 0L, 1L);
    }

    @Test
    void byArrivalTheClassMakesNoDifference() throws Exception {
        int port = start(0);

        assertThat(ask(port, "q=animal", Long.MAX_VALUE, false, "high").statusCode())
                .isEqualTo(204);
    }

    private static SearchComponent.SearchTask task(boolean first, long number) {
        return new SearchComponent.SearchTask(null, "", 1, 0, false, first, number, null, 0);
    }

    @Test
    void saysWhatIsWrongWithAQuery() throws Exception {
        int port = start(64);

        assertThat(ask(port, "q=%22open", Long.MAX_VALUE, false).statusCode()).isEqualTo(400);
        assertThat(ask(port, "q=animal&k=many", Long.MAX_VALUE, false).statusCode())
                .isEqualTo(400);
    }

    private int start(int queueCapacity) {
        return start(queueCapacity, QueueOrder.ARRIVAL);
    }

    private int start(int queueCapacity, QueueOrder order) {
        return SearchComponent.start(
                        vertx,
                        BuiltIndexes.SKEWED.partitions().get(1),
                        queueCapacity,
                        order,
                        ServerReporter.silent(ServerIdentity.server("search", "index", "second", "test", 1)))
                .toCompletionStage()
                .toCompletableFuture()
                .join()
                .port();
    }

    private static HttpResponse<byte[]> ask(int port, String parameters, long deadlineMicros, boolean sampled)
            throws IOException, InterruptedException {
        return ask(port, parameters, deadlineMicros, sampled, "high");
    }

    private static HttpResponse<byte[]> ask(
            int port, String parameters, long deadlineMicros, boolean sampled, String queryClass)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/search?" + parameters))
                .header(Headers.DEADLINE, Long.toString(deadlineMicros))
                .header(Headers.SAMPLED, Boolean.toString(sampled))
                .header(Headers.CLASS, queryClass)
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    private static ComponentResult result(HttpResponse<byte[]> response) {
        return ComponentResult.decode(Buffer.buffer(response.body()));
    }
}
