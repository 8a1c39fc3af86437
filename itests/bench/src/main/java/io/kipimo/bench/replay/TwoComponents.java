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

/**
 * A front end that asks two components and answers with the longest running time that it heard of
 * until its time-out. Of each query one component takes {@link #SHORT_MILLIS}, the other longer by
 * the skew; which one follows from the query.
 */
final class TwoComponents implements AutoCloseable {
    static final int SHORT_MILLIS = 100;

    /** After the shorter component is in; the longer one, if it is longer at all, is not. */
    private static final int TIMEOUT_MILLIS = SHORT_MILLIS + 8;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final HttpClient client =
            vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(256));
    private final double skew;

    /**
     * @param skew how much longer the longer one takes, 0 or more
     * @param port of 127.0.0.1, where the front end listens
     * @param components where it finds its components, two
     * @param own where these listen
     */
    TwoComponents(double skew, int port, int[] components, int[] own) {
        this.skew = skew;
        for (int i = 0; i < own.length; i++) {
            int component = i;
            listen(own[i], request -> component(component, request));
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

    /** Running time of the longer component. */
    int longMillis() {
        return (int) Math.round(SHORT_MILLIS * (1 + skew));
    }

    private void component(int component, HttpServerRequest request) {
        boolean isLonger = Math.floorMod(request.query().hashCode(), 2) == component;
        int millis = isLonger ? longMillis() : SHORT_MILLIS;
        vertx.setTimer(
                millis,
                t -> {
                    if (!request.response().closed()) {
                        request.response().end(items(component, millis).encode());
                    }
                });
    }

    private static JsonObject items(int id, int millis) {
        return new JsonObject()
                .put(
                        "hits",
                        new JsonArray().add(new JsonObject().put("id", id).put("score", millis)));
    }

    private void front(int[] components, HttpServerRequest request) {
        List<Future<Integer>> parts =
                List.of(ask(components[0], request), ask(components[1], request));
        Future.join(parts)
                .onComplete(
                        all -> {
                            int longest =
                                    parts.stream()
                                            .filter(Future::succeeded)
                                            .mapToInt(Future::result)
                                            .max()
                                            .orElse(0);
                            request.response().end(items(1, longest).encode());
                        });
    }

    private Future<Integer> ask(int port, HttpServerRequest request) {
        RequestOptions options =
                new RequestOptions()
                        .setMethod(HttpMethod.GET)
                        .setHost("127.0.0.1")
                        .setPort(port)
                        .setURI("/part?" + request.query())
                        .setTimeout(TIMEOUT_MILLIS);
        for (String name : List.of("traceparent", "tracestate")) {
            request.headers().getAll(name).forEach(value -> options.addHeader(name, value));
        }
        return client.request(options)
                .compose(asked -> asked.send())
                .compose(response -> response.body())
                .map(
                        body ->
                                body.toJsonObject()
                                        .getJsonArray("hits")
                                        .getJsonObject(0)
                                        .getInteger("score"));
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
