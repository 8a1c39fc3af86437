package io.kipimo.loadgen.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.loadgen.workload.RequestOutcome;
import io.kipimo.loadgen.workload.Share;
import io.kipimo.loadgen.workload.Workload;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpTargetTest {
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private Vertx vertx;
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        vertx = Vertx.vertx();
        server = vertx.createHttpServer().requestHandler(request -> {
            heard.add(request.uri() + " " + request.getHeader("who"));
            int status = request.path().equals("/bad") ? 503 : 200;
            request.response()
                    .setStatusCode(status)
                    .putHeader("kipimo-coverage", "3/4")
                    .end("answer");
        });
        server.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().get();
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get();
    }

    private List<RequestOutcome> ask(HttpTargetSettings settings, int requests) throws Exception {
        List<RequestOutcome> outcomes = new ArrayList<>();
        try (HttpTarget target = new HttpTarget(settings);
                Workload workload = target.open(Share.WHOLE);
                Workload.Session session = workload.session(4, 7)) {
            for (int i = 0; i < requests; i++) {
                outcomes.add(session.request().toCompletableFuture().get());
            }
        }
        return outcomes;
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.actualPort() + path;
    }

    @Test
    void fillsPlacesAndReadsQuality() throws Exception {
        List<RequestOutcome> outcomes = ask(
                new HttpTargetSettings(
                        url("/search?q={line}&n={request}"),
                        Map.of("who", "user {user}"),
                        List.of("two words"),
                        "kipimo-coverage",
                        1_000),
                2);

        assertThat(heard).containsExactly("/search?q=two+words&n=0 user 4", "/search?q=two+words&n=1 user 4");
        assertThat(outcomes).allMatch(o -> !o.failed() && o.quality() == 0.75);
    }

    @Test
    void qualityIsReadOnlyIfAHeaderIsConfigured() throws Exception {
        assertThat(ask(HttpTargetSettings.of(url("/")), 1)).containsExactly(RequestOutcome.ANSWERED);
    }

    @Test
    void errorStatusesCountAsFailedAndUnreachableServersAreAProblem() throws Exception {
        assertThat(ask(HttpTargetSettings.of(url("/bad")), 1)).containsExactly(RequestOutcome.FAILED);
        server.close().toCompletionStage().toCompletableFuture().get();
        assertThatThrownBy(() -> ask(HttpTargetSettings.of(url("/")), 1))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(" does not answer: ");
    }

    @Test
    void qualityIsAShareOrPartsOfAWhole() {
        assertThat(HttpTarget.quality("0.93")).isEqualTo(0.93);
        assertThat(HttpTarget.quality("1/4")).isEqualTo(0.25);
        assertThat(HttpTarget.quality("whole")).isEqualTo(1);
        assertThat(HttpTarget.quality("cut;share=0.5")).isEqualTo(0.5);
        assertThat(HttpTarget.quality("unknown")).as("no evidence").isZero();
        assertThat(HttpTarget.quality("2")).isNaN();
        assertThat(HttpTarget.quality("0/0")).isNaN();
        assertThat(HttpTarget.quality("good")).isNaN();
        assertThat(HttpTarget.quality("0.9d")).as("a number for Java only").isNaN();
        assertThat(HttpTarget.quality("0.9,0.5")).as("two headers").isNaN();
    }

    @Test
    void refusesInvalidSettings() {
        assertThatThrownBy(() -> HttpTargetSettings.of("ftp://host/")).hasMessageContaining("allowed: http://HOST");
        assertThatThrownBy(() -> HttpTargetSettings.of("http://host/{word}"))
                .hasMessageContaining("{word} is not a place");
        assertThatThrownBy(() -> HttpTargetSettings.of("http://host/{line}"))
                .hasMessageContaining("needs a file of lines");
    }

    /** Otherwise the generator would end at the request that draws the line. */
    @Test
    void aLineThatAHeaderCannotHoldIsRefusedAtTheStart() {
        List<String> lines = List.of("fine", "not\u000bfine");
        assertThatThrownBy(() -> new Template("q={line}", lines, false))
                .hasMessage("line 2 has a control character; allowed in a header: none but tab");
        assertThat(new Template("/?q={line}", lines.subList(1, 2), true)
                        .fill(new Template.TemplateRequest(0, 0, new SplittableRandom(1), "")))
                .isEqualTo("/?q=not%0Bfine");
    }

    /** The recorded request is a path; what a request line cannot hold is encoded. */
    @Test
    void whatWasRecordedIsAsked() throws Exception {
        HttpTargetSettings settings =
                new HttpTargetSettings(url("/{recorded}"), Map.of("who", "of {recorded}"), List.of(), "", 5_000);
        try (HttpTarget target = new HttpTarget(settings);
                Workload workload = target.open(Share.WHOLE);
                Workload.Session session = workload.session(4, 7)) {
            for (String recorded : List.of("/item/7?q=a%20b&r=ü", "x y//z")) {
                session.recorded(recorded);
                assertThat(session.request().toCompletableFuture().get().failed())
                        .isFalse();
            }
        }

        assertThat(heard.get(0)).startsWith("/item/7?q=a%20b&r=%C3%BC of /item/7");
        assertThat(heard.get(1)).isEqualTo("/x%20y//z of x y//z");
    }
}
