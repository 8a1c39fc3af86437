package io.kipimo.caching.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PurgeTargetTest {
    private static final URI CACHE = URI.create("http://cache.test:6081");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "//127.0.0.1:9/a?wipe=1",
                "///a",
                "/\\127.0.0.1/c",
                "\\\\127.0.0.1/c",
                "http://127.0.0.1:9/a",
                "@127.0.0.1/a",
                ":9/a",
                "/a\r\nHost: b",
                "/a\n",
                "/a\tb",
                "/a%0d%0aHost:%20b",
                "/a%00",
                "/a%7F",
                "/a\u0000",
                "/a#part",
                "/..",
                "/.",
                "/a/../b",
                "/a/%2e%2E/b",
                "/a/.%2e",
                "/a%2f..%2fb",
                "/a%5C..%5Cb",
                "/a/..;x/b",
                "/100%",
                "/a%zz",
                "/half\ud83d",
            })
    void aKeyThatIsNoPathIsRefused(String path) {
        assertThatThrownBy(() -> PurgeTarget.of(path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("allowed: a path from /")
                .message()
                .matches("\\p{ASCII}+")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource({
        "/, /",
        "/a/b;v=1?x=/../y&z=[1]?, /a/b;v=1?x=/../y&z=[1]?",
        "/a%2Fb/%C3%BC, /a%2Fb/%C3%BC",
        "/a b/ü[1]?q=ü b, /a%20b/%C3%BC%5B1%5D?q=%C3%BC%20b",
        "/a@b:9//c, /a@b:9//c",
        "/...a/.b/b., /...a/.b/b.",
    })
    void aPathIsEscapedWhereARequestLineNeedsIt(String path, String target) {
        assertThat(PurgeTarget.of(path)).isEqualTo(target);
    }

    @Test
    void aPathIsBounded() {
        assertThat(PurgeTarget.of("/" + "x".repeat(PurgeTarget.MOST_BYTES - 1))).hasSize(8_000);
        assertThatThrownBy(() -> PurgeTarget.of("/" + "x".repeat(PurgeTarget.MOST_BYTES)))
                .hasMessageContaining("is too long");
        assertThatThrownBy(() -> PurgeTarget.of("/" + "ü".repeat(PurgeTarget.MOST_BYTES / 3)))
                .hasMessageContaining("is too long");
    }

    /** Whatever a key holds, the address is the cache's, and the request line is one line. */
    @Test
    void everyTargetIsAtTheCache() {
        Random random = new Random(34);
        String alphabet = "/\\.%2eEfF5cC?#@:;[]&= \r\n\tü\ud83d\ude00\u202e\u0085aZ0'\"<>{}|^`";
        for (int i = 0; i < 200_000; i++) {
            StringBuilder key = new StringBuilder(random.nextBoolean() ? "/" : "");
            for (int n = random.nextInt(12); n > 0; n--) {
                key.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            String target;
            try {
                target = PurgeTarget.of(key.toString());
            } catch (IllegalArgumentException e) {
                continue;
            }
            URI address = PurgeTarget.at(CACHE, target);
            assertThat(address.getRawAuthority()).isEqualTo("cache.test:6081");
            assertThat(address.getRawFragment()).isNull();
            assertThat(address.getPath().split("/")).doesNotContain(".", "..");
            assertThat(address.toString())
                    .isEqualTo("http://cache.test:6081" + target)
                    .matches("[!-~]+");
        }
    }
}
