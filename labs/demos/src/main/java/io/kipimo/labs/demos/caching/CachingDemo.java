package io.kipimo.labs.demos.caching;

import io.kipimo.caching.filter.FilterServer;
import io.kipimo.caching.purge.CachePurger;
import io.kipimo.caching.purge.KeyPaths;
import io.kipimo.caching.purge.PurgeFeed;
import io.kipimo.embedded.watch.Progress;
import io.kipimo.local.LocalConsole;
import io.kipimo.sdk.caching.CacheUses;
import io.kipimo.simulator.report.Phrase;
import io.vertx.core.Vertx;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs every way of caching. Each run has a new store, origin, cache and clients, and the same operations at the same
 * times. The figures include the start of a run, while caches fill.
 */
final class CachingDemo implements AutoCloseable {
    private static final long WARM_UP_MILLIS = 5_000;
    private static final String PURGERS = "demo-purgers";

    private final CachingDemoSettings settings;
    private final CacheChoice cacheChoice;
    private final Optional<LocalConsole> console;
    private final Progress progress;
    private final Path directory;
    private final Vertx vertx = Vertx.vertx();

    /**
     * Prepares a demo.
     *
     * @param console shown while the demo runs
     */
    CachingDemo(
            CachingDemoSettings settings,
            CacheChoice cacheChoice,
            Optional<LocalConsole> console,
            Progress progress,
            Path directory) {
        this.settings = settings;
        this.cacheChoice = cacheChoice;
        this.console = console;
        this.progress = progress;
        this.directory = directory;
    }

    CachingSummary run(Duration runLength, long seed) throws Exception {
        CachingWorkload workload = CachingWorkload.of(settings, runLength.toMillis(), seed);
        try (Platform platform = Platform.start(settings, progress);
                AutoCloseable shown = open(platform)) {
            return run(workload, platform, seed);
        }
    }

    private AutoCloseable open(Platform platform) throws Exception {
        return console.isPresent() ? console.get().open(platform.kafka(), progress) : () -> {};
    }

    private CachingSummary run(CachingWorkload workload, Platform platform, long seed) throws Exception {
        // Warm up the code of all ways and of the jobs before measuring.
        progress.say("warming up");
        var unused = run(
                WayOfCaching.ALL,
                "products-warm-up",
                CachingWorkload.of(settings, WARM_UP_MILLIS, seed + 1),
                platform,
                seed);
        List<CachingRunResult> results = new ArrayList<>();
        for (WayOfCaching way : WayOfCaching.values()) {
            CachingRunResult result = run(way, way.table(), workload, platform, seed);
            results.add(result);
            progress.say(way.title() + ": " + CachingTable.sentence(result));
        }
        return new CachingSummary(cacheChoice.title(), results, notes(workload));
    }

    private CachingRunResult run(WayOfCaching way, String table, CachingWorkload workload, Platform platform, long seed)
            throws Exception {
        ProductStore store = new ProductStore(settings, seed);
        CacheUses uses = platform.reports().uses(DemoPipeline.SERVICE, table, "demo-clients-" + way.title());
        try (CachingPipeline pipeline = new DemoPipeline(settings, table, store, platform);
                OriginServer origin = OriginServer.start(vertx, settings, way, store, pipeline);
                SharedCache cache = cacheChoice.start(vertx, origin.port(), directory.resolve(table))) {
            CachePurger.Purging purges = purges(cache);
            CachePurger purger = CachePurger.of(purges);
            URI filter = URI.create("http://127.0.0.1:" + origin.port() + FilterServer.PATH);
            URI reads = way.hasCaches() ? cache.address() : URI.create("http://127.0.0.1:" + origin.port());
            try (AutoCloseable feed = way.hasPurges() ? feed(platform, purger, purges) : () -> {};
                    Clients clients = new Clients(settings, way, table, store, reads, filter, uses)) {
                operate(way, clients, workload);
                return clients.result(pipeline.lag(), purger.purged(), origin.filterRequests(), origin.filterBytes());
            }
        }
    }

    private static CachePurger.Purging purges(SharedCache cache) {
        return new CachePurger.Purging(
                cache.kind(),
                List.of(cache.address()),
                new KeyPaths("/{table}/{key}", "/{table}/{key}"),
                3,
                Duration.ofSeconds(2));
    }

    private static PurgeFeed feed(Platform platform, CachePurger purger, CachePurger.Purging settings) {
        // The cache is new: skip the notifications of earlier runs.
        platform.skipNotifications(PURGERS);
        return PurgeFeed.start(platform.kafka(), PURGERS, purger, settings);
    }

    private void operate(WayOfCaching way, Clients clients, CachingWorkload workload) throws InterruptedException {
        long from = System.nanoTime();
        ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor();
        try {
            var unused = ticker.scheduleAtFixedRate(
                    () -> progress.at(
                            way.title(), (System.nanoTime() - from) / 1e6 / workload.durationMillis(), clients.soFar()),
                    1,
                    1,
                    TimeUnit.SECONDS);
            clients.run(workload);
        } finally {
            ticker.shutdownNow();
        }
    }

    private List<String> notes(CachingWorkload workload) {
        List<String> notes = new ArrayList<>();
        notes.add(Phrase.of(
                "The same %,d operations for every way, %,d of them writes, by %d clients in"
                        + " %d s; %,d products, %d queries, popularity by Zipf %.1f.",
                workload.operations(),
                workload.writes(),
                settings.clients(),
                workload.durationMillis() / 1000,
                settings.products(),
                settings.categories() * Product.QUERIES_PER_CATEGORY,
                settings.zipf()));
        notes.add(Phrase.of(
                "The origin answers after %d ms, to simulate distance; the cache is near."
                        + " Clients request a filter that is not older than %d ms.",
                settings.originDelay().toMillis(), settings.refreshMillis()));
        notes.add("The staleness of a read is the time from the change that it missed to the start of the read.");
        notes.add("The ttl job and the invalidation job run on a Flink of this process, one subtask each;"
                + " each way has its own table, for which the jobs have no data at first:"
                + " keys without an estimate of the ttl job may be cached for "
                + DemoPipeline.FIRST_TTL_MILLIS / 1000
                + " s.");
        notes.add(Phrase.of(
                "With the filter a read may be stale by Delta (%,d ms) and the time from a"
                        + " write to its mark in the filter. The lag shown is from a write to"
                        + " its notification in the topic. The mark comes from the same job on a"
                        + " separate path, where it may wait 10 ms for others; its own lag is not measured.",
                settings.refreshMillis()));
        notes.add("The lag holds for this machine, on which broker, Redis, Flink, origin, cache and"
                + " clients share the cores. Invalidations are all notifications of the job,"
                + " whether or not a cache held the key.");
        return notes;
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
