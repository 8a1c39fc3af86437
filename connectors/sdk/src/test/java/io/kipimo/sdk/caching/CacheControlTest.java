package io.kipimo.sdk.caching;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** RFC 9111, sec. 4.2 and 5.2.2. */
class CacheControlTest {
    /** 1994-11-15T08:12:31Z, as in the RFC's own example. */
    private static final long DATE_MILLIS = 784_887_151_000L;

    @Test
    void maxAgeLessTheTimeInCaches() {
        assertThat(fresh(Map.of("Cache-Control", "public, max-age=60, s-maxage=5")))
                .isEqualTo(60_000);
        assertThat(fresh(Map.of("Cache-Control", "max-age=60", "Age", "20"))).isEqualTo(40_000);
        assertThat(fresh(Map.of("Cache-Control", "max-age=60", "Age", "70"))).isZero();
    }

    @Test
    void theDateHeaderGivesTheAgeWithoutAnAgeHeader() {
        Map<String, String> dated =
                Map.of("Cache-Control", "max-age=60", "Date", "Tue, 15 Nov 1994 08:12:31 GMT");
        assertThat(CacheControl.freshMillis(headers(dated), DATE_MILLIS + 15_000))
                .isEqualTo(45_000);
        assertThat(CacheControl.freshMillis(headers(dated), DATE_MILLIS - 15_000))
                .as("a client whose clock is behind")
                .isEqualTo(60_000);
    }

    @Test
    void uncacheableAnswersAreNotFresh() {
        assertThat(fresh(Map.of())).isZero();
        assertThat(fresh(Map.of("Cache-Control", "no-store, max-age=60"))).isZero();
        assertThat(fresh(Map.of("Cache-Control", "no-cache"))).isZero();
        assertThat(fresh(Map.of("Cache-Control", "max-age=soon"))).isZero();
    }

    @Test
    void hitsAreReadFromCachesHeaders() {
        assertThat(CacheControl.isHit(headers(Map.of("Cache-Status", "varnish; hit")))).isTrue();
        assertThat(CacheControl.isHit(headers(Map.of("Cache-Status", "varnish; fwd=miss"))))
                .isFalse();
        assertThat(CacheControl.isHit(headers(Map.of("X-Cache", "HIT")))).isTrue();
        assertThat(CacheControl.isHit(headers(Map.of()))).isFalse();
    }

    private static long fresh(Map<String, String> headers) {
        return CacheControl.freshMillis(headers(headers), DATE_MILLIS);
    }

    private static HttpHeaders headers(Map<String, String> headers) {
        Map<String, List<String>> all = new java.util.HashMap<>();
        headers.forEach((name, value) -> all.put(name, List.of(value)));
        return HttpHeaders.of(all, (name, value) -> true);
    }
}
