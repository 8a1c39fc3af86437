package io.kipimo.schemas.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextPatternTest {
    @ParameterizedTest
    @CsvSource({
        "GET /search*, GET /search?q=1, true",
        "GET /search*, POST /search, false",
        "*, '', true",
        "'', '', true",
        "'', a, false",
        "a*b*c, a1b2bc, true",
        "a*b*c, a1b2b, false",
        "*aab, aaaab, true",
        "a.c, abc, false"
    })
    void aStarMatchesAnything(String glob, String text, boolean expected) {
        assertThat(new TextPattern(glob).matches(text)).isEqualTo(expected);
    }
}
