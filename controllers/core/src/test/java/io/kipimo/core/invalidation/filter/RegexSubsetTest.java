package io.kipimo.core.invalidation.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kipimo.core.invalidation.document.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What PCRE's manual says, where Java's regular expressions say something else. */
class RegexSubsetTest {
    private static boolean finds(String pattern, String options, String text) {
        return RegexSubset.compile(new Value.Regex(pattern, options), "a")
                .matches(new Value.Text(text));
    }

    @Test
    void theEndIsBeforeALineFeedOnlyAndADotIsAllBut() {
        assertThat(finds("a$", "", "a\n")).isTrue();
        assertThat(finds("a$", "", "a\r")).isFalse();
        assertThat(finds("a.b", "", "a\rb")).isTrue();
        assertThat(finds("a.b", "", "a\nb")).isFalse();
        assertThat(finds("a.b", "s", "a\nb")).isTrue();
        assertThat(finds("^b$", "m", "a\nb\nc")).isTrue();
    }

    @Test
    void wordsAreAsciiAndCaseIsUnicode() {
        assertThat(finds("\\bart\\b", "", "éart")).isTrue();
        assertThat(finds("x\\By", "", "xy")).isTrue();
        assertThat(finds("\\w", "", "é")).isFalse();
        assertThat(finds("É", "i", "é")).isTrue();
    }

    @Test
    void groupsClassesAndQuantifiersAreThoseOfBoth() {
        assertThat(finds("(a|b)\\1", "", "xbb")).isTrue();
        assertThat(finds("^[^a-c\\]]+?$", "", "xyz")).isTrue();
        assertThat(finds("(?<y>\\d{4})-(?i:ABC)", "", "2026-abc")).isTrue();
        assertThat(finds("\\Qa.b\\E", "", "a.b")).isTrue();
        assertThat(finds("a b # c", "x", "ab")).isTrue();
        assertThat(finds("\\x41\\x{42}", "", "AB")).isTrue();
        assertThat(finds("(?<!a)b(?=c)", "", "bc")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[[:alpha:]]",
                "[a[b]]",
                "[a&&b]",
                "[]a]",
                "\\K",
                "\\p{L}",
                "\\G",
                "\\12",
                "\\1(a)",
                "(?P<n>a)",
                "(?R)",
                "(*UTF8)",
                "(?x)a",
                "\\u0041",
                "\\cA",
                "\\0",
                "(?#c)",
                "a{,",
                "["
            })
    void whatPcreReadsDifferentlyIsRefused(String pattern) {
        assertThatExceptionOfType(UnsupportedFilterException.class)
                .isThrownBy(() -> RegexSubset.compile(new Value.Regex(pattern, ""), "a"))
                .withMessageStartingWith("$regex at 'a'");
    }

    @Test
    void anExpressionAsAValueIsFoundByItself() {
        assertThat(
                        RegexSubset.compile(new Value.Regex("a", "si"), "a")
                                .matches(new Value.Regex("a", "is")))
                .isTrue();
    }
}
