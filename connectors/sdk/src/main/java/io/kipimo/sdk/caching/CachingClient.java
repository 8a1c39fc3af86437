package io.kipimo.sdk.caching;

import io.kipimo.core.stale.Consistency;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.FlatFilter;
import io.kipimo.core.stale.FreshnessSession;
import io.kipimo.core.stale.FreshnessSession.FreshnessVerdict;
import io.kipimo.core.stale.FreshnessSession.ReadName;
import io.kipimo.core.stale.FreshnessSession.RequestWay;
import io.kipimo.sdk.caching.CachedResponse.Source;
import io.kipimo.sdk.caching.ResponseCache.CachedEntry;
import io.kipimo.sdk.internal.http.BoundedExchange;
import io.kipimo.sdk.internal.http.CacheControl;
import io.kipimo.sdk.internal.http.CacheDirectives;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.CookieHandler;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads over HTTP through its own cache and shared caches, with bounded staleness (Quaestor, sec. 3). It requests keys
 * in the filter of stale keys with {@code Cache-Control: no-cache}, so that every cache on the way asks the origin and
 * stores its answer. Reads are monotonic, and a client sees its own writes. Each read may ask for a stronger or weaker
 * {@link Consistency}.
 *
 * <p>The filter is fetched in the background at three quarters of the allowed age. While it is unavailable, every read
 * is a revalidation, which is slow but correct. One client is one session, for any number of threads.
 *
 * <p>A client may serve any number of users. It uses a copy only for requests with equal {@code Authorization},
 * {@code Cookie} and other headers that tell users apart (such as {@code X-Api-Key}), even if {@code Vary} does not
 * name them. It keeps some answers only {@linkplain CachingSettings#forOneUser for one user}: answers that are private
 * or set cookies, and answers to requests to which an authenticator of the HTTP client may add credentials.
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

    /** Header of a filter with windows: the beginning of each window, epoch milliseconds, the newest first. */
    public static final String FILTER_WINDOWS = "Kipimo-Filter-Windows";

    /**
     * Media type of a filter with windows: the bytes of the filter, then the bytes of each window except the first,
     * which has no keys. A client that accepts this type asks caches even for stale keys.
     */
    public static final String FILTER_WITH_WINDOWS = "application/vnd.kipimo.stale-keys";

    /** Header of an answer: start of its evaluation or an earlier time, epoch milliseconds by the origin's clock. */
    public static final String EVALUATED_MILLIS = "Kipimo-Evaluated-Millis";

    private static final Logger LOG = LoggerFactory.getLogger(CachingClient.class);
    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;
    private static final int REDIRECTION = 300;

    /** Delay after a failed request for the filter. */
    private static final long RETRY_MILLIS = 100;

    /** Headers that belong to the stored body; those of a 304 do not replace them (RFC 9111, sec. 3.2). */
    private static final Set<String> OF_THE_BODY =
            Set.of("content-length", "content-encoding", "content-type", "content-range", "etag");

    /** Headers of a result that hold for its records, too. */
    private static final Set<String> OF_RECORDS = Set.of(
            "content-type",
            "cache-control",
            "expires",
            "date",
            "age",
            "vary",
            EVALUATED_MILLIS.toLowerCase(Locale.ROOT));

    /** Headers that a caller could use only if it knew what this client has stored. */
    private static final Pattern NOT_ALLOWED = Pattern.compile("(?i)range|if-.*");

    /**
     * A read in progress.
     *
     * @param headers headers of the request, and headers that the HTTP client adds
     */
    private record PendingRead(
            HttpRequest request,
            HttpHeaders headers,
            String address,
            String key,
            Consistency level,
            Optional<CachedEntry> own) {
        /** Identifies the content that a version belongs to: an address as its user sees it. */
        private String content() {
            return address + '\n' + Variants.selecting(List.of(), headers);
        }

        ReadName name(Optional<CachedEntry> copy) {
            return new ReadName(
                    key,
                    content(),
                    content()
                            + '\n'
                            + copy.map(CachedEntry::selecting).orElseGet(() -> Variants.selecting(List.of(), headers))
                            + copy.map(CachedEntry::resultKey).orElse(""));
        }

        ReadName name() {
            return name(own);
        }

        PendingRead withoutOwn() {
            return new PendingRead(request, headers, address, key, level, Optional.empty());
        }
    }

    private final CachingSettings settings;
    private final BoundedExchange http;
    private final Optional<CookieHandler> cookies;
    private final boolean mayAddCredentials;
    private final CacheUses uses;
    private final LongSupplier nowMillis;
    private final LongSupplier epochMillis;
    private final AtomicLong filterFailures = new AtomicLong();
    private final AtomicLong unprovenVariants = new AtomicLong();
    private final AtomicLong olderVersions = new AtomicLong();
    private final AtomicLong unreadResults = new AtomicLong();

    // Guarded by this.
    private final FreshnessSession session;
    private final ResponseCache cache;
    private CompletableFuture<?> filterRequest = CompletableFuture.completedFuture(null);
    private long filterAskedAtMillis;
    private long nextFilterMillis = Long.MIN_VALUE;
    private String filterEtag = "";
    private ReceivedFilter filter;

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
        this.http = new BoundedExchange(http, settings.timeout(), settings.largestBody());
        this.cookies = http.cookieHandler();
        this.mayAddCredentials = http.authenticator().isPresent();
        this.uses = uses;
        this.nowMillis = nowMillis;
        this.epochMillis = epochMillis;
        this.session = new FreshnessSession(settings.freshness());
        this.cache = new ResponseCache(settings.cachedResponses());
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
                settings,
                HttpClient.newBuilder().connectTimeout(settings.timeout()).build(),
                uses);
    }

    /**
     * Reads the resource at an address from the nearest cache that is fresh enough, or from the origin.
     *
     * @throws IOException if there is no answer
     */
    public CachedResponse get(URI address) throws IOException, InterruptedException {
        return get(HttpRequest.newBuilder(address).build());
    }

    /**
     * As {@link #get(URI)}, with headers of the request, by which answers may vary. With {@code Cache-Control:
     * no-cache} the origin answers.
     *
     * @throws IllegalArgumentException if the method is not GET, or if it has conditions or ranges
     */
    public CachedResponse get(HttpRequest request) throws IOException, InterruptedException {
        return get(request, Consistency.SESSION);
    }

    /**
     * As {@link #get(HttpRequest)}, with a level of consistency for this read. Without a filter only
     * {@link Consistency#STRONG} makes a difference.
     *
     * @throws IllegalArgumentException if the method is not GET, or if it has conditions or ranges
     */
    public CachedResponse get(HttpRequest request, Consistency level) throws IOException, InterruptedException {
        if (!request.method().equals("GET")) {
            throw new IllegalArgumentException("method is " + request.method() + "; allowed: GET");
        }
        for (String name : request.headers().map().keySet()) {
            if (NOT_ALLOWED.matcher(name).matches()) {
                throw new IllegalArgumentException("header " + name + " is not allowed in a read through caches");
            }
        }
        String key = settings.keys().apply(request.uri());
        boolean hasFilter = settings.filter().isPresent();
        if (hasFilter && level != Consistency.STRONG) {
            awaitFirstFilter();
        }
        HttpHeaders headers = headers(request);
        CacheDirectives wants = CacheDirectives.of(headers.allValues("cache-control"));
        PendingRead asked;
        RequestWay way = level == Consistency.STRONG ? RequestWay.REVALIDATE : RequestWay.CACHED;
        synchronized (this) {
            String address = ResponseCache.name(request.uri());
            asked = new PendingRead(
                    request,
                    headers,
                    address,
                    key,
                    level,
                    cache.find(address, headers).filter(this::isCurrent));
            Optional<CachedEntry> own = asked.own();
            if (hasFilter) {
                way = session.decide(asked.name(), level, nowMillis.getAsLong());
            }
            if (wants.forbidReuse() || wants.has("max-age") || wants.has("min-fresh")) {
                way = RequestWay.REVALIDATE;
            }
            if (own.isPresent() && own.get().freshUntilMillis() > nowMillis.getAsLong()) {
                CachedEntry entry = own.get();
                if (isFresh(way, asked, entry.evaluatedMillis()) && isNewEnough(asked, entry.version())) {
                    CachedResponse response = response(entry, Source.CLIENT_CACHE, false, false);
                    uses.answered(response);
                    return response;
                }
                way = way == RequestWay.CACHED ? RequestWay.REVALIDATE : way;
            }
            // Another's answer from a shared cache could not be told.
            if (cache.isVariantUnshown(address)) {
                way = RequestWay.REVALIDATE;
            }
        }
        if (way == RequestWay.CACHED || way == RequestWay.PROVEN) {
            ReadAnswer answer = ask(asked, false);
            synchronized (this) {
                if (!answer.isVariantShown()) {
                    if (unprovenVariants.getAndIncrement() == 0) {
                        LOG.warn(
                                "{} varies, and no header {} shows that a shared cache sends the right variant, or it"
                                        + " was asked for by a user and is not public: such answers come from the origin",
                                asked.address(),
                                Variants.HEADER);
                    }
                } else if (!answer.isRedirected()
                        && !(hasFilter && answer.isExpired())
                        && isFresh(way, asked, answer.evaluatedMillis())
                        && isNewEnough(asked, answer.response().version())) {
                    cache(asked, answer);
                    uses.answered(answer.response());
                    return answer.response();
                }
            }
        }
        ReadAnswer answer = ask(asked, true);
        uses.revalidated(answer.response().isUnchanged());
        synchronized (this) {
            cache(asked, answer);
            if (hasFilter) {
                session.revalidated(
                        asked.name(Optional.of(answer.entry())),
                        answer.response().version(),
                        answer.askedAtMillis());
            }
        }
        uses.answered(answer.response());
        return answer.response();
    }

    /** Headers of a request, and the cookies that the HTTP client adds to them. */
    private HttpHeaders headers(HttpRequest request) throws IOException {
        if (cookies.isEmpty()) {
            return request.headers();
        }
        Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(request.headers().map());
        cookies.get()
                .get(request.uri(), request.headers().map())
                .forEach((name, values) ->
                        all.merge(name, values, (own, added) -> Stream.concat(own.stream(), added.stream())
                                .toList()));
        return HttpHeaders.of(all, (name, value) -> true);
    }

    /** Whether the query result that contained a copy has not changed since then. */
    private boolean isCurrent(CachedEntry entry) {
        return settings.filter().isEmpty()
                || !entry.isOfResult()
                || session.isCurrentIn(entry.resultKey(), entry.evaluatedMillis(), nowMillis.getAsLong());
    }

    private boolean isFresh(RequestWay way, PendingRead asked, long evaluatedMillis) {
        return way == RequestWay.CACHED
                || (way == RequestWay.PROVEN
                        && session.isProven(asked.key(), evaluatedMillis, asked.level(), nowMillis.getAsLong()));
    }

    /**
     * Requests a filter if it is time. Without a fresh filter the read waits for one, since otherwise it would bypass
     * warm caches. It waits at most for Delta, the allowed age of a filter, and not after a failure.
     */
    private void awaitFirstFilter() throws InterruptedException {
        CompletableFuture<?> request;
        long millis;
        synchronized (this) {
            long now = nowMillis.getAsLong();
            requestFilter();
            if (session.isFresh(now)) {
                return;
            }
            request = filterRequest;
            millis = Math.min(
                            settings.freshness().refreshMillis(),
                            settings.timeout().toMillis())
                    - (now - filterAskedAtMillis);
        }
        try {
            request.get(Math.max(0, millis), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("no filter of stale keys yet", e);
        }
    }

    /**
     * Sends a request that writes the record at its address. The next read of it by this client sees the write.
     *
     * @throws IOException if there is no answer; the record may have been written or not
     */
    public HttpResponse<byte[]> write(HttpRequest request) throws IOException, InterruptedException {
        String key = settings.keys().apply(request.uri());
        PendingRead written = new PendingRead(
                request,
                headers(request),
                ResponseCache.name(request.uri()),
                key,
                Consistency.SESSION,
                Optional.empty());
        long version = 0;
        try {
            HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
            version = version(response.headers());
            return response;
        } finally {
            synchronized (this) {
                session.wrote(written.name(), version, nowMillis.getAsLong());
                cache.removeKey(key);
            }
        }
    }

    /** Number of failed requests for the filter. */
    public long filterFailures() {
        return filterFailures.get();
    }

    /**
     * Number of answers that may have been another client's variant, so they were requested from the origin; see
     * {@link Variants}.
     */
    public long unprovenVariants() {
        return unprovenVariants.get();
    }

    /**
     * Number of copies that were older than a version that the client had read or written at their address, so that the
     * origin was asked. If this number is close to the number of reads, the origin's versions decrease.
     */
    public long olderVersions() {
        return olderVersions.get();
    }

    /** Number of results whose records could not be kept, because the result is no JSON list of the configured form. */
    public long unreadResults() {
        return unreadResults.get();
    }

    /**
     * Number of answers that state an evaluation later than is possible by the filter's clock. Copies of stale keys
     * then come from the origin.
     */
    public synchronized long clockErrors() {
        return session.clockErrors();
    }

    /** The current filter; null before the first one. */
    synchronized FlatFilter filter() {
        return filter == null ? null : filter.keys();
    }

    private boolean isNewEnough(PendingRead asked, long version) {
        if (settings.filter().isEmpty()
                || session.judge(asked.name(), version, asked.level()) == FreshnessVerdict.TAKE) {
            return true;
        }
        if (olderVersions.getAndIncrement() == 0) {
            LOG.warn(
                    "a copy of {} has version {}, which is older than one that was read or written: the origin answers",
                    asked.address(),
                    version);
        }
        return false;
    }

    private static CachedResponse response(
            CachedEntry entry, Source source, boolean isRevalidated, boolean isUnchanged) {
        return new CachedResponse(
                entry.status(), entry.body(), entry.headers(), entry.version(), source, isRevalidated, isUnchanged);
    }

    /**
     * A received answer.
     *
     * @param entry the client's copy of it
     */
    private record ReadAnswer(
            CachedEntry entry,
            CachedResponse response,
            boolean isVariantShown,
            boolean isRedirected,
            boolean isExpired,
            long evaluatedMillis,
            long askedAtMillis) {}

    private ReadAnswer ask(PendingRead asked, boolean pastCaches) throws IOException, InterruptedException {
        HttpRequest.Builder builder = HttpRequest.newBuilder(asked.request(), (name, value) -> true);
        version(builder, asked.request().uri());
        if (pastCaches) {
            boolean mayStore = !CacheDirectives.of(asked.headers().allValues("cache-control"))
                    .forbidStorage();
            builder.setHeader("Cache-Control", mayStore ? "no-cache" : "no-cache, no-store");
        }
        asked.own()
                .map(CachedEntry::etag)
                .filter(etag -> !etag.isEmpty())
                .ifPresent(etag -> builder.header("If-None-Match", etag));
        long sent = nowMillis.getAsLong();
        HttpResponse<byte[]> received = http.send(builder.build(), BodyHandlers.ofByteArray());
        HttpHeaders headers = received.headers();
        boolean isNotModified =
                received.statusCode() == NOT_MODIFIED && asked.own().isPresent();
        boolean isRedirected = received.previousResponse().isPresent();
        if (isNotModified && (isRedirected || !isOf(asked.own().get(), headers))) {
            return ask(asked.withoutOwn(), true);
        }
        long version = version(headers);
        long evaluated = number(headers, EVALUATED_MILLIS);
        long arrived = nowMillis.getAsLong();
        long epoch = epochMillis(arrived);
        long until = arrived + CacheControl.freshMillis(headers, evaluated, arrived - sent, epoch);
        CachedEntry entry = isNotModified
                ? updated(asked, headers, version, evaluated, until)
                : new CachedEntry(
                        received.statusCode(),
                        received.body(),
                        headers,
                        asked.key(),
                        Variants.selecting(headers.allValues("vary"), asked.headers()),
                        version,
                        evaluated,
                        until,
                        "");
        synchronized (this) {
            session.received(evaluated, arrived);
        }
        boolean isHit = !pastCaches && CacheControl.isHit(headers);
        return new ReadAnswer(
                entry,
                response(
                        entry,
                        isHit ? Source.SHARED_CACHE : Source.ORIGIN,
                        pastCaches,
                        isNotModified || isSame(asked.own(), received)),
                // A client's own entity tag is that of its variant.
                pastCaches
                        || isNotModified
                        || (isForThisUser(asked, headers, isHit)
                                && Variants.isShown(headers::allValues, asked.headers()::allValues)),
                isRedirected,
                // A key leaves the filter when its copies have expired, whatever caches do with them.
                (isHit && until <= arrived)
                        || (evaluated < epoch - (arrived - sent) && CacheControl.isExpired(headers, evaluated, epoch)),
                evaluated,
                sent);
    }

    /** The time by the filter's clock, which agrees with origins' clocks; without a filter, by this machine's clock. */
    private synchronized long epochMillis(long atMillis) {
        return session.filterClock(atMillis).orElseGet(epochMillis);
    }

    /**
     * Whether a 304 is about the stored answer: a 304 confirms only the answer that it identifies (RFC 9111, sec.
     * 4.3.4). Weak and strong entity tags count as equal, as a cache that compresses may have made a tag weak.
     */
    private static boolean isOf(CachedEntry own, HttpHeaders received) {
        String name = received.firstValue("etag").isPresent() ? "etag" : "last-modified";
        Optional<String> validator = received.firstValue(name);
        return validator.isEmpty()
                || validator
                        .map(CachingClient::opaque)
                        .equals(own.headers().firstValue(name).map(CachingClient::opaque));
    }

    private static String opaque(String etag) {
        return etag.startsWith("W/") ? etag.substring(2) : etag;
    }

    /**
     * Whether an answer can be for this user. Some shared caches, such as nginx, keep answers to one user, give them to
     * others, and do not say that they answered. No cache keeps an answer whose headers say that it is one user's.
     */
    private boolean isForThisUser(PendingRead asked, HttpHeaders received, boolean isHit) {
        boolean isOfOneUser = CacheControl.isOfOneUser(received);
        boolean isUser =
                mayAddCredentials || asked.headers().map().keySet().stream().anyMatch(Variants::isOfTheUser);
        return isHit
                ? !isOfOneUser && (!isUser || CacheControl.isForEverybody(received))
                : !isUser || isOfOneUser || CacheControl.isForEverybody(received);
    }

    /** Returns the stored answer, which is still valid. Headers of the 304 replace stored headers of the same name. */
    private static CachedEntry updated(
            PendingRead asked, HttpHeaders received, long version, long evaluated, long until) {
        CachedEntry own = asked.own().orElseThrow();
        HttpHeaders headers = updated(own.headers(), received);
        return new CachedEntry(
                own.status(),
                own.body(),
                headers,
                own.key(),
                Variants.selecting(headers.allValues("vary"), asked.headers()),
                Math.max(version, own.version()),
                evaluated,
                until,
                "");
    }

    /** Stored headers, updated by those of a 304 (RFC 9111, sec. 4.3.4). */
    private static HttpHeaders updated(HttpHeaders own, HttpHeaders received) {
        Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(own.map());
        received.map().forEach((name, values) -> {
            if (!OF_THE_BODY.contains(name.toLowerCase(Locale.ROOT))) {
                all.put(name, values);
            }
        });
        return HttpHeaders.of(all, (name, value) -> true);
    }

    private static boolean isSame(Optional<CachedEntry> own, HttpResponse<byte[]> received) {
        return own.map(CachedEntry::etag)
                .filter(etag -> !etag.isEmpty())
                .equals(received.headers().firstValue("etag"));
    }

    private void cache(PendingRead asked, ReadAnswer answer) {
        CachedEntry entry = answer.entry();
        if (entry.status() != OK
                || settings.cachedResponses() == 0
                || entry.selecting().containsKey(Variants.ANY)
                || answer.isRedirected()
                || (mayAddCredentials && !settings.isOfOneUser())
                || CacheDirectives.of(asked.headers().allValues("cache-control"))
                        .forbidStorage()
                || CacheControl.isNotToBeStored(entry.headers(), settings.isOfOneUser())) {
            cache.remove(asked.address(), asked.headers());
            return;
        }
        keepRecords(asked, entry);
        // Stale entries are kept, too: their ETag makes revalidations short.
        cache.put(asked.address(), asked.headers(), entry);
    }

    /** Keeps the records of a result as copies of the records' own addresses, for users who may read the result. */
    private void keepRecords(PendingRead asked, CachedEntry result) {
        URI address = asked.request().uri();
        boolean isPlain = result.headers().firstValue("content-encoding").isEmpty();
        for (ResultRecords records : settings.records()) {
            if (!isPlain || result.freshUntilMillis() <= nowMillis.getAsLong() || !records.isIn(address)) {
                continue;
            }
            try {
                records.of(address, result.body(), result.version(), settings.cachedResponses() / 2)
                        .forEach(record -> cache.putOfResult(
                                ResponseCache.name(record.address()),
                                asked.headers(),
                                ofResult(asked, result, record)));
            } catch (RuntimeException e) {
                if (unreadResults.getAndIncrement() == 0) {
                    LOG.warn("{} has no records to keep: {}", asked.address(), e.getMessage());
                }
            }
        }
    }

    /**
     * Makes a copy of a result's record. The record's address may have other forms, too, so the copy is only for
     * requests that accept the types and languages that the result's request accepted.
     */
    private CachedEntry ofResult(PendingRead asked, CachedEntry result, ResultRecords.ResultRecord record) {
        Map<String, List<String>> kept = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        result.headers().map().forEach((name, values) -> {
            if (OF_RECORDS.contains(name.toLowerCase(Locale.ROOT))) {
                kept.put(name, values);
            }
        });
        kept.put(VERSION, List.of(String.valueOf(record.version())));
        kept.merge(
                "Vary", List.of("Accept, Accept-Language"), (own, added) -> Stream.concat(own.stream(), added.stream())
                        .toList());
        HttpHeaders headers = HttpHeaders.of(kept, (name, value) -> true);
        return new CachedEntry(
                OK,
                record.body(),
                headers,
                settings.keys().apply(record.address()),
                Variants.selecting(headers.allValues("vary"), asked.headers()),
                record.version(),
                result.evaluatedMillis(),
                result.freshUntilMillis(),
                result.key());
    }

    /**
     * Makes requests over plain HTTP use HTTP/1.1. Without this, the JDK's client offers an upgrade to HTTP/2 with
     * every first request, which caches refuse and some servers carry out wrongly for large answers.
     */
    private static void version(HttpRequest.Builder request, URI address) {
        if ("http".equalsIgnoreCase(address.getScheme())) {
            request.version(HttpClient.Version.HTTP_1_1);
        }
    }

    /** Requests a filter in the background if the current one is past three quarters of its allowed age. */
    private void requestFilter() {
        long now = nowMillis.getAsLong();
        if (!filterRequest.isDone() || now < nextFilterMillis) {
            return;
        }
        URI address = settings.filter().orElseThrow();
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .header("Accept", FILTER_WITH_WINDOWS + ", */*;q=0.5")
                .header("Accept-Encoding", "gzip")
                .header("Cache-Control", "no-cache");
        version(request, address);
        if (filter != null && !filterEtag.isEmpty()) {
            request.header("If-None-Match", filterEtag);
        }
        filterAskedAtMillis = now;
        filterRequest = new BoundedExchange(http.http(), settings.timeout(), FilterShape.MOST_BYTES)
                .sendAsync(request.build(), BodyHandlers.ofByteArray())
                .whenComplete((received, failure) -> takeFilter(received, failure, now));
    }

    private synchronized void takeFilter(HttpResponse<byte[]> received, Throwable failure, long askedAtMillis) {
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
                filter = read(received);
                filterEtag = headers.firstValue("etag").orElse("");
            } else if (filter == null) {
                throw new IOException("status 304, and no filter was there");
            }
            session.refresh(filter.keys(), filter.recent(since(headers)), takenAtMillis);
            nextFilterMillis = takenAtMillis + settings.freshness().refreshMillis() * 3 / 4;
        } catch (IOException | RuntimeException e) {
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
            throw new IllegalArgumentException(FILTER_AGE_MILLIS + " is " + whenSent + "; allowed: at least 0");
        }
        return Math.min(whenSent, CacheDirectives.MOST_SECONDS * 1000)
                + CacheDirectives.firstSeconds(headers.allValues("age")).orElse(0) * 1000;
    }

    private static ReceivedFilter read(HttpResponse<byte[]> received) throws IOException {
        HttpHeaders headers = received.headers();
        byte[] bytes = received.body();
        if (headers.firstValue("content-encoding").orElse("").equalsIgnoreCase("gzip")) {
            try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
                bytes = in.readNBytes(FilterShape.MOST_BYTES);
            }
        }
        return ReceivedFilter.of(headers.firstValueAsLong(FILTER_HASHES).orElse(0), bytes, since(headers));
    }

    private static List<Long> since(HttpHeaders headers) {
        return ReceivedFilter.since(headers.allValues(FILTER_WINDOWS));
    }

    private static long version(HttpHeaders headers) {
        return number(headers, VERSION);
    }

    /** A number of at least 0; 0 if it is missing or no number. */
    private static long number(HttpHeaders headers, String name) {
        try {
            return Math.max(0, headers.firstValueAsLong(name).orElse(0));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    @Override
    public synchronized void close() {
        cache.clear();
    }
}
