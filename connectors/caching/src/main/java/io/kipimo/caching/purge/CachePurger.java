package io.kipimo.caching.purge;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Purges addresses from caches, several concurrently, with a few attempts each. If a purge fails,
 * or if an older answer of the origin arrives after it, the cache holds stale content until its
 * time to live ends. Clients that use the filter do not accept it even then.
 */
public final class CachePurger {
    /** Header of a PURGE: {@code soft}, or {@code hard}. */
    public static final String MODE = "Kipimo-Purge";

    private static final Logger LOG = LoggerFactory.getLogger(CachePurger.class);
    private static final int AT_ONCE = 64;
    private static final int NOT_FOUND = 404;
    private static final int CLIENT_ERROR = 400;

    private final PurgeSettings settings;
    private final HttpClient http;
    private final Semaphore room = new Semaphore(AT_ONCE);
    private final LongAdder purged = new LongAdder();
    private final LongAdder failed = new LongAdder();

    private CachePurger(PurgeSettings settings, HttpClient http) {
        this.settings = settings;
        this.http = http;
    }

    public static CachePurger of(PurgeSettings settings) {
        return new CachePurger(
                settings,
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(settings.timeout())
                        .build());
    }

    /**
     * Starts to purge a path from all caches; blocks while too many purges are in progress.
     *
     * @return completes normally when each cache is purged or given up
     */
    public CompletableFuture<Void> purge(String path, boolean isSoft) throws InterruptedException {
        CompletableFuture<?>[] all = new CompletableFuture<?>[settings.caches().size()];
        for (int i = 0; i < all.length; i++) {
            room.acquire();
            all[i] =
                    attempt(request(settings.caches().get(i).resolve(path), isSoft), 1)
                            .whenComplete((done, failure) -> room.release());
        }
        return CompletableFuture.allOf(all);
    }

    /** Number of successful purges; each cache and address counts. */
    public long purged() {
        return purged.sum();
    }

    /** Number of failed purges; each cache and address counts. */
    public long failed() {
        return failed.sum();
    }

    private HttpRequest request(URI address, boolean isSoft) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(settings.timeout());
        return switch (settings.kind()) {
            case VARNISH ->
                    request.method("PURGE", BodyPublishers.noBody())
                            .header(MODE, isSoft ? "soft" : "hard")
                            .build();
            case NGINX -> request.GET().header("Cache-Control", "no-cache").build();
        };
    }

    private CompletableFuture<Void> attempt(HttpRequest request, int number) {
        return http.sendAsync(request, BodyHandlers.discarding())
                .handle((response, failure) -> problem(response, failure))
                .thenCompose(
                        problem -> {
                            if (problem.isEmpty()) {
                                purged.increment();
                                return CompletableFuture.completedFuture(null);
                            }
                            if (number < settings.attempts()) {
                                return attempt(request, number + 1);
                            }
                            if (failed.sum() == 0) {
                                LOG.warn("cannot purge {}: {}", request.uri(), problem);
                            }
                            failed.increment();
                            return CompletableFuture.completedFuture(null);
                        });
    }

    /** The problem; empty if the purge succeeded. */
    private String problem(HttpResponse<Void> response, Throwable failure) {
        if (failure != null) {
            return String.valueOf(failure.getMessage());
        }
        // A record that no longer exists at the origin is removed from nginx too.
        boolean isDone =
                response.statusCode() < CLIENT_ERROR
                        || (settings.kind() == CacheKind.NGINX
                                && response.statusCode() == NOT_FOUND);
        return isDone ? "" : "status " + response.statusCode();
    }
}
