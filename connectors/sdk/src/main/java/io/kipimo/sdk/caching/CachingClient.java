package io.kipimo.sdk.caching;

import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.FlatFilter;
import io.kipimo.core.stale.FreshnessSession;
import io.kipimo.core.stale.FreshnessSession.Verdict;
import io.kipimo.core.stale.FreshnessSession.Way;
import io.kipimo.sdk.caching.CachedResponse.Source;
import io.kipimo.sdk.internal.http.CacheDirectives;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.zip.GZIPInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads over HTTP through its own cache and shared caches, with bounded staleness (Quaestor, sec.
 * 3). Keys in the filter of stale keys are requested with {@code Cache-Control: no-cache}: every
 * cache on the way asks the origin and stores its answer. Reads are monotonic, and a client sees
 * its own writes.
 *
 * <p>The filter is fetched in the background at three quarters of the allowed age. While it is
 * unavailable, every read is a revalidation, which is slow but correct. One client is one session,
 * for any number of threads.
 *
 * <pre>
 * CachingClient client = CachingClient.open(CachingSettings.of(URI.create("https://shop/stale-filter")), uses);
 * CachedResponse product = client.get(URI.create("https://shop/products/p-17"));
 * </pre>
 */
public final class CachingClient implements AutoCloseable {
    /** Header of an answer: version number of the content, which never decreases. */
    public static final String VERSION = "Kipimo-Version";

    /** Header of a filter: number of hash positions of each key. */
    public static final String FILTER_HASHES = "Kipimo-Filter-Hashes";

    /** Header of a filter: its age when it was sent, milliseconds. */
    public static final String FILTER_AGE_MILLIS = "Kipimo-Filter-Age-Millis";

    private static final Logger LOG = LoggerFactory.getLogger(CachingClient.class);
    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;
    private static final int REDIRECTION = 300;

    /** Delay after a failed request for the filter. */
    private static final long RETRY_MILLIS = 100;

    /**
     * Headers that belong to the stored body; those of a 304 do not replace them (RFC 9111, sec.
     * 3.2).
     */
    private static final Set<String> OF_THE_BODY =
            Set.of("content-length", "content-encoding", "content-type", "content-range");

    private record Entry(
            int status, byte[] body, HttpHeaders headers, long version, long freshUntilMillis) {
        String etag() {
            return headers.firstValue("etag").orElse("");
        }
    }

    private final CachingSettings settings;
    private final HttpClient http;
    private final CacheUses uses;
    private final LongSupplier nowMillis;
    private final LongSupplier epochMillis;
    private final AtomicLong filterFailures = new AtomicLong();

    // Guarded by this.
    private final FreshnessSession session;
    private final LinkedHashMap<String, Entry> cache = new LinkedHashMap<>(16, 0.75f, true);
    private boolean isFilterRequested;
    private long nextFilterMillis = Long.MIN_VALUE;
    private String filterEtag = "";
    private FlatFilter filter;

    /**
     * @param http may be shared by many clients
     * @param nowMillis a monotonic clock
     * @param epochMillis the clock that {@code Date} headers are compared with
     */
    CachingClient(
            CachingSettings settings,
            HttpClient http,
            CacheUses uses,
            LongSupplier nowMillis,
            LongSupplier epochMillis) {
        this.settings = settings;
        this.http = http;
        this.uses = uses;
        this.nowMillis = nowMillis;
        this.epochMillis = epochMillis;
        this.session = new FreshnessSession(settings.freshness());
    }

    /** Opens a client with a given HTTP client. It sends no request before the first read. */
    public static CachingClient open(CachingSettings settings, HttpClient http, CacheUses uses) {
        return new CachingClient(
                settings,
                http,
                uses,
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
                System::currentTimeMillis);
    }

    /** Opens a client with its own connections. */
    public static CachingClient open(CachingSettings settings, CacheUses uses) {
        return open(
                settings, HttpClient.newBuilder().connectTimeout(settings.timeout()).build(), uses);
    }

