package io.kipimo.sdk.caching;

import java.net.http.HttpHeaders;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** How long a client may reuse an answer (RFC 9111, sec. 5.2.2). */
final class CacheControl {
    private static final long MILLIS_PER_SECOND = 1000;

    private CacheControl() {}

    /**
     * Freshness lifetime, milliseconds since the request was sent; 0 if the answer must not be
     * reused. Time in caches on the way is subtracted: {@code Age}, or the age by {@code Date},
     * since nginx sends no {@code Age}.
     *
     * @param nowEpochMillis arrival of the answer
     */
    static long freshMillis(HttpHeaders headers, long nowEpochMillis) {
        long maxAge = 0;
        for (String directive : directives(headers)) {
            if (directive.equals("no-store") || directive.equals("no-cache")) {
                return 0;
            }
            if (directive.startsWith("max-age=")) {
                maxAge = seconds(directive.substring("max-age=".length()));
            }
        }
        return Math.max(0, maxAge - Math.max(age(headers), apparentAge(headers, nowEpochMillis)))
                * MILLIS_PER_SECOND;
    }

    /** Whether no copy may be stored, not even for its ETag. */
    static boolean isNotToBeStored(HttpHeaders headers) {
        return directives(headers).contains("no-store");
    }

    private static List<String> directives(HttpHeaders headers) {
        return headers.allValues("cache-control").stream()
                .flatMap(line -> Stream.of(line.split(",")))
                .map(directive -> directive.strip().toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Whether a shared cache answered. */
    static boolean isHit(HttpHeaders headers) {
        return headers.firstValue("cache-status").map(s -> s.contains("hit")).orElse(false)
                || headers.firstValue("x-cache").map(s -> s.startsWith("HIT")).orElse(false);
    }

    private static long age(HttpHeaders headers) {
        return headers.firstValue("age").map(CacheControl::seconds).orElse(0L);
    }

    /** Age by the clocks of origin and client (RFC 9111, sec. 4.2.3); 0 without a valid date. */
    private static long apparentAge(HttpHeaders headers, long nowEpochMillis) {
        try {
            return headers.firstValue("date")
                    .map(date -> ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME))
                    .map(date -> nowEpochMillis / MILLIS_PER_SECOND - date.toEpochSecond())
                    .orElse(0L);
        } catch (DateTimeParseException e) {
            return 0;
        }
    }

    private static long seconds(String text) {
        try {
            return Math.max(0, Long.parseLong(text.replace("\"", "").strip()));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
