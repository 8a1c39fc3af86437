package io.kipimo.labs.demos.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.caching.filter.FilterServer;
import io.kipimo.caching.purge.CachePurger;
import io.kipimo.caching.purge.KeyPaths;
import io.kipimo.core.Effort;
import io.kipimo.core.stale.Consistency;
import io.kipimo.core.stale.FreshnessSettings;
import io.kipimo.core.stale.ReadHistory;
import io.kipimo.sdk.caching.CacheUses;
import io.kipimo.sdk.caching.CachedResponse;
import io.kipimo.sdk.caching.CachedResponse.Source;
import io.kipimo.sdk.caching.CachingClient;
import io.kipimo.sdk.caching.CachingSettings;
import io.kipimo.sdk.caching.ResultRecords;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A history checker over real caches: clients take stale keys from them at all levels of consistency, while purges are
 * late, out of order or lost, and answers overtake them. Times are compared, none is expected.
 */
class SafeRevalidationITCase {
    private static final int KEYS = 40;
    private static final int CLIENTS = 6;
    private static final long DELTA_MILLIS = 500;
    private static final long READS = Long.getLong("caching.reads", Effort.of(500, 1_500));
    private static final long PATIENCE_MILLIS = 120_000;

    private final Vertx vertx = Vertx.vertx();
    private final ReadHistory history = new ReadHistory(TimeUnit.MILLISECONDS.toNanos(DELTA_MILLIS));
    private final AtomicLong staleKeysFromCaches = new AtomicLong();
    private final AtomicLong recordsOfLists = new AtomicLong();

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** An origin that stamps its answers when it sends them breaks the promise, and it shows. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void staleKeysComeFromCachesAndEveryReadKeepsItsLevel(boolean stampsTooLate, @TempDir Path directory)
            throws Exception {
        check(CacheChoice.BUILT_IN, stampsTooLate, directory);
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(names = {"VARNISH", "NGINX"})
    void soItIsWithOtherCaches(CacheChoice choice, @TempDir Path directory) throws Exception {
        check(choice, false, directory);
    }

    private void check(CacheChoice choice, boolean stampsTooLate, Path directory) throws Exception {
        Assumptions.assumeTrue(choice.isInstalled(), "SKIPPED: " + choice.title() + " is not installed here");
        try (VersionedOrigin origin = new VersionedOrigin(vertx, history, System::nanoTime, stampsTooLate);
                FilterServer filters = FilterServer.start(origin.publisher(), "127.0.0.1", 0)) {
            HttpServer server = vertx.createHttpServer().requestHandler(origin::handle);
            server.listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            try (SharedCache cache = choice.start(vertx, server.actualPort(), directory)) {
                CachePurger purger = CachePurger.of(new CachePurger.Purging(
                        cache.kind(),
                        List.of(cache.address()),
                        new KeyPaths("/{key}", "/{key}"),
                        1,
                        Duration.ofSeconds(30)));
                long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
                BooleanSupplier isOver =
                        () -> System.nanoTime() > end || (stampsTooLate ? isTooStale() : history.reads() >= READS);
                URI filter = URI.create("http://127.0.0.1:" + filters.port() + FilterServer.PATH);
                URI store = URI.create("http://127.0.0.1:" + server.actualPort());
                List<Thread> threads = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    Session session =
                            new Session("client " + i, cache.address(), store, filter, origin, new SplittableRandom(i));
                    threads.add(new Thread(() -> session.run(isOver)));
                }
                threads.forEach(Thread::start);
                SplittableRandom random = new SplittableRandom(99);
                while (!isOver.getAsBoolean()) {
                    write(origin, "k" + random.nextInt(KEYS), random, purger);
                    Thread.sleep(random.nextInt(60));
                }
                for (Thread thread : threads) {
                    thread.join();
                }
            }
            String figures = String.format(
                    "%s: %d reads, %d at the origin, %d of stale keys from caches, %d of records that came with lists,"
                            + " %d broken promises",
                    choice,
                    history.reads(),
                    origin.reads(),
                    staleKeysFromCaches.get(),
                    recordsOfLists.get(),
                    history.violations().size());
            System.out.println(figures);
            assertThat(staleKeysFromCaches.get()).as(figures).isPositive();
            assertThat(recordsOfLists.get()).as(figures).isPositive();
            if (stampsTooLate) {
                assertThat(isTooStale()).as(figures).isTrue();
            } else {
                assertThat(history.violations()).as(figures).isEmpty();
            }
        }
    }

    private boolean isTooStale() {
        return history.violations().stream().anyMatch(v -> v.startsWith("staler than Delta"));
    }

    /** Its purges follow, in any order with those of other writes. */
    private static void write(VersionedOrigin origin, String key, SplittableRandom random, CachePurger purger) {
        origin.write(key);
        boolean isLost = random.nextInt(5) == 0;
        if (!isLost) {
            origin.later(
                    random.nextInt(300), () -> purger.purge("/" + key, false).join());
        }
    }

    private final class Session {
        private final String name;
        private final URI cache;
        private final URI store;
        private final URI filter;
        private final VersionedOrigin origin;
        private final SplittableRandom random;

        Session(String name, URI cache, URI store, URI filter, VersionedOrigin origin, SplittableRandom random) {
            this.name = name;
            this.cache = cache;
            this.store = store;
            this.filter = filter;
            this.origin = origin;
            this.random = random;
        }

        void run(BooleanSupplier isOver) {
            CachingSettings settings = CachingSettings.of(filter)
                    .withKeys(CachingSettings::lastSegment)
                    .withRecords(new ResultRecords("/l", "", "/{id}", "v"))
                    .withFreshness(new FreshnessSettings(DELTA_MILLIS, 1_000, VersionedOrigin.TTL_MILLIS));
            HttpClient http =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            try (CachingClient client = CachingClient.open(settings, http, new CacheUses())) {
                while (!isOver.getAsBoolean()) {
                    String key = "k" + (int) (KEYS * random.nextDouble() * random.nextDouble());
                    if (random.nextInt(30) == 0) {
                        write(client, key);
                    } else {
                        read(client, random.nextInt(5) == 0 ? "l" + random.nextInt(VersionedOrigin.LISTS) : key);
                    }
                    Thread.sleep(1 + random.nextInt(3));
                }
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void write(CachingClient client, String key) throws IOException, InterruptedException {
            long version = client.write(HttpRequest.newBuilder(store.resolve("/" + key))
                            .PUT(BodyPublishers.noBody())
                            .build())
                    .headers()
                    .firstValueAsLong(CachingClient.VERSION)
                    .orElseThrow();
            history.wrote(name, key, version);
        }

        /** Two of three reads have the default level. */
        private void read(CachingClient client, String key) throws IOException, InterruptedException {
            Consistency[] levels = Consistency.values();
            Consistency level = random.nextInt(3) == 0 ? levels[random.nextInt(levels.length)] : Consistency.SESSION;
            boolean isStale = origin.isStale(key);
            long begin = System.nanoTime();
            CachedResponse response =
                    client.get(HttpRequest.newBuilder(cache.resolve("/" + key)).build(), level);
            if (response.status() == 200) {
                String text = new String(response.body(), StandardCharsets.UTF_8);
                boolean isOfList = text.startsWith("{");
                long got = text.startsWith("[")
                        ? response.version()
                        : Long.parseLong(isOfList ? text.replaceAll(".*:|}", "") : text);
                history.read(name, level, key, got, begin);
                recordsOfLists.addAndGet(isOfList ? 1 : 0);
                staleKeysFromCaches.addAndGet(isStale && response.source() != Source.ORIGIN ? 1 : 0);
            }
        }
    }
}
