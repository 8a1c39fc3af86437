package io.kipimo.labs.demos.caching;

import io.kipimo.core.stale.FreshnessSettings;
import io.kipimo.labs.demos.caching.CachingWorkload.CachingOperation;
import io.kipimo.sdk.caching.CacheUses;
import io.kipimo.sdk.caching.CachedResponse;
import io.kipimo.sdk.caching.CachingClient;
import io.kipimo.sdk.caching.CachingSettings;
import io.kipimo.simulator.report.Phrase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Clients that execute their operations at the scheduled times. Each client does one operation at a time; if it is
 * behind schedule, it does not wait. The clients compare every answer with the content of the store.
 */
final class Clients implements AutoCloseable {
    private static final long MOST_MICROS = 120_000_000;

    private final CachingDemoSettings settings;
    private final WayOfCaching way;
    private final String table;
    private final ProductStore store;
    private final URI cache;
    private final CacheUses uses;
    private final HttpClient http;
    private final List<CachingClient> clients = new ArrayList<>();

    private final Histogram latencies = new ConcurrentHistogram(MOST_MICROS, 3);
    private final Histogram staleness = new ConcurrentHistogram(MOST_MICROS, 3);
    private final LongAdder reads = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder clientHits = new LongAdder();
    private final LongAdder sharedHits = new LongAdder();
    private final LongAdder tooStale = new LongAdder();
    private final LongAdder revalidations = new LongAdder();
    private final LongAdder needless = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final AtomicLong longestStaleNanos = new AtomicLong();

    /**
     * Makes the clients.
     *
     * @param cache address of the shared cache, or of the origin if there is no shared cache
     * @param filter address of the filter
     */
    Clients(
            CachingDemoSettings settings,
            WayOfCaching way,
            String table,
            ProductStore store,
            URI cache,
            URI filter,
            CacheUses uses) {
        this.settings = settings;
        this.way = way;
        this.table = table;
        this.store = store;
        this.cache = cache;
        this.uses = uses;
        this.http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        CachingSettings all = CachingSettings.of(filter)
                .withKeys(CachingSettings::lastSegment)
                .withFreshness(
                        new FreshnessSettings(settings.refreshMillis(), FreshnessSettings.DEFAULT.rememberedKeys()));
        CachingSettings wanted = way.hasFilter() ? all : all.withoutFilter();
        for (int i = 0; i < settings.clients(); i++) {
            clients.add(CachingClient.open(wanted, http, uses));
        }
    }

    /** Executes all operations; returns after the last one. */
    void run(CachingWorkload workload) throws InterruptedException {
        long startNanos = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < clients.size(); i++) {
            CachingClient client = clients.get(i);
            List<CachingOperation> operations = workload.perClient().get(i);
            Thread thread = new Thread(() -> operate(client, operations, startNanos), "demo-client-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void operate(CachingClient client, List<CachingOperation> operations, long startNanos) {
        try {
            for (CachingOperation operation : operations) {
                long due = startNanos + TimeUnit.MILLISECONDS.toNanos(operation.atMillis());
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                try {
                    if (operation.isWrite()) {
                        write(client, operation);
                    } else {
                        read(client, operation.key());
                    }
                } catch (IOException e) {
                    failures.increment();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(CachingClient client, CachingOperation operation) throws IOException, InterruptedException {
        var unused = client.write(HttpRequest.newBuilder(address(operation.key()))
                .PUT(BodyPublishers.ofString(String.valueOf(operation.newPriceCents())))
                .build());
        writes.increment();
    }

    private void read(CachingClient client, String key) throws IOException, InterruptedException {
        long began = System.nanoTime();
        CachedResponse response = client.get(address(key));
        latencies.recordValue(micros(System.nanoTime() - began));
        Optional<String> content = response.headers().firstValue(OriginServer.CONTENT);
        if (response.status() != 200 || content.isEmpty()) {
            failures.increment();
            return;
        }
        reads.increment();
        switch (response.source()) {
            case CLIENT_CACHE -> clientHits.increment();
            case SHARED_CACHE -> sharedHits.increment();
            case ORIGIN -> {}
        }
        if (response.isRevalidated()) {
            revalidations.increment();
            if (response.isUnchanged()) {
                needless.increment();
            }
        }
        long stale = store.staleNanos(key, Integer.parseInt(content.get()), began);
        if (stale > 0) {
            staleness.recordValue(micros(stale));
            longestStaleNanos.accumulateAndGet(stale, Math::max);
            uses.stale();
            if (stale > TimeUnit.MILLISECONDS.toNanos(settings.refreshMillis())) {
                tooStale.increment();
            }
        }
    }

    private URI address(String key) {
        return cache.resolve("/" + table + "/" + key);
    }

    private static long micros(long nanos) {
        return Math.min(MOST_MICROS, TimeUnit.NANOSECONDS.toMicros(nanos));
    }

    /** A line of text on the run so far, for the terminal. */
    String soFar() {
        long all = Math.max(1, reads.sum());
        return Phrase.of(
                "%,d reads, %.0f %% from caches, %.2f %% stale, p50 %.1f ms",
                reads.sum(),
                100.0 * (clientHits.sum() + sharedHits.sum()) / all,
                100.0 * staleness.getTotalCount() / all,
                latencies.getValueAtPercentile(50) / 1000.0);
    }

    CachingRunResult result(JobLag lag, long purges, long filterRequests, long filterBytes) {
        long hits = clientHits.sum() + sharedHits.sum();
        long boundMicros = (long) (1001 * (settings.refreshMillis() + lag.longestMillis()));
        return CachingRunResultBuilder.builder()
                .way(way)
                .reads(reads.sum())
                .writes(writes.sum())
                .clientHits(clientHits.sum())
                .sharedHits(sharedHits.sum())
                .originReads(reads.sum() - hits)
                .revalidations(revalidations.sum())
                .needlessRevalidations(needless.sum())
                .staleReads(staleness.getTotalCount())
                .tooStaleReads(tooStale.sum())
                .beyondBoundReads(staleness.getCountBetweenValues(Math.min(MOST_MICROS, boundMicros), MOST_MICROS))
                .longestStaleMillis(longestStaleNanos.get() / 1e6)
                .staleP99Millis(staleness.getValueAtPercentile(99) / 1000.0)
                .meanMillis(latencies.getMean() / 1000)
                .p50Millis(latencies.getValueAtPercentile(50) / 1000.0)
                .p99Millis(latencies.getValueAtPercentile(99) / 1000.0)
                .lag(lag)
                .purges(purges)
                .filterRequests(filterRequests)
                .filterBytes(filterBytes)
                .failures(failures.sum())
                .build();
    }

    @Override
    public void close() {
        clients.forEach(CachingClient::close);
    }
}
