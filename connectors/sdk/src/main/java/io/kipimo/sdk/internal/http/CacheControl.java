package io.kipimo.sdk.internal.http;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.OptionalLong;

/** How long a cache may reuse an answer (RFC 9111, sec. 4.2). */
public final class CacheControl {
    private static final long MILLIS_PER_SECOND = 1000;

    private CacheControl() {}

    /**
     * Freshness lifetime in a client's cache, milliseconds since the request was sent; 0 if the answer must not be
     * reused. Time in caches on the way is subtracted: {@code Age}, or the age by {@code Date}, since nginx sends no
     * {@code Age}. Without {@code max-age}, {@code Expires} ends it. Where fields contradict each other, the answer is
     * stale.
     *
     * @param nowEpochMillis arrival of the answer
     */
    public static long freshMillis(HttpHeaders headers, long nowEpochMillis) {
        return freshMillis(headers, "max-age", nowEpochMillis);
    }

    /** The same in a shared cache, which {@code s-maxage} tells more. */
    public static long sharedFreshMillis(HttpHeaders headers, long nowEpochMillis) {
        boolean hasOwn = directives(headers).has("s-maxage");
        return freshMillis(headers, hasOwn ? "s-maxage" : "max-age", nowEpochMillis);
    }

    private static long freshMillis(HttpHeaders headers, String directive, long nowEpochMillis) {
        CacheDirectives directives = directives(headers);
        if (directives.forbidReuse()) {
            return 0;
        }
        long nowSeconds = Math.floorDiv(nowEpochMillis, MILLIS_PER_SECOND);
        OptionalLong date = date(headers.allValues("date"), nowEpochMillis);
        long lifetime = directives
                .seconds(directive)
                .orElseGet(
                        () -> date(headers.allValues("expires"), nowEpochMillis).orElse(Long.MIN_VALUE / 2)
                                - date.orElse(nowSeconds));
        // A list is two caches' fault; the first counts (RFC 9111, sec. 5.1).
        long age = CacheDirectives.firstSeconds(headers.allValues("age")).orElse(0);
        long apparentAge = nowSeconds - date.orElse(nowSeconds);
        return Math.max(0, lifetime - Math.max(age, apparentAge)) * MILLIS_PER_SECOND;
    }

    /** The date, if all lines have the same one; empty: there is none, it is no date, or lines differ. */
    private static OptionalLong date(List<String> lines, long nowEpochMillis) {
        return lines.stream().distinct().count() == 1
                ? HttpDate.epochSeconds(lines.get(0), nowEpochMillis)
                : OptionalLong.empty();
    }

    /** Whether no copy may be stored, not even for its ETag. */
    public static boolean isNotToBeStored(HttpHeaders headers) {
        return directives(headers).forbidStorage();
    }

    private static CacheDirectives directives(HttpHeaders headers) {
        return CacheDirectives.of(headers.allValues("cache-control"));
    }

    /** Whether a shared cache answered. */
    public static boolean isHit(HttpHeaders headers) {
        return SharedCacheHit.isIn(headers::allValues);
    }
}
