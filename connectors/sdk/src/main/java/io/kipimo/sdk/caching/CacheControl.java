package io.kipimo.sdk.caching;

import java.net.http.HttpHeaders;
import java.util.Locale;

/** For how long a client may keep an answer (RFC 9111, sec. 5.2.2). */
final class CacheControl {
    private static final long MILLIS_PER_SECOND = 1000;

    private CacheControl() {}

    /** Milliseconds from when the answer was asked for; 0 if it is not to be kept. */
    static long freshMillis(HttpHeaders headers) {
        long maxAge = 0;
        for (String line : headers.allValues("cache-control")) {
            for (String one : line.split(",")) {
                String directive = one.strip().toLowerCase(Locale.ROOT);
                if (directive.equals("no-store") || directive.equals("no-cache")) {
                    return 0;
                }
                if (directive.startsWith("max-age=")) {
                    maxAge = seconds(directive.substring("max-age=".length()));
                }
            }
        }
        return Math.max(0, maxAge - age(headers)) * MILLIS_PER_SECOND;
    }

    /** Whether a cache on the way answered. */
    static boolean isHit(HttpHeaders headers) {
        return headers.firstValue("cache-status").map(s -> s.contains("hit")).orElse(false)
                || headers.firstValue("x-cache").map(s -> s.startsWith("HIT")).orElse(false);
    }

    private static long age(HttpHeaders headers) {
        return headers.firstValue("age").map(CacheControl::seconds).orElse(0L);
    }

    private static long seconds(String text) {
        try {
            return Math.max(0, Long.parseLong(text.replace("\"", "").strip()));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
