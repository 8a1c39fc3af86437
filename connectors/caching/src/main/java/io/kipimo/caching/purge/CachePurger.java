package io.kipimo.caching.purge;

import io.kipimo.sdk.internal.http.BoundedExchange;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Purges addresses from caches, several concurrently, with a few attempts each. A purge counts as done only if the
 * cache shows its effect, see {@link CacheKind}. If a purge fails, or if an older answer of the origin arrives after
 * it, the cache holds stale content until its time to live ends. Clients that use the filter of stale keys do not
 * accept this content even then. Thread-safe.
 */
public final class CachePurger {

    /**
     * Caches to purge.
     *
     * @param caches addresses of the caches, without a path. All are purged, one after the other, so a cache from which
     *     another cache fetches must come before that one
     * @param paths paths of records and queries at the caches
     * @param attempts greatest number of attempts for a purge, at least 1
     * @param timeout longest time of each request of an attempt, including its whole answer
     */
    public record Purging(CacheKind kind, List<URI> caches, KeyPaths paths, int attempts, Duration timeout) {
        /** @throws IllegalArgumentException if a value is out of range */
        public Purging {
            caches = List.copyOf(caches);
            caches.forEach(cache -> checkServer("cache", cache));
            if (attempts < 1) {
                throw new IllegalArgumentException("attempts are " + attempts + "; allowed: from 1");
            }
        }

        /**
         * @param what name of the server, for the message
         * @throws IllegalArgumentException if {@code cache} is not the address of a server, without a path
         */
        public static void checkServer(String what, URI cache) {
            boolean isHttp = "http".equalsIgnoreCase(cache.getScheme()) || "https".equalsIgnoreCase(cache.getScheme());
            boolean isBare = cache.getRawUserInfo() == null
                    && cache.getRawQuery() == null
                    && cache.getRawFragment() == null
                    && (cache.getRawPath() == null || cache.getRawPath().matches("/?"));
            if (!isHttp || cache.getHost() == null || !isBare || cache.getPort() > 65_535) {
                throw new IllegalArgumentException(what + " is '" + cache + "'; allowed: http://HOST:PORT");
            }
        }
    }

    /** Header of a purge: {@code soft} or {@code hard}. In the answer, it says that the cache has done the purge. */
    public static final String MODE = "Kipimo-Purge";

    private static final Logger LOG = LoggerFactory.getLogger(CachePurger.class);
    private static final int AT_ONCE = 64;

    /** Largest body of an answer, bytes. Bodies are digested and not kept. */
    private static final long LARGEST_BODY = 1L << 30;

    private static final long SILENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Purging settings;
    private final BoundedExchange http;
    private final Semaphore room = new Semaphore(AT_ONCE);
    private final LongAdder purged = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder skipped = new LongAdder();
    private final AtomicLong lastWarningNanos = new AtomicLong(System.nanoTime() - SILENCE_NANOS);

    private CachePurger(Purging settings, HttpClient http) {
        this.settings = settings;
        this.http = new BoundedExchange(http, settings.timeout(), LARGEST_BODY);
    }

    public static CachePurger of(Purging settings) {
        return new CachePurger(
                settings,
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(settings.timeout())
                        .build());
    }

    /**
     * Starts to purge a path from all caches, in their order; blocks while too many purges are in progress. A text that
     * is not a valid path is skipped and counted, since keys are data.
     *
     * @return a future that completes normally when each cache is purged or given up
     */
    public CompletableFuture<Void> purge(String path, boolean isSoft) throws InterruptedException {
        String target;
        try {
            target = PurgeTarget.of(path);
        } catch (IllegalArgumentException e) {
            skipped.increment();
            warn("skipped a key: {}", e.getMessage());
            return CompletableFuture.completedFuture(null);
        }
        room.acquire();
        CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
        for (URI cache : settings.caches()) {
            URI address = PurgeTarget.at(cache, target);
            // At once, an outer cache would be filled again from an inner one that is still stale, and would keep that.
            all = all.thenCompose(before -> attempt(address, isSoft ? "soft" : "hard", 1));
        }
        return all.whenComplete((done, failure) -> room.release());
    }

    /** Number of successful purges; an address counts once for each cache. */
    public long purged() {
        return purged.sum();
    }

    /** Number of failed purges; an address counts once for each cache. */
    public long failed() {
        return failed.sum();
    }

    /** Number of keys that were skipped because they gave no valid path. */
    public long skipped() {
        return skipped.sum();
    }

    private CompletableFuture<Void> attempt(URI address, String mode, int number) {
        return CompletableFuture.completedFuture(address)
                .thenCompose(at -> problem(at, mode))
                .handle((problem, failure) -> failure == null ? problem : why(failure))
                .thenCompose(problem -> {
                    if (problem.isEmpty()) {
                        purged.increment();
                        return CompletableFuture.completedFuture(null);
                    }
                    if (number < settings.attempts()) {
                        return attempt(address, mode, number + 1);
                    }
                    failed.increment();
                    warn("cannot purge {}: {}", address, problem);
                    return CompletableFuture.completedFuture(null);
                });
    }

    /** Purges an address once. Returns the problem, which is empty if the cache shows the effect. */
    private CompletableFuture<String> problem(URI address, String mode) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address);
        HttpRequest plain = request.copy().build();
        HttpRequest past = request.copy().header("Cache-Control", "no-cache").build();
        request.header(MODE, mode);
        return switch (settings.kind()) {
            case VARNISH ->
                send(request.method("PURGE", BodyPublishers.noBody()).build()).thenApply(CacheAnswer::problemOfPurge);
            case NGINX ->
                send(request.header("Cache-Control", "no-cache").build())
                        .thenCompose(first -> renewed(first, past, plain));
        };
    }

    private CompletableFuture<String> renewed(CacheAnswer first, HttpRequest past, HttpRequest plain) {
        CompletableFuture<CacheAnswer> fresh =
                first.isDropped() ? send(past) : CompletableFuture.completedFuture(first);
        return fresh.thenCompose(now -> send(plain).thenApply(seen -> CacheAnswer.problemOfRenewal(first, now, seen)));
    }

    private CompletableFuture<CacheAnswer> send(HttpRequest request) {
        MessageDigest digest = sha256();
        return http.sendAsync(request, BodyHandlers.ofByteArrayConsumer(piece -> piece.ifPresent(digest::update)))
                .thenApply(answer -> CacheAnswer.of(answer.statusCode(), answer.headers(), digest.digest()));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String why(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** Logs at most one warning a minute; the counters show how many failures there were. */
    void warn(String message, Object... arguments) {
        long now = System.nanoTime();
        long last = lastWarningNanos.get();
        if (now - last >= SILENCE_NANOS && lastWarningNanos.compareAndSet(last, now)) {
            LOG.warn(message, arguments);
        }
    }
}
