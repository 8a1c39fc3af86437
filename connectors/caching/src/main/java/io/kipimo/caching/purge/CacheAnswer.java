package io.kipimo.caching.purge;

import java.net.http.HttpHeaders;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An answer of a cache. It shows whether the cache has removed or renewed the entry of an address. A status alone does
 * not show this, because an origin behind the cache may have answered.
 *
 * @param body digest of the body, hexadecimal
 */
record CacheAnswer(int status, HttpHeaders headers, String body) {
    /** Response header by which the cache itself says that it has dropped the entry. */
    static final String MARK = CachePurger.MODE;

    /** Value of {@link #MARK}: the cache keeps one variant of an address, whatever Vary says. */
    static final String ONE_VARIANT = "one-variant";

    private static final List<String> STATUS_HEADERS = List.of("cache-status", "x-cache", "x-cache-status");

    /** Words for an answer from the cache's store. Reasons why a request was forwarded (fwd=stale) do not match. */
    private static final Pattern STORED = Pattern.compile("(?i)(?<![=\\w])(hit|stale|updating|revalidated)(?!\\w)");

    static CacheAnswer of(int status, HttpHeaders headers, byte[] digest) {
        return new CacheAnswer(status, headers, HexFormat.of().formatHex(digest));
    }

    /** Returns why a PURGE was not done; empty if the cache itself says that it was done. */
    static String problemOfPurge(CacheAnswer answer) {
        if (answer.status() / 100 != 2) {
            return "status " + answer.status();
        }
        // Varnish passes methods that it does not know to the origin, whatever that answers.
        return answer.isMarked() || answer.header("server").equalsIgnoreCase("varnish")
                ? ""
                : "something else than the cache answered the PURGE";
    }

    /**
     * Returns why a renewal was not done. Returns an empty text if the answers show that no older answer is served: the
     * cache holds what the origin has just answered, or has dropped the entry and holds none.
     *
     * @param dropped answer to the first request, which shows whether the cache has dropped the entry
     * @param fresh answer to a request that bypasses the cache
     * @param seen answer to an ordinary request after that
     */
    static String problemOfRenewal(CacheAnswer dropped, CacheAnswer fresh, CacheAnswer seen) {
        boolean isDropped = dropped.isDropped();
        if (fresh.status() >= 500) {
            return "status " + fresh.status();
        }
        if (!fresh.saysWhence() || !seen.saysWhence()) {
            return "the cache does not say whether it or the origin answers: add Cache-Status";
        }
        if (fresh.isStored()) {
            return "the cache does not pass a request with no-cache on to the origin";
        }
        boolean hasOneVariant = isDropped && dropped.header(MARK).equalsIgnoreCase(ONE_VARIANT);
        String vary = String.join(", ", fresh.all("vary").toList());
        vary = vary.isEmpty() ? String.join(", ", seen.all("vary").toList()) : vary;
        if (!hasOneVariant && !vary.isEmpty()) {
            return "the answer varies by " + vary + ", and other variants stay";
        }
        if (seen.isStored()) {
            return seen.status() == fresh.status() && seen.body().equals(fresh.body())
                    ? ""
                    : "the cache still serves another answer than the origin, of status " + fresh.status();
        }
        return isDropped
                ? ""
                : "the cache does not store the origin's answer, of status %s, so an older one may stay"
                        .formatted(fresh.status());
    }

    /** Whether the cache has dropped the entry, rather than passed the request on. */
    boolean isDropped() {
        return isMarked() && status != 401 && status != 403;
    }

    private boolean isMarked() {
        return !header(MARK).isEmpty();
    }

    private boolean saysWhence() {
        return whence().findAny().isPresent();
    }

    private boolean isStored() {
        return whence().anyMatch(value -> STORED.matcher(value).find());
    }

    private Stream<String> whence() {
        return STATUS_HEADERS.stream().flatMap(this::all);
    }

    private Stream<String> all(String name) {
        return headers.allValues(name).stream();
    }

    private String header(String name) {
        return headers.firstValue(name).orElse("");
    }
}
