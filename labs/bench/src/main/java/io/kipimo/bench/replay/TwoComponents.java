package io.kipimo.bench.replay;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A front end that calls two components. It answers with the longest running time that a component reported before its
 * time-out. The time-out is {@link #TIMEOUT_MILLIS}, or longer while {@link #toggle} says so.
 */
final class TwoComponents implements AutoCloseable {
    /** Running time of a component that is in time. */
    static final int SHORT_MILLIS = 100;

    static final int TIMEOUT_MILLIS = SHORT_MILLIS + 8;

    private static final int PATIENT_MILLIS = 5_000;

    /** Factor of the time-outs while they are toggled, as published (Ubora, sec. 7.2). */
    static final int TOGGLED = 4;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final HttpClient client =
            vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(1_024));
    private final RunningTime time;
    private final AtomicInteger toggledWhole = new AtomicInteger();
    private int timeouts = 1;
    private boolean readsContext;

    /** Running time of a component for a query. It is the same in each call. */
    interface RunningTime {
        int millis(int component, String query);
    }

    /**
     * Starts the service.
     *
     * @param workers workers of each component; a worker takes one query at a time, further queries wait
     * @param port port of 127.0.0.1 on which the front end listens
     * @param components ports at which the front end calls its two components
     * @param own ports on which the components listen
     */
    TwoComponents(RunningTime time, int workers, int port, int[] components, int[] own) {
        this.time = time;
        for (int i = 0; i < own.length; i++) {
            int component = i;
            Workers ofIt = new Workers(vertx, workers);
            listen(own[i], request -> component(component, ofIt, request));
        }
        listen(port, request -> front(components, request));
    }

    private void listen(int port, Handler<HttpServerRequest> handler) {
        vertx.createHttpServer()
                .requestHandler(handler)
                .listen(port, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    /**
     * Gives longer time-outs to the queries that arrive in the first part of each period, from now on.
     *
     * @param share of a period, 0..1
     */
    void toggle(double share, long periodMillis) {
        long longer = Math.max(1, Math.round(share * periodMillis));
        Handler<Long> begin = t -> {
            timeouts = TOGGLED;
            vertx.setTimer(longer, end -> timeouts = 1);
        };
        vertx.runOnContext(v -> begin.handle(0L));
        vertx.setPeriodic(periodMillis, begin);
    }

    /**
     * Makes the front end read the context of its queries, as if it had been changed to do so. From now on a replay
     * waits for all components.
     */
    void readContext() {
        readsContext = true;
    }

    /** Number of queries with longer time-outs that got a complete answer. */
    int toggledWhole() {
        return toggledWhole.get();
    }

    private void component(int component, Workers workers, HttpServerRequest request) {
        int millis = time.millis(component, request.query());
        Workers.QueuedWork work = workers.work(
                millis, () -> request.response().end(items(component, millis).encode()));
        // The caller does not wait for the result any more.
        request.response().closeHandler(v -> work.breakOff());
    }

    private static JsonObject items(int id, int millis) {
        return new JsonObject()
                .put("hits", new JsonArray().add(new JsonObject().put("id", id).put("score", millis)));
    }

    private void front(int[] components, HttpServerRequest request) {
        boolean isToggled = timeouts > 1;
        String context = String.valueOf(request.getHeader("tracestate"));
        int patience = readsContext && context.contains("kipimo=replay") ? PATIENT_MILLIS : timeouts * TIMEOUT_MILLIS;
        List<Future<Integer>> parts =
                List.of(ask(components[0], request, patience), ask(components[1], request, patience));
        Future.join(parts).onComplete(all -> {
            int longest = parts.stream()
                    .filter(Future::succeeded)
                    .mapToInt(Future::result)
                    .max()
                    .orElse(0);
            if (isToggled && all.succeeded()) {
                toggledWhole.incrementAndGet();
            }
            request.response().end(items(1, longest).encode());
        });
    }

    private Future<Integer> ask(int port, HttpServerRequest request, int patienceMillis) {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setHost("127.0.0.1")
                .setPort(port)
                .setURI("/part?" + request.query())
                .setTimeout(patienceMillis);
        for (String name : List.of("traceparent", "tracestate")) {
            request.headers().getAll(name).forEach(value -> options.addHeader(name, value));
        }
        return client.request(options)
                .compose(asked -> asked.send())
                .compose(response -> response.body())
                .map(body -> body.toJsonObject()
                        .getJsonArray("hits")
                        .getJsonObject(0)
                        .getInteger("score"));
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
