package io.kipimo.sdk.internal.http;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.OptionalLong;

/** Rules on whether and how long a cache may reuse an answer (RFC 9111, sec. 4.2). */
public final class CacheControl {
    private static final long MILLIS_PER_SECOND = 1000;

    private CacheControl() {}

    /**
     * Remaining time for which a client may reuse an answer that arrives, milliseconds; 0 if it must not be reused. An
     * answer expires one lifetime after its evaluation, since its key leaves the filter of stale keys then. The
     * lifetime is {@code max-age}, or without it the time from {@code Date} to {@code Expires}. The answer's age is
     * subtracted, which is the greatest of: the time since the evaluation; {@code Age} plus the time of the exchange;
     * the age by {@code Date}, since nginx sends no {@code Age} (RFC 9111, sec. 4.2.3). If fields contradict each
     * other, the answer is stale.
     *
     * @param evaluatedMillis start of its evaluation or an earlier time, epoch milliseconds; 0: not known
     * @param exchangeMillis time from the request to the answer
     * @param nowEpochMillis arrival of the answer, by the clock of the origin
     */
    public static long freshMillis(
            HttpHeaders headers, long evaluatedMillis, long exchangeMillis, long nowEpochMillis) {
        return freshMillis(headers, "max-age", evaluatedMillis, exchangeMillis, nowEpochMillis);
    }

    /**
     * Remaining time for which a shared cache may reuse an answer that arrives, milliseconds; 0 if it must not be
     * reused. For such caches {@code s-maxage} precedes {@code max-age}. The time of evaluation does not count.
     */
    public static long sharedFreshMillis(HttpHeaders headers, long nowEpochMillis) {
        boolean hasOwn = directives(headers).has("s-maxage");
        return freshMillis(headers, hasOwn ? "s-maxage" : "max-age", 0, 0, nowEpochMillis);
    }

    /** Whether an answer was fresh once but is not when it arrives, which shows that a cache has kept it. */
    public static boolean isExpired(HttpHeaders headers, long evaluatedMillis, long nowEpochMillis) {
        CacheDirectives directives = directives(headers);
        return !directives.forbidReuse()
                && lifetimeSeconds(headers, directives, "max-age", nowEpochMillis) > 0
                && freshMillis(headers, evaluatedMillis, 0, nowEpochMillis) == 0;
    }

    private static long freshMillis(
            HttpHeaders headers, String directive, long evaluatedMillis, long exchangeMillis, long nowEpochMillis) {
        CacheDirectives directives = directives(headers);
        if (directives.forbidReuse()) {
            return 0;
        }
        long nowSeconds = Math.floorDiv(nowEpochMillis, MILLIS_PER_SECOND);
        long date = date(headers.allValues("date"), nowEpochMillis).orElse(nowSeconds);
        // A list is two caches' fault; the first counts (RFC 9111, sec. 5.1).
        long age = CacheDirectives.firstSeconds(headers.allValues("age")).orElse(0) * MILLIS_PER_SECOND;
        long apparentAge = (nowSeconds - date) * MILLIS_PER_SECOND;
        long sinceEvaluation = evaluatedMillis > 0 ? nowEpochMillis - evaluatedMillis : 0;
        return Math.max(
                0,
                lifetimeSeconds(headers, directives, directive, nowEpochMillis) * MILLIS_PER_SECOND
                        - Math.max(age + exchangeMillis, Math.max(apparentAge, sinceEvaluation)));
    }

    private static long lifetimeSeconds(
            HttpHeaders headers, CacheDirectives directives, String directive, long nowEpochMillis) {
        return directives.seconds(directive).orElseGet(() -> {
            long date = date(headers.allValues("date"), nowEpochMillis)
                    .orElse(Math.floorDiv(nowEpochMillis, MILLIS_PER_SECOND));
            OptionalLong expires = date(headers.allValues("expires"), nowEpochMillis);
            return expires.isEmpty() ? 0 : expires.getAsLong() - date;
        });
    }

    /** The date, if all lines have the same one; empty: there is none, it is no date, or lines differ. */
    private static OptionalLong date(List<String> lines, long nowEpochMillis) {
        return lines.stream().distinct().count() == 1
                ? HttpDate.epochSeconds(lines.get(0), nowEpochMillis)
                : OptionalLong.empty();
    }

    /**
     * Whether a client must not store a copy of an answer, not even for the copy's ETag.
     *
     * @param isOfOneUser whether all who use the copy are one user, so that it may be private (RFC 9111, sec. 5.2.2.7)
     */
    public static boolean isNotToBeStored(HttpHeaders headers, boolean isOfOneUser) {
        return isOfOneUser ? directives(headers).forbidStorage() : isOfOneUser(headers);
    }

    /** Whether a shared cache may give an answer to a user to all others, too (RFC 9111, sec. 3.5). */
    public static boolean isForEverybody(HttpHeaders headers) {
        CacheDirectives directives = directives(headers);
        return !isOfOneUser(headers)
                && (directives.has("public") || directives.has("s-maxage") || directives.has("must-revalidate"));
    }

    /** Whether an answer's headers say that it is for one user. No shared cache should have kept such an answer. */
    public static boolean isOfOneUser(HttpHeaders headers) {
        CacheDirectives directives = directives(headers);
        return directives.forbidStorage() || directives.has("private") || setsCookies(headers);
    }

    private static boolean setsCookies(HttpHeaders headers) {
        return headers.map().keySet().stream().anyMatch(name -> name.matches("(?i)set-cookie2?"));
    }

    private static CacheDirectives directives(HttpHeaders headers) {
        return CacheDirectives.of(headers.allValues("cache-control"));
    }

    /** Whether a shared cache answered. */
    public static boolean isHit(HttpHeaders headers) {
        return SharedCacheHit.isIn(headers::allValues);
    }
}
