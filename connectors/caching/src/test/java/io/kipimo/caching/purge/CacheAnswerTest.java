package io.kipimo.caching.purge;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CacheAnswerTest {
    /** Status, body and headers, such as {@code 200 new Vary=Origin}. */
    private static CacheAnswer answer(String text) {
        String[] parts = text.split(" ");
        Map<String, List<String>> headers = new TreeMap<>();
        for (int i = 2; i < parts.length; i++) {
            String[] header = parts[i].split("=", 2);
            headers.put(header[0], List.of(header[1].replace('_', ' ')));
        }
        return new CacheAnswer(Integer.parseInt(parts[0]), HttpHeaders.of(headers, (n, v) -> true), parts[1]);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "200 - Kipimo-Purge=done,  ''",
                "200 - Server=Varnish,     ''",
                "200 - Server=nginx,       something else than the cache answered the PURGE",
                "200 -,                    something else than the cache answered the PURGE",
                "302 - Server=Varnish,     status 302",
                "404 - Server=Varnish,     status 404",
                "405 - Server=Varnish,     status 405",
            })
    void aPurgeIsDoneOnlyByTheCache(String answer, String problem) {
        assertThat(CacheAnswer.problemOfPurge(answer(answer))).isEqualTo(problem);
    }

    /** With nginx as usual: the first request is the one past the cache. */
    @ParameterizedTest
    @CsvSource({
        "200 new X-Cache=BYPASS,  200 new X-Cache=HIT,  ''",
        "200 new Cache-Status=a;_fwd=miss, 200 new Cache-Status=a;_hit, ''",
        "404 gone X-Cache=BYPASS, 404 gone X-Cache=HIT, ''",
        "404 gone X-Cache=BYPASS, 200 old X-Cache=HIT,  still serves another",
        "404 old X-Cache=BYPASS,  200 old X-Cache=HIT,  still serves another",
        "200 new X-Cache=BYPASS,  200 old X-Cache=STALE, still serves another",
        "200 new X-Cache=BYPASS,  200 old X-Cache=UPDATING, still serves another",
        "404 gone X-Cache=BYPASS, 404 gone X-Cache=MISS, does not store the origin's answer",
        "200 new X-Cache=BYPASS Vary=Accept-Encoding, 200 new X-Cache=HIT, varies by Accept-Encoding",
        "200 new X-Cache=BYPASS,  200 new X-Cache=HIT Vary=*, varies by *",
        "200 old X-Cache=HIT,     200 old X-Cache=HIT,  does not pass a request with no-cache",
        "200 new Server=nginx,    200 new X-Cache=HIT,  does not say whether",
        "200 new X-Cache=BYPASS,  200 new Server=nginx, does not say whether",
        "502 bad X-Cache=BYPASS,  200 old X-Cache=HIT,  status 502",
        "200 new Cache-Status=a;_fwd=stale, 200 new Cache-Status=a;_hit, ''",
        "403 no X-Cache=BYPASS Kipimo-Purge=one-variant, 403 no X-Cache=MISS, does not store",
    })
    void aRenewalIsShownByAnEntryThatEqualsTheOriginsAnswer(String fresh, String seen, String problem) {
        String found = CacheAnswer.problemOfRenewal(answer(fresh), answer(fresh), answer(seen));
        if (problem.isEmpty()) {
            assertThat(found).isEmpty();
        } else {
            assertThat(found).contains(problem);
        }
    }

    /** The cache has dropped the entry at the first request. */
    @ParameterizedTest
    @CsvSource({
        "dropped,     404 gone X-Cache=BYPASS, 404 gone X-Cache=EXPIRED, ''",
        "dropped,     200 new X-Cache=BYPASS,  200 new X-Cache=HIT,  ''",
        "dropped,     200 new X-Cache=BYPASS,  200 old X-Cache=HIT,  still serves another",
        "dropped,     200 new X-Cache=BYPASS Vary=A, 200 new X-Cache=HIT, varies by A",
        "one-variant, 200 new X-Cache=BYPASS Vary=A, 200 new X-Cache=HIT Vary=A, ''",
        "one-variant, 404 gone X-Cache=BYPASS, 200 old X-Cache=HIT,  still serves another",
        "one-variant, 500 bad X-Cache=BYPASS,  200 old X-Cache=HIT,  status 500",
    })
    void aDroppedEntryIsShownByNone(String mark, String fresh, String seen, String problem) {
        CacheAnswer dropped = answer("503 - Kipimo-Purge=" + mark);
        String found = CacheAnswer.problemOfRenewal(dropped, answer(fresh), answer(seen));
        if (problem.isEmpty()) {
            assertThat(found).isEmpty();
        } else {
            assertThat(found).contains(problem);
        }
    }
}