    /**
     * Reads the resource at an address from the nearest cache that is fresh enough, or from the
     * origin.
     *
     * @throws IOException if there is no answer
     */
    public CachedResponse get(URI address) throws IOException, InterruptedException {
        String key = settings.keys().apply(address);
        boolean pastCaches = false;
        Entry own;
        synchronized (this) {
            if (settings.filter().isPresent()) {
                pastCaches = session.decide(key, nowMillis.getAsLong()) != Way.CACHED;
                requestFilter();
            }
            own = cache.get(key);
            if (!pastCaches && own != null && own.freshUntilMillis() > nowMillis.getAsLong()) {
                if (isNewEnough(key, own.version())) {
                    CachedResponse response = response(own, Source.CLIENT_CACHE, false, false);
                    uses.answered(response);
                    return response;
                }
                pastCaches = true;
            }
        }
        CachedResponse response = ask(address, key, own, pastCaches);
        synchronized (this) {
            if (pastCaches || isNewEnough(key, response.version())) {
                uses.answered(response);
                return response;
            }
        }
        response = ask(address, key, own, true);
        uses.answered(response);
        return response;
    }

    /**
     * Sends a request that writes the record at its address. The next read of it by this client
     * sees the write.
     *
     * @throws IOException if there is no answer; the record may have been written or not
     */
    public HttpResponse<byte[]> write(HttpRequest request)
            throws IOException, InterruptedException {
        String key = settings.keys().apply(request.uri());
        long version = 0;
        try {
            HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
            version = version(response.headers());
            return response;
        } finally {
            synchronized (this) {
                session.wrote(key, version);
                cache.remove(key);
            }
        }
    }

    /** Number of failed requests for the filter. */
    public long filterFailures() {
        return filterFailures.get();
    }

    /** The current filter; null before the first one. */
    synchronized FlatFilter filter() {
        return filter;
    }

    private boolean isNewEnough(String key, long version) {
        return settings.filter().isEmpty() || session.judge(key, version) == Verdict.TAKE;
    }

    private static CachedResponse response(
            Entry entry, Source source, boolean isRevalidated, boolean isUnchanged) {
        return new CachedResponse(
                entry.status(),
                entry.body(),
                entry.headers(),
                entry.version(),
                source,
                isRevalidated,
                isUnchanged);
    }

