package io.kipimo.sdk.caching;

import io.kipimo.core.stale.StaleKeys;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A read at the origin. It begins before the read is reported and ends with the answer. However long the report and the
 * evaluation take, copies of the answer expire one time to live after this beginning, and so before the key leaves the
 * filter of stale keys. Clients know the beginning by {@link CachingClient#EVALUATED_MILLIS}, shared caches by
 * {@code Age} or {@code Date}.
 *
 * @param evaluatedMillis the beginning, a time taken before the report, epoch milliseconds
 * @param ttlMillis time to live; whole seconds count
 */
public record OriginRead(long evaluatedMillis, long ttlMillis) {
    private static final long MILLIS_PER_SECOND = 1_000;
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);

    /** Expiry to report to {@link StaleKeys#reportRead}, epoch milliseconds. */
    public long expiryMillis() {
        return evaluatedMillis + seconds() * MILLIS_PER_SECOND + StaleKeys.EXPIRY_SLACK_MILLIS;
    }

    /**
     * Headers of the answer.
     *
     * @param nowMillis when it leaves, epoch milliseconds
     */
    public Map<String, String> headers(long nowMillis) {
        Map<String, String> headers = new LinkedHashMap<>();
        long seconds = seconds();
        headers.put(
                "Cache-Control", seconds == 0 ? "no-store" : "public, max-age=" + seconds + ", s-maxage=" + seconds);
        headers.put("Date", DATE.format(Instant.ofEpochMilli(evaluatedMillis).atOffset(ZoneOffset.UTC)));
        headers.put("Age", String.valueOf(Math.max(0, nowMillis - evaluatedMillis) / MILLIS_PER_SECOND));
        headers.put(CachingClient.EVALUATED_MILLIS, String.valueOf(evaluatedMillis));
        return headers;
    }

    private long seconds() {
        return Math.max(0, ttlMillis / MILLIS_PER_SECOND);
    }
}
