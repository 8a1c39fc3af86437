package io.kipimo.sdk.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.sdk.internal.http.CacheControl;
import java.net.http.HttpHeaders;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110, 9111 and 9211; lines of a field in angle brackets. */
class CacheControlTest {
    private static final long NOW_MILLIS = Instant.parse("2026-11-26T12:00:00Z").toEpochMilli();
    private static final long MOST_SECONDS = 1L << 31;

    /** Fields by the form {@code name: line | name: line}. */
    static HttpHeaders headers(String fields) {
        Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String field : fields.split(" \\| ", -1)) {
            String[] parts = field.split(": ", 2);
            all.computeIfAbsent(parts[0], name -> new ArrayList<>()).add(parts[1]);
        }
        return HttpHeaders.of(all, (name, value) -> true);
    }

    /** Of an answer that was on its way for no time. */
    static long freshMillis(HttpHeaders headers, long nowMillis) {
        long evaluated =
                headers.firstValueAsLong(CachingClient.EVALUATED_MILLIS).orElse(0);
        return CacheControl.freshMillis(headers, evaluated, 0, nowMillis);
    }

    private static long fresh(String fields) {
        return freshMillis(headers(fields), NOW_MILLIS) / 1000;
    }

    /** Its key leaves the filter then. {@code NOW_MILLIS} is 1795694400000. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '^',
            value = {
                "52; Cache-Control: max-age=60 | Kipimo-Evaluated-Millis: 1795694392000",
                "50; Cache-Control: max-age=60 | Kipimo-Evaluated-Millis: 1795694392000 | Age: 10",
                "0; Cache-Control: max-age=60 | Kipimo-Evaluated-Millis: 1795694340000",
                "60; Cache-Control: max-age=60 | Kipimo-Evaluated-Millis: 1795694400050",
                "52; Expires: Thu, 26 Nov 2026 12:01:00 GMT | Kipimo-Evaluated-Millis: 1795694392000",
            })
    void aCopyEndsItsLifetimeAfterItsEvaluation(long seconds, String fields) {
        assertThat(fresh(fields)).isEqualTo(seconds);
    }

    /** RFC 9111, sec. 4.2.3: from the time of the request, or of the date, whatever is longer. */
    @Test
    void theTimeOfTheExchangeCountsOnce() {
        HttpHeaders dated = headers("Cache-Control: max-age=60 | Date: Thu, 26 Nov 2026 11:59:52 GMT");
        assertThat(CacheControl.freshMillis(dated, 0, 8_000, NOW_MILLIS)).isEqualTo(52_000);
        HttpHeaders aged = headers("Cache-Control: max-age=60 | Age: 10");
        assertThat(CacheControl.freshMillis(aged, 0, 8_000, NOW_MILLIS)).isEqualTo(42_000);
    }

    /** RFC 9111, sec. 3 and 5.2.2.7. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Cache-Control: private, max-age=60",
                "Cache-Control: max-age=60 | Cache-Control: Private",
                "Cache-Control: max-age=60, private=\"x-user\"",
                "Cache-Control: max-age=60, must-revalidate | Set-Cookie: s=1",
            })
    void whatIsOneUsersIsKeptForOneUserOnly(String fields) {
        assertThat(CacheControl.isNotToBeStored(headers(fields), false)).isTrue();
        assertThat(CacheControl.isNotToBeStored(headers(fields), true)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '^',
            value = {
                "60; Cache-Control: public, max-age=60, s-maxage=5",
                "60; Cache-Control: MAX-AGE=60",
                "60; Cache-Control: max-age=\"60\"",
                "60; Cache-Control: ,, max-age=60 ,,",
                "60; Cache-Control: public | Cache-Control: max-age=60",
                "60; Cache-Control: max-age=060",
                "60; Cache-Control: max-age=60, max-age=60",
                "5; Cache-Control: max-age=5, ext=\"a, max-age=600, b\"",
                "5; Cache-Control: max-age=5, ext=\"no-store, x\"",
                "5; Cache-Control: max-age=5, ext=\"a\\\", no-store\"",
                "60; Cache-Control: max-age=60, no-storey",
                "60; Cache-Control: max-age=60 | Expires: 0",
            })
    void directivesAreReadByTheirGrammar(long seconds, String fields) {
        assertThat(fresh(fields)).isEqualTo(seconds);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X: none",
                "Cache-Control: no-store, max-age=60",
                "Cache-Control: max-age=60, no-cache",
                "Cache-Control: max-age=60 | Cache-Control: No-Cache",
                "Cache-Control: max-age=60, no-cache=\"set-cookie, x\"",
                "Cache-Control: max-age=60, ext=\"a | Cache-Control: no-store",
                "Cache-Control: max-age=60, ext=\"never closed",
                "Cache-Control: max-age=60 | Cache-Control: max-age=600",
                "Cache-Control: max-age=600 | Cache-Control: max-age=1",
                "Cache-Control: max-age=0, max-age=600",
                "Cache-Control: max-age=60, max-age",
                "Cache-Control: max-age=soon",
                "Cache-Control: max-age",
                "Cache-Control: max-age=",
                "Cache-Control: max-age=-60",
                "Cache-Control: max-age=+60",
                "Cache-Control: max-age=60.5",
                "Cache-Control: max-age = 60",
                "Cache-Control: max-age=\u0661",
                "Cache-Control: public; max-age=60",
                "Cache-Control: max-age=60 | Age: 70",
                "Cache-Control: max-age=60 | Age: 99999999999999999999",
                "Expires: 0",
                "Expires: -1",
                "Expires: Thu, 26 Nov 2026 12:01:00",
                "Expires: Thu, 26 Nov 2026 11:59:59 GMT",
                "Expires: Thu, 26 Nov 2026 12:01:00 GMT | Expires: Thu, 26 Nov 2026 12:02:00 GMT",
            })
    void whatIsForbiddenUnclearOrOverIsNotFresh(String fields) {
        assertThat(fresh(fields)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2147483648", "2147483649", "99999999999", "18446744073709600000"})
    void moreSecondsThanFitAreTheMost(String seconds) {
        assertThat(fresh("Cache-Control: max-age=" + seconds)).isEqualTo(MOST_SECONDS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '^',
            value = {
                "50; Age: 10",
                "50; Age: 10, 0",
                "50; Age: 10 | Age: 0",
                "1; Age: 59, 59",
                "60; Age: -5",
                "60; Age: 10.5",
                "60; Age: ten, 10",
                "30; Date: Thu, 26 Nov 2026 11:59:30 GMT",
                "30; Date: Thursday, 26-Nov-26 11:59:30 GMT",
                "30; Date: Thu Nov 26 11:59:30 2026",
                "30; Date: Fri, 26 Nov 2026 11:59:30 GMT",
                "60; Date: Thu, 26 Nov 2026 12:05:00 GMT",
                "60; Date: Thu, 26 Nov 2026 11:59:30 UTC",
                "60; Date: Thu, 31 Feb 2026 11:59:30 GMT",
                "20; Age: 40 | Date: Thu, 26 Nov 2026 11:59:30 GMT",
                "0; Date: Sunday, 06-Nov-94 08:49:37 GMT",
                "0; Date: Sun Nov  6 08:49:37 1994",
            })
    void timeInCachesCounts(long seconds, String fields) {
        assertThat(fresh("Cache-Control: max-age=60 | " + fields)).isEqualTo(seconds);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '^',
            value = {
                "60; Expires: Thu, 26 Nov 2026 12:01:00 GMT",
                "60; Expires: Thursday, 26-Nov-26 12:01:00 GMT",
                "60; Expires: Thu Nov 26 12:01:00 2026",
                "50; Expires: Thu, 26 Nov 2026 12:01:00 GMT | Date: Thu, 26 Nov 2026 11:59:50 GMT | Age: 20",
            })
    void withoutMaxAgeExpiresIsTheEnd(long seconds, String fields) {
        assertThat(fresh(fields)).isEqualTo(seconds);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Cache-Status: nginx; hit",
                "Cache-Status: varnish;hit",
                "Cache-Status: \"Edge; b, c\"; HIT",
                "Cache-Status: Origin; fwd=miss | Cache-Status: Edge; hit",
                "Cache-Status: Origin; fwd=uri-miss; collapsed, \"CDN\"; hit; ttl=545",
                "Cache-Status: a; detail=\"x\\\"; fwd=miss\"; hit=?1; x=:aGk=:; y=%\"b%c3%bc\"; z=@1",
                "X-Cache: HIT",
                "X-Cache: hit",
                "X-Cache: Hit from cloudfront",
                "X-Cache: RefreshHit from cloudfront",
                "X-Cache: OriginShieldHit from cloudfront",
                "X-Cache: MISS, HIT",
                "X-Cache: HIT, MISS",
                "X-Cache: MISS | X-Cache: HIT",
                "X-Cache: TCP_HIT",
                "X-Cache: TCP_MEM_HIT from a23-1.deploy.akamaitechnologies.com (AkamaiGHost/10)",
                "X-Cache: TCP_REFRESH_HIT",
                "X-Cache: HIT from squid.example:3128",
                "X-Cache: HIT (3)",
                "X-Cache-Status: STALE",
                "CF-Cache-Status: HIT",
                "CF-Cache-Status: REVALIDATED",
            })
    void hitsAreReadFromCachesFields(String fields) {
        assertThat(CacheControl.isHit(headers(fields))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X: none",
                "Cache-Status: varnish; fwd=miss",
                "Cache-Status: hitch; fwd=uri-miss; stored",
                "Cache-Status: hit",
                "Cache-Status: hit; fwd=miss; key=\"/hit; hit\"",
                "Cache-Status: Edge; fwd=stale; detail=hit-for-pass",
                "Cache-Status: Edge; hit=?0",
                "Cache-Status: Edge; hit=?1; hit=?0",
                "Cache-Status: Edge; hit=yes",
                "Cache-Status: Edge; hit; fwd=miss",
                "Cache-Status: Edge; detail=\"never closed; hit",
                "Cache-Status: Edge; hit, not a token; hit",
                "Cache-Status: (Edge Other); hit",
                "X-Cache: MISS",
                "X-Cache: Miss from cloudfront",
                "X-Cache: MISS from hit.example",
                "X-Cache: Error from cloudfront",
                "X-Cache: TCP_MISS",
                "X-Cache: TCP_REFRESH_MISS",
                "X-Cache: HITMISS",
                "X-Cache: hitch",
                "X-Cache: ",
                "X-Cache-Lookup: HIT from squid.example:3128",
                "CF-Cache-Status: DYNAMIC",
                "CF-Cache-Status: EXPIRED",
            })
    void whatIsNoHitIsNone(String fields) {
        assertThat(CacheControl.isHit(headers(fields))).isFalse();
    }

    @Test
    void longFieldsAreNoEvidence() {
        String quoted = "\\\"".repeat(100_000);
        assertThat(CacheControl.isHit(headers("Cache-Status: a; x=\"" + quoted + "\"; hit")))
                .isFalse();
        assertThat(fresh("Cache-Control: max-age=60, x=\"" + quoted + "\"")).isEqualTo(60);
    }

    /** RFC 9111, sec. 5.2.2.10. */
    @ParameterizedTest
    @CsvSource({
        "'Cache-Control: max-age=60, s-maxage=5', 5",
        "'Cache-Control: max-age=60, s-maxage=x', 0",
        "'Cache-Control: max-age=60 | Age: 20', 40",
        "'Cache-Control: s-maxage=9, no-store', 0",
    })
    void aSharedCacheHasItsOwnAge(String fields, long seconds) {
        assertThat(CacheControl.sharedFreshMillis(headers(fields), NOW_MILLIS)).isEqualTo(1_000 * seconds);
    }
}