    private CachedResponse ask(URI address, String key, Entry own, boolean pastCaches)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = requestTo(address);
        if (pastCaches) {
            request.header("Cache-Control", "no-cache");
        }
        if (own != null && !own.etag().isEmpty()) {
            request.header("If-None-Match", own.etag());
        }
        long asked = nowMillis.getAsLong();
        HttpResponse<byte[]> received = http.send(request.build(), BodyHandlers.ofByteArray());
        boolean isNotModified = received.statusCode() == NOT_MODIFIED && own != null;
        boolean isUnchanged = isNotModified || isSame(own, received);
        if (pastCaches) {
            uses.revalidated(isUnchanged);
        }
        long version = version(received.headers());
        long until = asked + CacheControl.freshMillis(received.headers(), epochMillis.getAsLong());
        Entry fresh =
                isNotModified
                        ? new Entry(
                                own.status(),
                                own.body(),
                                updated(own.headers(), received.headers()),
                                Math.max(version, own.version()),
                                until)
                        : new Entry(
                                received.statusCode(),
                                received.body(),
                                received.headers(),
                                version,
                                until);
        synchronized (this) {
            store(key, fresh);
            if (pastCaches && settings.filter().isPresent()) {
                session.revalidated(key, fresh.version(), asked);
            }
        }
        boolean isHit = !pastCaches && CacheControl.isHit(received.headers());
        return response(
                fresh, isHit ? Source.SHARED_CACHE : Source.ORIGIN, pastCaches, isUnchanged);
    }

    /** Stored headers, updated by those of a 304 (RFC 9111, sec. 4.3.4). */
    private static HttpHeaders updated(HttpHeaders own, HttpHeaders received) {
        Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(own.map());
        received.map()
                .forEach(
                        (name, values) -> {
                            if (!OF_THE_BODY.contains(name.toLowerCase(Locale.ROOT))) {
                                all.put(name, values);
                            }
                        });
        return HttpHeaders.of(all, (name, value) -> true);
    }

    private static boolean isSame(Entry own, HttpResponse<byte[]> received) {
        return own != null
                && !own.etag().isEmpty()
                && received.headers().firstValue("etag").map(own.etag()::equals).orElse(false);
    }

    private void store(String key, Entry entry) {
        if (entry.status() != OK
                || settings.cachedResponses() == 0
                || CacheControl.isNotToBeStored(entry.headers())) {
            cache.remove(key);
            return;
        }
        // Stale entries are kept, too: their ETag makes revalidations short.
        cache.put(key, entry);
        if (cache.size() > settings.cachedResponses()) {
            Iterator<String> oldest = cache.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /**
     * Requests over plain HTTP use HTTP/1.1. Otherwise the JDK's client offers an upgrade to HTTP/2
     * with every first request, which caches refuse and some servers carry out wrongly for large
     * answers.
     */
    private HttpRequest.Builder requestTo(URI address) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(settings.timeout());
        return "http".equalsIgnoreCase(address.getScheme())
                ? request.version(HttpClient.Version.HTTP_1_1)
                : request;
    }

    /**
     * Requests a filter in the background if the current one is past three quarters of its time.
     */
    private void requestFilter() {
        long now = nowMillis.getAsLong();
        if (isFilterRequested || now < nextFilterMillis) {
            return;
        }
        isFilterRequested = true;
        HttpRequest.Builder request =
                requestTo(settings.filter().orElseThrow())
                        .header("Accept-Encoding", "gzip")
                        .header("Cache-Control", "no-cache");
        if (filter != null) {
            request.header("If-None-Match", filterEtag);
        }
        var unused =
                http.sendAsync(request.build(), BodyHandlers.ofByteArray())
                        .whenComplete((received, failure) -> takeFilter(received, failure, now));
    }

    private synchronized void takeFilter(
            HttpResponse<byte[]> received, Throwable failure, long askedAtMillis) {
        isFilterRequested = false;
        long now = nowMillis.getAsLong();
        try {
            if (failure != null) {
                throw new IOException(failure);
            }
            HttpHeaders headers = received.headers();
            if (received.statusCode() >= REDIRECTION && received.statusCode() != NOT_MODIFIED) {
                throw new IOException("status " + received.statusCode());
            }
            long takenAtMillis = askedAtMillis - ageMillis(headers);
            if (received.statusCode() != NOT_MODIFIED) {
                filter = flat(received);
                filterEtag = headers.firstValue("etag").orElse("");
            }
            session.refresh(filter, takenAtMillis);
            nextFilterMillis = takenAtMillis + settings.freshness().refreshMillis() * 3 / 4;
        } catch (IOException | IllegalArgumentException e) {
            nextFilterMillis = now + RETRY_MILLIS;
            if (filterFailures.getAndIncrement() == 0) {
                LOG.warn("cannot fetch the filter of stale keys: {}", e.getMessage());
            }
        }
    }

    /** Age of a filter when it was sent, and its time in caches since. */
    private static long ageMillis(HttpHeaders headers) {
        long whenSent = headers.firstValueAsLong(FILTER_AGE_MILLIS).orElse(0);
        if (whenSent < 0) {
            throw new IllegalArgumentException(
                    FILTER_AGE_MILLIS + " is " + whenSent + "; allowed: at least 0");
        }
        return Math.min(whenSent, CacheDirectives.MOST_SECONDS * 1000)
                + CacheDirectives.firstSeconds(headers.allValues("age")).orElse(0) * 1000;
    }

    private static FlatFilter flat(HttpResponse<byte[]> received) throws IOException {
        byte[] bytes = received.body();
        if (received.headers().firstValue("content-encoding").orElse("").equalsIgnoreCase("gzip")) {
            try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
                bytes = in.readNBytes(FilterShape.MOST_BYTES);
            }
        }
        long hashes = received.headers().firstValueAsLong(FILTER_HASHES).orElse(0);
        return FlatFilter.of(new FilterShape(bytes.length * Byte.SIZE, (int) hashes), bytes);
    }

    private static long version(HttpHeaders headers) {
        try {
            return Math.max(0, headers.firstValueAsLong(VERSION).orElse(0));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    @Override
    public synchronized void close() {
        cache.clear();
    }
}
