package io.kipimo.labs.demos.caching;

import io.kipimo.caching.purge.CachePurger;
import io.kipimo.examples.http.HttpServers;
import io.kipimo.sdk.internal.http.CacheDirectives;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A shared HTTP cache (RFC 9111) in this process, for machines without Varnish and nginx. It supports {@code s-maxage}
 * and {@code max-age}, {@code no-store}, {@code no-cache} of requests, ETags towards both sides, {@code Age}, and hard
 * and soft {@code PURGE}. It runs on one event loop.
 */
final class HttpCacheServer implements AutoCloseable {
    private static final int CONNECTIONS = 512;

    /**
     * Headers that concern a single connection, and are not forwarded. All other headers of the origin are forwarded.
     */
    private static final List<String> OF_CONNECTION =
            List.of("connection", "content-length", "transfer-encoding", "keep-alive");

    private record HttpCacheEntry(
            int status, MultiMap headers, Buffer body, long storedMillis, long freshMillis, boolean isStale) {
        boolean isFresh(long now) {
            return !isStale && now < storedMillis + freshMillis;
        }

        String etag() {
            return headers.get("ETag");
        }

        HttpCacheEntry stale(boolean nowStale) {
            return new HttpCacheEntry(status, headers, body, storedMillis, freshMillis, nowStale);
        }
    }

    private final HttpClient origin;
    private final int originPort;
    private final HttpServer server;
    private final Map<String, HttpCacheEntry> entries = new HashMap<>();

    private HttpCacheServer(Vertx vertx, int originPort) {
        this.originPort = originPort;
        this.origin = vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(CONNECTIONS));
        this.server = vertx.createHttpServer(HttpServers.onLoopback(0)).requestHandler(this::handle);
    }

    /** Starts a cache. Returns when it serves. */
    static HttpCacheServer start(Vertx vertx, int originPort) {
        HttpCacheServer cache = new HttpCacheServer(vertx, originPort);
        cache.server.listen().toCompletionStage().toCompletableFuture().join();
        return cache;
    }

    int port() {
        return server.actualPort();
    }

    private void handle(HttpServerRequest request) {
        if (request.method().name().equals("PURGE")) {
            purge(request);
        } else if (request.method().equals(HttpMethod.GET)) {
            get(request);
        } else {
            request.body()
                    .compose(body -> send(request, request.method(), body))
                    .onSuccess(answer -> pass(request, answer))
                    .onFailure(e -> request.response().setStatusCode(502).end());
        }
    }

    private void purge(HttpServerRequest request) {
        boolean isSoft = "soft".equals(request.getHeader(CachePurger.MODE));
        entries.computeIfPresent(request.path(), (path, e) -> isSoft ? e.stale(true) : null);
        var unused = request.response().putHeader(CachePurger.MODE, "done").end();
    }

    private void get(HttpServerRequest request) {
        HttpCacheEntry entry = entries.get(request.path());
        boolean isPast =
                CacheDirectives.of(request.headers().getAll("Cache-Control")).has("no-cache");
        if (!isPast && entry != null && entry.isFresh(System.currentTimeMillis())) {
            answer(request, entry, "hit");
            return;
        }
        if (!isPast && entry != null && entry.isStale()) {
            // Only this request revalidates the entry; meanwhile others get the stale one.
            entries.put(request.path(), entry.stale(false));
            answer(request, entry, "hit; detail=stale");
            fetch(request.path(), entry);
            return;
        }
        fetch(request.path(), entry)
                .onSuccess(fresh -> answer(request, fresh, "fwd=miss"))
                .onFailure(e -> request.response().setStatusCode(502).end());
    }

    private Future<HttpCacheEntry> fetch(String path, HttpCacheEntry known) {
        String etag = known == null ? null : known.etag();
        return origin.request(options(path, HttpMethod.GET))
                .compose(ask -> {
                    if (etag != null) {
                        ask.putHeader("If-None-Match", etag);
                    }
                    return ask.send();
                })
                .compose(said -> said.body().map(body -> new OriginAnswer(said.statusCode(), said.headers(), body)))
                .map(answer -> store(path, known, answer));
    }

    private record OriginAnswer(int status, MultiMap headers, Buffer body) {}

    private HttpCacheEntry store(String path, HttpCacheEntry known, OriginAnswer answer) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        boolean isUnchanged = answer.status() == 304 && known != null;
        if (isUnchanged) {
            headers.addAll(known.headers());
        }
        answer.headers().names().stream()
                .filter(name -> !OF_CONNECTION.contains(name.toLowerCase(Locale.ROOT)))
                .forEach(name -> headers.set(name, answer.headers().getAll(name)));
        HttpCacheEntry fresh = new HttpCacheEntry(
                isUnchanged ? known.status() : answer.status(),
                headers,
                isUnchanged ? known.body() : answer.body(),
                System.currentTimeMillis(),
                freshMillis(headers),
                false);
        if (fresh.freshMillis() > 0 && (isUnchanged || answer.status() == 200)) {
            entries.put(path, fresh);
        } else {
            entries.remove(path);
        }
        return fresh;
    }

    private void answer(HttpServerRequest request, HttpCacheEntry entry, String status) {
        HttpServerResponse response = request.response();
        response.headers().addAll(entry.headers());
        response.putHeader("Cache-Status", "kipimo-demo; " + status);
        response.putHeader("Age", String.valueOf((System.currentTimeMillis() - entry.storedMillis()) / 1000));
        if (entry.etag() != null && entry.etag().equals(request.getHeader("If-None-Match"))) {
            var unused = response.setStatusCode(304).end();
        } else {
            var unused = response.setStatusCode(entry.status()).end(entry.body());
        }
    }

    private Future<OriginAnswer> send(HttpServerRequest request, HttpMethod method, Buffer body) {
        return origin.request(options(request.path(), method))
                .compose(ask -> ask.send(body))
                .compose(said -> said.body().map(b -> new OriginAnswer(said.statusCode(), said.headers(), b)));
    }

    private static void pass(HttpServerRequest request, OriginAnswer answer) {
        answer.headers().names().stream()
                .filter(name -> !OF_CONNECTION.contains(name.toLowerCase(Locale.ROOT)))
                .forEach(name ->
                        request.response().putHeader(name, answer.headers().getAll(name)));
        var unused = request.response().setStatusCode(answer.status()).end(answer.body());
    }

    private RequestOptions options(String path, HttpMethod method) {
        return new RequestOptions()
                .setHost("127.0.0.1")
                .setPort(originPort)
                .setURI(path)
                .setMethod(method);
    }

    private static long freshMillis(MultiMap headers) {
        CacheDirectives directives = CacheDirectives.of(headers.getAll("Cache-Control"));
        return directives.forbidReuse()
                ? 0
                : 1000
                        * directives
                                .seconds("s-maxage")
                                .orElse(directives.seconds("max-age").orElse(0));
    }

    @Override
    public void close() {
        server.close()
                .compose(v -> origin.close())
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }
}
