package io.kipimo.caching.truth;

import io.kipimo.caching.purge.CachePurger;
import io.kipimo.caching.purge.KeyPaths;
import io.kipimo.core.stale.CacheLook;
import io.kipimo.core.stale.CacheLook.Held;
import io.kipimo.core.stale.CacheLook.Read;
import io.kipimo.core.stale.CacheTruthProbe;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.FlatFilter;
import io.kipimo.core.stale.FreshnessSettings;
import io.kipimo.schemas.caching.CacheTruth;
import io.kipimo.schemas.caching.CachedScope;
import io.kipimo.schemas.caching.LinkTruth;
import io.kipimo.schemas.field.Names;
import io.kipimo.sdk.caching.CacheUses;
import io.kipimo.sdk.caching.CachedResponse;
import io.kipimo.sdk.caching.CachedResponse.Source;
import io.kipimo.sdk.caching.CachingClient;
import io.kipimo.sdk.caching.CachingSettings;
import io.kipimo.sdk.internal.exposition.Exposition;
import io.kipimo.sdk.internal.http.BoundedExchange;
import io.kipimo.sdk.internal.http.CacheControl;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks sampled, recently written keys for stale content. For each key it looks at the filter of stale keys, then
 * reads the key through a caching client, or from a shared cache like a client without a filter, and then from the
 * origin. {@link CacheTruthProbe} chooses the times and judges the answers. Thread-safe.
 */
public final class TruthProber implements AutoCloseable {

