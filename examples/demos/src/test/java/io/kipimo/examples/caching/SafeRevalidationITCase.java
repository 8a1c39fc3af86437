package io.kipimo.examples.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.caching.filter.FilterPublisher;
import io.kipimo.caching.purge.CachePurger;
import io.kipimo.caching.purge.PurgeSettings;
import io.kipimo.core.stale.ExpiringFilter;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.FreshnessSettings;
import io.kipimo.http.Reply;
import io.kipimo.sdk.caching.CacheUses;
import io.kipimo.sdk.caching.CachedResponse;
import io.kipimo.sdk.caching.CachedResponse.Source;
import io.kipimo.sdk.caching.CachingClient;
import io.kipimo.sdk.caching.CachingSettings;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A history checker over real caches: clients take stale keys from them, while purges are late, out
 * of order or lost, and answers overtake them. Times are compared, none is expected.
 */
class SafeRevalidationITCase {
    private static final int KEYS = 40;
    private static final int CLIENTS = 6;
    private static final long DELTA_MILLIS = 500;
    private static final long TTL_MILLIS = 60_000;
    private static final long READS = Long.getLong("caching.reads", 1_500);
    private static final long PATIENCE_MILLIS = 120_000;

    private final Vertx vertx = Vertx.vertx();
    private final ScheduledExecutorService later = Executors.newScheduledThreadPool(4);

    // Guarded by filter.
    private final ExpiringFilter filter =
            new ExpiringFilter(FilterShape.ONE_ROUND_TRIP, TTL_MILLIS + 2_000);
    private final int[] version = new int[KEYS];
    private final Map<String, Long> markedNanos = new HashMap<>();

    private final AtomicLong originReads = new AtomicLong();
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong staleKeysFromCaches = new AtomicLong();
    private final AtomicLong tooStale = new AtomicLong();
    private final AtomicLong backwards = new AtomicLong();

