package io.kipimo.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestSignTest {
    @ParameterizedTest
    @CsvSource({
        "mode, '', true",
        "mode = Fast, Fast, true",
        "mode = Fast, fast, true",
        "mode = fast, ' FAST ', true",
        "mode = fast, faster, false",
        "size = 0, 0.0, true",
        "size = 0, 10, false",
        "size > 0, 1, true",
        "size > 0, 0, false",
        "size > 0, many, true",
        "size < 1, many, true",
        "q ~ ^a, abc, true",
        "q ~ ^a, bac, false"
    })
    void aValuePassesItsTest(String sign, String value, boolean expected) {
        assertThat(RequestSign.parse(sign).orElseThrow().accepts().test(value)).isEqualTo(expected);
    }
}