    /**
     * Settings of a prober: which keys it reads, and from where.
     *
     * @param prober name of this process
     * @param tables tables whose keys are read, each as service/table
     * @param origin address of the origin, without a path; its answers are the truth
     * @param caches addresses of shared caches, without a path; the caching client reads through the first one
     * @param filter address of the filter of stale keys; empty: clients have none
     * @param refreshMillis Delta of the caching client, which is the greatest staleness of its reads, milliseconds,
     *     above 0
     * @param timeout time-out of one request, above 0
     */
    public record Probing(
            String prober,
            Set<String> tables,
            URI origin,
            List<URI> caches,
            Optional<URI> filter,
            KeyPaths paths,
            long refreshMillis,
            Duration timeout,
            CacheTruthProbe.Watching truth) {
        /** @throws IllegalArgumentException if a value is out of range */
        public Probing {
            if (!Names.isName(prober)) {
                throw new IllegalArgumentException("prober is '"
                        + Names.cut(prober, 100)
                        + "'; allowed: 1 to "
                        + Names.LONGEST
                        + " characters without '/'");
            }
            tables = Set.copyOf(tables);
            caches = List.copyOf(caches);
            CachePurger.Purging.checkServer("origin", origin);
            caches.forEach(cache -> CachePurger.Purging.checkServer("cache", cache));
            if (refreshMillis < 1) {
                throw new IllegalArgumentException("refresh is " + refreshMillis + " ms; allowed: from 1");
            }
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(TruthProber.class);
    private static final int THREADS = 8;
    private static final int MOST_WAITING = 64;
    private static final long TICK_MILLIS = 100;
    private static final int OK = 200;
    private static final int SERVER_ERROR = 500;

    /** A key of a table; a record and a query may have the same key. */
    private record KeyPlace(String service, String table, String key, boolean isQuery) {
        String name() {
            return (isQuery ? "query " : "record ") + key;
        }
    }

    /** The keys of one table. An instance is guarded by its own lock. */
    private final class TableProbe {
        final CacheTruthProbe probe = new CacheTruthProbe(settings.truth());
        final Map<String, KeyPlace> places = new TreeMap<>();
    }

    /** A filter that was made at {@code atMillis} or later, epoch milliseconds. */
    private record TakenFilter(FlatFilter filter, long atMillis) {}

    private final Probing settings;
    private final Map<String, TableProbe> tables = new TreeMap<>();
    private final BoundedExchange http;
    private final CachingClient client;
    private final Map<URI, String> keysOfClient = new ConcurrentHashMap<>();
    private final LongAdder noPaths = new LongAdder();
    private final ScheduledThreadPoolExecutor workers = new ScheduledThreadPoolExecutor(THREADS, task -> {
        Thread thread = new Thread(task, "kipimo-cache-truth");
        thread.setDaemon(true);
        return thread;
    });

    // Guarded by this.
    private FutureTask<Optional<TakenFilter>> newest;
    private long newestMillis;

    private TruthProber(Probing settings) {
        this.settings = settings;
        settings.tables().forEach(table -> tables.put(table, new TableProbe()));
        HttpClient connections = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(settings.timeout())
                .build();
        CachingSettings caching = new CachingSettings(
                settings.filter(),
                new FreshnessSettings(settings.refreshMillis(), FreshnessSettings.DEFAULT.rememberedKeys()),
                keysOfClient::get,
                settings.truth().mostKeys(),
                settings.timeout(),
                BoundedExchange.LARGEST_PAGE,
                false,
                List.of());
        http = new BoundedExchange(connections, settings.timeout(), BoundedExchange.LARGEST_PAGE);
        client = CachingClient.open(caching, connections, new CacheUses());
    }

    /** Starts to look at keys that are {@link #written}; continues until closed. */
    public static TruthProber start(Probing settings) {
        TruthProber prober = new TruthProber(settings);
        var unused =
                prober.workers.scheduleWithFixedDelay(prober::step, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        return prober;
    }

    /** Reports that a key was written. Keys of tables that are not probed are ignored. */
    public void written(String service, String table, String key, boolean isQuery) {
        TableProbe home = tables.get(CachedScope.of(service, table));
        if (home == null) {
            return;
        }
        KeyPlace place = new KeyPlace(service, table, key, isQuery);
        try {
            URI unused = address(settings.origin(), place);
        } catch (IllegalArgumentException e) {
            noPaths.increment();
            LOG.debug("skipped a key: {}", e.getMessage());
            return;
        }
        synchronized (home) {
            home.places.put(place.name(), place);
            home.probe.written(place.name(), now());
            if (home.places.size() > 2 * settings.truth().mostKeys()) {
                home.places.keySet().removeIf(name -> !home.probe.isWatched(name));
            }
        }
    }

    private URI address(URI server, KeyPlace place) {
        return settings.paths().address(server, place.service(), place.table(), place.key(), place.isQuery());
    }

    private static long now() {
        return System.currentTimeMillis();
    }

    private void step() {
        int room = MOST_WAITING - workers.getQueue().size();
        for (TableProbe table : tables.values()) {
            List<KeyPlace> due = new ArrayList<>();
            synchronized (table) {
                for (String name : table.probe.due(now(), Math.max(0, room))) {
                    due.add(table.places.get(name));
                }
            }
            room -= due.size();
            due.forEach(place -> workers.execute(() -> look(table, place)));
        }
    }

    private void look(TableProbe table, KeyPlace place) {
        CacheLook look = new CacheLook(Optional.empty(), Optional.empty(), Optional.empty());
        try {
            OptionalInt cache = table.probe.sharedCache(place.name());
            Optional<TakenFilter> taken = settings.filter().isEmpty()
                    ? Optional.empty()
                    : taken(settings.filter().get());
            Optional<Held> held = taken.map(t -> new Held(t.filter().mightContain(place.key()), t.atMillis()));
            Optional<Read> read = cache.isPresent()
                    ? plain(address(settings.caches().get(cache.getAsInt()), place), false)
                    : asClient(place);
            look = new CacheLook(held, read, plain(address(settings.origin(), place), true));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | ExecutionException e) {
            LOG.warn("a look at {} failed", place.name(), e);
        }
        synchronized (table) {
            table.probe.looked(place.name(), look, now());
        }
    }

    /** Reads an address like a client without a filter; empty if there is no usable answer. */
    private Optional<Read> plain(URI address, boolean isOrigin) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address);
        if (isOrigin) {
            request.header("Cache-Control", "no-cache");
        }
        long begin = now();
        try {
            HttpResponse<Void> answer = http.send(request.build(), BodyHandlers.discarding());
            HttpHeaders headers = answer.headers();
            return read(answer.statusCode(), headers, begin, isOrigin, CacheControl.sharedFreshMillis(headers, now()));
        } catch (IOException e) {
            LOG.debug("no answer of {}", address, e);
            return Optional.empty();
        }
    }

    private Optional<Read> asClient(KeyPlace place) throws InterruptedException {
        URI server = settings.caches().isEmpty()
                ? settings.origin()
                : settings.caches().get(0);
        URI address = address(server, place);
        keysOfClient.put(address, place.key());
        long begin = now();
        try {
            CachedResponse answer = client.get(address);
            // The headers of its own copy tell the age at its receipt, not now.
            long evaluated =
                    number(answer.headers(), CachingClient.EVALUATED_MILLIS).orElse(0);
            long fresh = answer.source() == Source.CLIENT_CACHE
                    ? 0
                    : CacheControl.freshMillis(answer.headers(), evaluated, 0, now());
            return read(answer.status(), answer.headers(), begin, answer.isRevalidated(), fresh);
        } catch (IOException e) {
            LOG.debug("no answer of {}", address, e);
            return Optional.empty();
        } finally {
            keysOfClient.remove(address);
        }
    }

    private static Optional<Read> read(
            int status, HttpHeaders headers, long begin, boolean isPastCaches, long freshMillis) {
        OptionalLong version = number(headers, CachingClient.VERSION);
        return status >= SERVER_ERROR || version.isEmpty()
                ? Optional.empty()
                : Optional.of(new Read(
                        version.getAsLong(), begin, now(), isPastCaches, freshMillis == 0 ? 0 : begin + freshMillis));
    }

    /** Returns the number in a header; empty unless there is a number of at least 0. */
    private static OptionalLong number(HttpHeaders headers, String name) {
        try {
            OptionalLong number = headers.firstValueAsLong(name);
            return number.orElse(-1) < 0 ? OptionalLong.empty() : number;
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /**
     * Returns the filter as clients get it; empty if it is not available. Looks that begin within a tick of 100 ms
     * share one request, even if it fails.
     *
     * @throws ExecutionException never, since a failed request gives an empty result
     */
    private Optional<TakenFilter> taken(URI filter) throws InterruptedException, ExecutionException {
        FutureTask<Optional<TakenFilter>> request;
        synchronized (this) {
            long now = now();
            if (newest == null || now - newestMillis >= TICK_MILLIS) {
                newest = new FutureTask<>(() -> fetched(filter));
                newestMillis = now;
            }
            request = newest;
        }
        request.run(); // By the first look; the others wait.
        return request.get();
    }

    private Optional<TakenFilter> fetched(URI filter) {
        HttpRequest request = HttpRequest.newBuilder(filter)
                .header("Cache-Control", "no-cache")
                .build();
        long begin = now();
        try {
            HttpResponse<byte[]> answer = http.send(request, BodyHandlers.ofByteArray());
            OptionalLong hashes = number(answer.headers(), CachingClient.FILTER_HASHES);
            if (answer.statusCode() != OK || hashes.isEmpty()) {
                return Optional.empty();
            }
            FilterShape shape = new FilterShape(answer.body().length * Byte.SIZE, Math.toIntExact(hashes.getAsLong()));
            long age = number(answer.headers(), CachingClient.FILTER_AGE_MILLIS).orElse(0);
            return Optional.of(new TakenFilter(FlatFilter.of(shape, answer.body()), begin - age));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (IOException | IllegalArgumentException | ArithmeticException e) {
            LOG.debug("no filter", e);
            return Optional.empty();
        }
    }

    /** Returns the results of the last hour for each table. */
    public List<CacheTruth> truths() {
        List<CacheTruth> truths = new ArrayList<>();
        tables.forEach((name, table) -> {
            int slash = name.indexOf('/');
            long now = now();
            synchronized (table) {
                truths.add(new CacheTruth(
                        name.substring(0, slash),
                        name.substring(slash + 1),
                        settings.prober(),
                        table.probe.sinceMillis(now),
                        now,
                        table.probe.lastHour(now)));
            }
        });
        return truths;
    }

    /** Counts since the start, as a page of metrics. */
    public String metrics() {
        Exposition page = new Exposition();
        tables.forEach((name, table) -> {
            synchronized (table) {
                table.probe.sinceStart().forEach(link -> add(page, name, link));
                page.counter(
                        "kipimo_cache_truth_skipped_total",
                        "Writes whose keys are not looked at, for lack of room.",
                        table.probe.skipped(),
                        "table",
                        name);
            }
        });
        return page.counter("kipimo_cache_truth_no_path_total", "Written keys that are no path.", noPaths.sum())
                .toString();
    }

    private static void add(Exposition page, String table, LinkTruth link) {
        String name = link.link().name().toLowerCase(Locale.ROOT);
        String seconds = String.valueOf(link.withinMillis() / 1000.0).replaceFirst("\\.0$", "");
        Map<String, Long> results = new TreeMap<>();
        results.put("fresh", link.fresh());
        results.put("stale", link.stale());
        results.put("unknown", link.unknown());
        results.forEach((result, count) -> page.counter(
                "kipimo_cache_truth_probes_total",
                "Probes of a link by whether they show what was written so long before.",
                count,
                "table",
                table,
                "link",
                name,
                "within_seconds",
                seconds,
                "result",
                result));
        page.counter(
                "kipimo_cache_truth_lost_total",
                "Stale probes that the link itself has lost.",
                link.lost(),
                "table",
                table,
                "link",
                name,
                "within_seconds",
                seconds);
    }

    /** Drops the looks in progress. */
    @Override
    public void close() {
        workers.shutdownNow();
        client.close();
    }
}