    @AfterEach
    void stop() {
        later.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** An origin that stamps its answers when it sends them breaks the promise, and it shows. */
    @ParameterizedTest
    @CsvSource({"VARNISH,false", "NGINX,false", "BUILT_IN,false", "BUILT_IN,true"})
    void staleKeysComeFromCachesAndNoReadIsStalerThanPromised(
            CacheChoice choice, boolean stampsTooLate, @TempDir Path directory) throws Exception {
        Assumptions.assumeTrue(
                choice.isInstalled(), "SKIPPED: " + choice.title() + " is not installed here");
        HttpServer origin =
                vertx.createHttpServer().requestHandler(request -> answer(request, stampsTooLate));
        origin.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
        HttpServer filters = vertx.createHttpServer().requestHandler(this::filter);
        filters.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
        URI filterAddress = URI.create("http://127.0.0.1:" + filters.actualPort() + "/");
        try (SharedCache cache = choice.start(vertx, origin.actualPort(), directory)) {
            CachePurger purger =
                    CachePurger.of(
                            new PurgeSettings(
                                    cache.kind(),
                                    List.of(cache.address()),
                                    "/{key}",
                                    "/{key}",
                                    1,
                                    Duration.ofSeconds(30)));
            List<Thread> threads = new ArrayList<>();
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
            BooleanSupplier isOver =
                    () ->
                            System.nanoTime() > end
                                    || (stampsTooLate ? tooStale.get() > 0 : reads.get() >= READS);
            for (int i = 0; i < CLIENTS; i++) {
                SplittableRandom random = new SplittableRandom(i);
                threads.add(
                        new Thread(() -> readAll(cache.address(), filterAddress, random, isOver)));
            }
            threads.forEach(Thread::start);
            SplittableRandom random = new SplittableRandom(99);
            while (!isOver.getAsBoolean()) {
                write(random.nextInt(KEYS), random, purger);
                Thread.sleep(random.nextInt(60));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        String figures =
                String.format(
                        "%s: %d reads, %d at the origin, %d of stale keys from caches, %d too stale",
                        choice,
                        reads.get(),
                        originReads.get(),
                        staleKeysFromCaches.get(),
                        tooStale.get());
        System.out.println(figures);
        assertThat(backwards).as(figures).hasValue(0);
        assertThat(staleKeysFromCaches.get()).as(figures).isPositive();
        if (stampsTooLate) {
            assertThat(tooStale.get()).as(figures).isPositive();
        } else {
            assertThat(tooStale).as(figures).hasValue(0);
        }
    }

    private void readAll(
            URI cache, URI filterAddress, SplittableRandom random, BooleanSupplier isOver) {
        int[] seen = new int[KEYS];
        CachingSettings settings =
                CachingSettings.of(filterAddress)
                        .withFreshness(new FreshnessSettings(DELTA_MILLIS, 1_000, TTL_MILLIS));
        HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        try (CachingClient client = CachingClient.open(settings, http, new CacheUses())) {
            while (!isOver.getAsBoolean()) {
                int key = (int) (KEYS * random.nextDouble() * random.nextDouble());
                boolean isStale;
                synchronized (filter) {
                    isStale = filter.isStale("k" + key, System.currentTimeMillis());
                }
                long began = System.nanoTime();
                CachedResponse response = client.get(cache.resolve("/k" + key));
                if (response.status() != 200) {
                    continue;
                }
                int got = Integer.parseInt(new String(response.body(), StandardCharsets.UTF_8));
                reads.incrementAndGet();
                staleKeysFromCaches.addAndGet(
                        isStale && response.source() != Source.ORIGIN ? 1 : 0);
                Long marked;
                synchronized (filter) {
                    marked = markedNanos.get(key + "@" + (got + 1));
                }
                if (marked != null
                        && began - marked > TimeUnit.MILLISECONDS.toNanos(DELTA_MILLIS)) {
                    tooStale.incrementAndGet();
                }
                backwards.addAndGet(got < seen[key] ? 1 : 0);
                seen[key] = Math.max(seen[key], got);
                Thread.sleep(1 + random.nextInt(3));
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A write; its mark and purges follow, in any order with those of other writes. */
    private void write(int key, SplittableRandom random, CachePurger purger) {
        int written;
        synchronized (filter) {
            written = ++version[key];
        }
        boolean isLost = random.nextInt(5) == 0;
        int purgeMillis = random.nextInt(300);
        var unused =
                later.schedule(
                        () -> {
                            synchronized (filter) {
                                filter.invalidate("k" + key, System.currentTimeMillis());
                                markedNanos.putIfAbsent(key + "@" + written, System.nanoTime());
                            }
                        },
                        random.nextInt(30),
                        TimeUnit.MILLISECONDS);
        if (!isLost) {
            var unusedToo =
                    later.schedule(
                            () -> purger.purge("/k" + key, false).join(),
                            purgeMillis,
                            TimeUnit.MILLISECONDS);
        }
    }

    private void filter(HttpServerRequest request) {
        Reply reply;
        synchronized (filter) {
            reply =
                    new FilterPublisher(
                                    FilterShape.ONE_ROUND_TRIP,
                                    List.of(filter),
                                    0,
                                    System::currentTimeMillis)
                            .reply("", "", request.getHeader("Accept"));
        }
        reply.headers().forEach(request.response()::putHeader);
        var unused = request.response().end(Buffer.buffer(reply.body()));
    }

    /** Some answers take seconds, so they overtake nothing and arrive after purges. */
    private void answer(HttpServerRequest request, boolean stampsTooLate) {
        originReads.incrementAndGet();
        String name = request.path().substring(1);
        int key = Integer.parseInt(name.substring(1));
        long evaluated;
        int content;
        synchronized (filter) {
            evaluated = System.currentTimeMillis();
            filter.reportRead(name, evaluated + TTL_MILLIS + 2_000, evaluated);
            content = version[key];
        }
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long millis = random.nextInt(20) == 0 ? 1_500 : 1 + random.nextInt(40);
        vertx.setTimer(
                millis,
                id -> {
                    String etag = "\"" + content + '"';
                    HttpServerResponse response =
                            request.response()
                                    .putHeader("Cache-Control", "max-age=" + TTL_MILLIS / 1_000)
                                    .putHeader("ETag", etag)
                                    .putHeader(CachingClient.VERSION, String.valueOf(content))
                                    .putHeader(
                                            CachingClient.EVALUATED_MILLIS,
                                            String.valueOf(
                                                    stampsTooLate
                                                            ? System.currentTimeMillis()
                                                            : evaluated));
                    if (etag.equals(request.getHeader("If-None-Match"))) {
                        response.setStatusCode(304).end();
                    } else {
                        response.end(String.valueOf(content));
                    }
                });
    }
}
