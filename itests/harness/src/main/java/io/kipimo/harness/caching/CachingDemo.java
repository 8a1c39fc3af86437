package io.kipimo.harness.caching;

import io.kipimo.caching.filter.FilterServer;
import io.kipimo.caching.purge.CachePurger;
import io.kipimo.caching.purge.PurgeSettings;
import io.kipimo.harness.watch.Progress;
import io.kipimo.sdk.caching.CacheUses;
import io.vertx.core.Vertx;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One run a way of caching, each with a new store, origin, cache and clients, and the same
 * operations at the same times. The first moments of a run, in which caches fill, count.
 */
final class CachingDemo implements AutoCloseable {
    private static final long WARM_UP_MILLIS = 5_000;

    private final CachingDemoSettings settings;
    private final CacheChoice cacheChoice;
    private final Progress progress;
    private final Path directory;
    private final Vertx vertx = Vertx.vertx();

    CachingDemo(
            CachingDemoSettings settings,
            CacheChoice cacheChoice,
            Progress progress,
            Path directory) {
        this.settings = settings;
        this.cacheChoice = cacheChoice;
        this.progress = progress;
        this.directory = directory;
    }

    CachingSummary run(Duration runLength, long seed) throws Exception {
        Workload workload = Workload.of(settings, runLength.toMillis(), seed);
        progress.say("starting Kafka (KRaft) and Redis");
        try (Platform platform = Platform.start()) {
            return run(workload, platform, seed);
        }
    }

    private CachingSummary run(Workload workload, Platform platform, long seed) throws Exception {
        // All code of all ways is warm before anything counts.
        progress.say("warming up");
        var unused =
                run(
                        WayOfCaching.ALL,
                        Workload.of(settings, WARM_UP_MILLIS, seed + 1),
                        platform,
                        seed);
        List<CachingRunResult> results = new ArrayList<>();
        for (WayOfCaching way : WayOfCaching.values()) {
            results.add(run(way, workload, platform, seed));
            progress.say(
                    way.title() + ": " + CachingTable.sentence(results.get(results.size() - 1)));
        }
        return new CachingSummary(cacheChoice.title(), results, notes(workload));
    }

    private CachingRunResult run(WayOfCaching way, Workload workload, Platform platform, long seed)
            throws Exception {
        ProductStore store = new ProductStore(settings, seed);
        Purges purges = new Purges(way);
        CacheUses uses =
                platform.reports()
                        .uses(DemoPipeline.SERVICE, way.table(), "demo-clients-" + way.title());
        try (CachingPipeline pipeline = new DemoPipeline(settings, way, store, platform, purges);
                OriginServer origin = OriginServer.start(vertx, settings, way, store, pipeline);
                SharedCache cache =
                        cacheChoice.start(vertx, origin.port(), directory.resolve(way.table()))) {
            if (way.hasPurges()) {
                purges.to(cache);
            }
            URI filter = URI.create("http://127.0.0.1:" + origin.port() + FilterServer.PATH);
            URI reads =
                    way.hasCaches()
                            ? cache.address()
                            : URI.create("http://127.0.0.1:" + origin.port());
            try (Clients clients = new Clients(settings, way, store, reads, filter, uses)) {
                operate(way, clients, workload);
                CachingRunResult result =
                        clients.result(
                                pipeline.invalidations(),
                                purges.told(),
                                origin.filterRequests(),
                                origin.filterBytes());
                return result;
            }
        }
    }

    private void operate(WayOfCaching way, Clients clients, Workload workload)
            throws InterruptedException {
        long from = System.nanoTime();
        ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor();
        try {
            var unused =
                    ticker.scheduleAtFixedRate(
                            () ->
                                    progress.at(
                                            way.title(),
                                            (System.nanoTime() - from)
                                                    / 1e6
                                                    / workload.durationMillis(),
                                            clients.soFar()),
                            1,
                            1,
                            TimeUnit.SECONDS);
            clients.run(workload);
        } finally {
            ticker.shutdownNow();
        }
    }

    /** Purges what is stale, where the way wants it. */
    private static final class Purges implements Consumer<String> {
        private final WayOfCaching way;
        private volatile CachePurger purger;
        private volatile PurgeSettings purgeSettings;

        Purges(WayOfCaching way) {
            this.way = way;
        }

        void to(SharedCache cache) {
            purgeSettings =
                    new PurgeSettings(
                            cache.kind(),
                            List.of(cache.address()),
                            "/{table}/{key}",
                            "/{table}/{key}",
                            3,
                            Duration.ofSeconds(2));
            purger = CachePurger.of(purgeSettings);
        }

        @Override
        public void accept(String key) {
            if (purger != null) {
                try {
                    var unused =
                            purger.purge(
                                    purgeSettings.path(
                                            DemoPipeline.SERVICE, way.table(), key, false),
                                    false);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        long told() {
            return purger == null ? 0 : purger.purged();
        }
    }

    private List<String> notes(Workload workload) {
        List<String> notes = new ArrayList<>();
        notes.add(
                String.format(
                        Locale.ROOT,
                        "The same %,d operations for every way, %,d of them writes, by %d clients in"
                                + " %d s; %,d products, %d queries, popularity by Zipf %.1f.",
                        workload.operations(),
                        workload.writes(),
                        settings.clients(),
                        workload.durationMillis() / 1000,
                        settings.products(),
                        settings.categories() * Product.QUERIES_PER_CATEGORY,
                        settings.zipf()));
        notes.add(
                String.format(
                        Locale.ROOT,
                        "The origin answers after %d ms, as if it were far away; the cache is near."
                                + " Clients ask for a filter that is not older than %d ms.",
                        settings.originDelay().toMillis(),
                        settings.refreshMillis()));
        notes.add(
                "A read is stale by the time from the change that it missed to the beginning of the"
                        + " read.");
        notes.add(
                "The filter is in Redis, reads and writes are in the log; times to live and changed"
                        + " queries are found by the core's code in this process, not by jobs.");
        return notes;
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
