package io.kipimo.labs.demos.caching;

import io.kipimo.caching.filter.FilterPublisher;
import io.kipimo.core.stale.ExpiringFilter;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.ReadHistory;
import io.kipimo.core.stale.StaleKeys;
import io.kipimo.sdk.caching.CachingClient;
import io.kipimo.sdk.caching.OriginRead;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * An origin whose records are numbers that grow, by paths that end with {@code /k0}, {@code /k1} and so on; a
 * {@code PUT} adds one. Lists {@code /l0} to {@code /l3} have every fourth record as {@code {"id":"k0","v":1}}. Some
 * answers take seconds. Changes are marked in a filter of stale keys up to 30 ms later. A history has all of it.
 */
final class VersionedOrigin implements AutoCloseable {
    static final long TTL_MILLIS = 60_000;
    static final int LISTS = 4;
    private static final int LONGEST_LAG_MILLIS = 30;

    private final Vertx vertx;
    private final ReadHistory history;
    private final LongSupplier clock;
    private final boolean stampsTooLate;
    private final int slowPercent;
    private final ScheduledExecutorService later = Executors.newScheduledThreadPool(2);
    private final AtomicLong reads = new AtomicLong();

    // Guarded by filter.
    private final ExpiringFilter filter = new ExpiringFilter(FilterShape.ONE_ROUND_TRIP, TTL_MILLIS + 2_000);
    private final Map<String, Integer> versions = new HashMap<>();

    /**
     * @param clock that of the history
     * @param stampsTooLate whether answers say that they were evaluated when they are sent
     */
    VersionedOrigin(Vertx vertx, ReadHistory history, LongSupplier clock, boolean stampsTooLate) {
        this(vertx, history, clock, stampsTooLate, 5);
    }

    /** @param slowPercent share of answers that take seconds */
    VersionedOrigin(Vertx vertx, ReadHistory history, LongSupplier clock, boolean stampsTooLate, int slowPercent) {
        this.vertx = vertx;
        this.history = history;
        this.clock = clock;
        this.stampsTooLate = stampsTooLate;
        this.slowPercent = slowPercent;
    }

    /** What serves the filter; for any number of threads. */
    FilterPublisher publisher() {
        StaleKeys locked = (StaleKeys) Proxy.newProxyInstance(
                StaleKeys.class.getClassLoader(), new Class<?>[] {StaleKeys.class}, (proxy, method, arguments) -> {
                    synchronized (filter) {
                        return method.invoke(filter, arguments);
                    }
                });
        return new FilterPublisher(FilterShape.ONE_ROUND_TRIP, List.of(locked), 0, System::currentTimeMillis);
    }

    /** Number of requests for records. */
    long reads() {
        return reads.get();
    }

    boolean isStale(String key) {
        synchronized (filter) {
            return filter.isStale(key, System.currentTimeMillis());
        }
    }

    int write(String key) {
        int written;
        int writtenList;
        String list = listOf(key);
        synchronized (filter) {
            written = versions.merge(key, 1, Integer::sum);
            writtenList = versions.merge(list, 1, Integer::sum);
            history.committed(key, written, clock.getAsLong());
            history.committed(list, writtenList, clock.getAsLong());
        }
        later(ThreadLocalRandom.current().nextInt(LONGEST_LAG_MILLIS), () -> {
            synchronized (filter) {
                filter.invalidate(key, System.currentTimeMillis());
                filter.invalidate(list, System.currentTimeMillis());
                history.marked(key, written, clock.getAsLong());
                history.marked(list, writtenList, clock.getAsLong());
            }
            return null;
        });
        return written;
    }

    private static String listOf(String key) {
        return "l" + Integer.parseInt(key.replaceAll("\\D", "")) % LISTS;
    }

    /** The whole text of a record or list. */
    private String content(String key) {
        return key.startsWith("l")
                ? versions.entrySet().stream()
                        .filter(one -> one.getKey().startsWith("k"))
                        .filter(one -> listOf(one.getKey()).equals(key))
                        .map(one -> "{\"id\":\"%s\",\"v\":%d}".formatted(one.getKey(), one.getValue()))
                        .collect(Collectors.joining(",", "[", "]"))
                : String.valueOf(versions.getOrDefault(key, 0));
    }

    void later(long millis, Callable<?> task) {
        var unused = later.schedule(task, millis, TimeUnit.MILLISECONDS);
    }

    void handle(HttpServerRequest request) {
        String key = request.path().substring(request.path().lastIndexOf('/') + 1);
        if (request.method().equals(HttpMethod.PUT)) {
            var unused = request.response()
                    .putHeader(CachingClient.VERSION, String.valueOf(write(key)))
                    .end();
            return;
        }
        reads.incrementAndGet();
        long evaluated;
        int version;
        String content;
        synchronized (filter) {
            evaluated = System.currentTimeMillis();
            filter.reportRead(key, new OriginRead(evaluated, TTL_MILLIS).expiryMillis(), evaluated);
            version = versions.getOrDefault(key, 0);
            content = content(key);
        }
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long millis = random.nextInt(100) < slowPercent ? 1_500 : 1 + random.nextInt(40);
        vertx.setTimer(millis, id -> answer(request, version, content, evaluated));
    }

    /** Answers are sent later than they are evaluated, so they overtake changes and purges. */
    private void answer(HttpServerRequest request, int version, String content, long evaluatedMillis) {
        String etag = "\"" + version + '"';
        HttpServerResponse response = request.response()
                .putHeader("Cache-Control", "max-age=" + TTL_MILLIS / 1_000)
                .putHeader("ETag", etag)
                .putHeader(CachingClient.VERSION, String.valueOf(version))
                .putHeader(
                        CachingClient.EVALUATED_MILLIS,
                        String.valueOf(stampsTooLate ? System.currentTimeMillis() : evaluatedMillis));
        if (etag.equals(request.getHeader("If-None-Match"))) {
            response.setStatusCode(304).end();
        } else {
            response.end(content);
        }
    }

    @Override
    public void close() {
        later.shutdownNow();
    }
}
