package io.kipimo.core.invalidation.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PCRE's manual, for syntax that other engines interpret differently. */
class RegexSubsetTest {
    private static final int SMALL_STACK_BYTES = 512 * 1024;

    private static Condition.Finds compiled(String pattern, String options) {
        return RegexSubset.compile(new Value.Regex(pattern, options), "a");
    }

    private static boolean finds(String pattern, String options, String text) {
        return compiled(pattern, options).matches(new Value.TextValue(text), Effort.ofOneFilter());
    }

    @Test
    void theEndIsBeforeALineFeedOnlyAndADotIsAllBut() {
        assertThat(finds("a$", "", "a\n")).isTrue();
        assertThat(finds("a$", "", "a\n\n")).isFalse();
        assertThat(finds("a$", "", "a\r")).isFalse();
        assertThat(finds("a\\Z", "", "a\n")).isTrue();
        assertThat(finds("a\\z", "", "a\n")).isFalse();
        assertThat(finds("^$", "", "\n")).isTrue();
        assertThat(finds("a.b", "", "a\rb")).isTrue();
        assertThat(finds("a.b", "", "a\nb")).isFalse();
        assertThat(finds("a.b", "s", "a\nb")).isTrue();
        assertThat(finds("(?s:a.)b", "", "a\nb")).isTrue();
    }

    @Test
    void withOptionMEveryLineBeginsAndEnds() {
        assertThat(finds("^b$", "m", "a\nb\nc")).isTrue();
        assertThat(finds("^b$", "", "a\nb\nc")).isFalse();
        assertThat(finds("(?m)^b$", "", "a\nb\n")).isTrue();
        assertThat(finds("a$\n", "m", "a\nb")).isTrue();
        assertThat(finds("(^|,)b", "m", "a\nb")).isTrue();
    }

    @Test
    void wordsAndSpacesAreAscii() {
        assertThat(finds("\\bart\\b", "", "éart")).isTrue();
        assertThat(finds("x\\By", "", "xy")).isTrue();
        assertThat(finds("\\w", "", "é")).isFalse();
        assertThat(finds("^\\s$", "", "\u000b")).as("vertical tab").isTrue();
        assertThat(finds("\\S", "", "\u000b")).isFalse();
        assertThat(finds("\\s", "", "\u00a0")).isFalse();
        assertThat(finds("\\d", "", "\u0663")).isFalse();
    }

    @Test
    void caseIsUnicodesSimpleOne() {
        assertThat(finds("É", "i", "é")).isTrue();
        assertThat(finds("k", "i", "\u212a")).as("Kelvin sign").isTrue();
        assertThat(finds("[a-z]", "i", "\u017f")).as("long s").isTrue();
        assertThat(finds("\\w", "i", "\u017f")).as("\\w does not fold case").isFalse();
        assertThat(finds("[^\\w]", "i", "\u017f")).isTrue();
        assertThat(finds("[^a]", "i", "A")).isFalse();
        assertThat(finds("Σ", "i", "ς")).isTrue();
        assertThat(finds("a(?i)b|c", "", "C")).isTrue();
        assertThat(finds("(a(?i)b)c", "", "aBC")).isFalse();
        assertThat(finds("(?-i:a)b", "i", "aB")).isTrue();
        assertThat(finds("(?-i:a)b", "i", "Ab")).isFalse();
        assertThat(finds("𐐀", "i", "𐐨")).as("Deseret, beyond 16 bits").isTrue();
    }

    @Test
    void numeralsAndCircledLettersHaveACaseToo() {
        assertThat(finds("^ⅻ$", "i", "Ⅻ")).as("CaseFolding.txt: 216B; C; 217B").isTrue();
        assertThat(finds("Ⓐ", "i", "ⓐ")).as("CaseFolding.txt: 24B6; C; 24D0").isTrue();
        assertThat(finds("[Ⓐ-Ⓒ]", "i", "ⓒ")).isTrue();
    }

    /** Folding once took a set as long as the code point for each of 100,000 letters. */
    @Test
    void caseNeedsLittleMemory() throws Exception {
        Process small = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-Xmx24m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OneCaselessFilter.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(small.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(small.waitFor()).as(said).isZero();
    }

    /** A program of its own, because a JVM folds once. */
    static final class OneCaselessFilter {
        public static void main(String[] none) {
            if (!finds("^abc", "i", "ABCd")) {
                throw new IllegalStateException("ABCd is not found");
            }
        }
    }

    /** RE2/J's own case folding never ends at this letter on current JVMs. */
    @ParameterizedTest
    @ValueSource(strings = {"\u0130", "[\u0100-\u0200]", "[^a]", "\\x{130}", "[\u0130]"})
    void noLetterMakesCompilingEndless(String pattern) {
        assertThat(finds(pattern, "i", "\u0130")).isTrue();
        assertThat(finds("i", "i", "\u0130"))
                .as("no folding of Turkish letters")
                .isFalse();
    }

    @Test
    void groupsClassesAndQuantifiersAreThoseOfPcre() {
        assertThat(finds("^[^a-c\\]]+?$", "", "xyz")).isTrue();
        assertThat(finds("(?<y>\\d{4})-(?i:ABC)", "", "2026-abc")).isTrue();
        assertThat(finds("\\Qa.b\\E", "", "a.b")).isTrue();
        assertThat(finds("\\Qa.b\\E", "", "axb")).isFalse();
        assertThat(finds("^\\Qa|)\\E{2}$", "", "a|))")).isTrue();
        assertThat(finds("\\\\Q", "", "\\Q")).isTrue();
        assertThat(finds("a b # c", "x", "ab")).isTrue();
        assertThat(finds("[a b]\\ #\nc", "x", "  c")).isTrue();
        assertThat(finds("^a {2}$", "x", "aa")).isTrue();
        assertThat(finds("\\x41\\x{42}", "", "AB")).isTrue();
        assertThat(finds("^[a&&b]+$", "", "a&b")).isTrue();
        assertThat(finds("^[-a-c-]+$", "", "b-")).isTrue();
        assertThat(finds("^[\\d\\-x]+$", "", "1-x")).isTrue();
        assertThat(finds("^.$", "", "😀")).as("one character").isTrue();
        assertThat(finds("]}", "", "]}")).isTrue();
        assertThat(finds("", "", "")).isTrue();
        assertThat(finds("a||b", "", "c")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[[:alpha:]]",
                "[a[b]]",
                "[]a]",
                "[z-a]",
                "[\\d-z]",
                "[a-\\d]",
                "\\K",
                "\\p{L}",
                "\\G",
                "\\12",
                "(a)\\1",
                "(?P<n>a)",
                "(?<n>a)(?<n>b)",
                "(?<1>a)",
                "(?R)",
                "(*UTF8)",
                "(?x)a",
                "(?i-)a",
                "(?)a",
                "\\u0041",
                "\\cA",
                "\\0",
                "\\x{110000}",
                "\\x{d800}",
                "\\x4",
                "(?#c)",
                "a{,",
                "a{,5}",
                "a{2,1}",
                "a{1001}",
                "*a",
                "a**",
                "a++",
                "a{2}{3}",
                "^*",
                "(?=a)",
                "(?!a)",
                "(?<=a)b",
                "(?<!a)b",
                "(?>a)",
                "a$b",
                "(a$|b)c",
                "(a$)+",
                "a\\Zb",
                "(?m)^\\s*$",
                "(?m)a|^",
                "(",
                ")",
                "a)",
                "[",
                "[a-",
                "\\",
                "\\Qa\\E\\",
                "\ud800",
                "[\udc00]",
                "a\0"
            })
    void whatPcreReadsDifferentlyOrAnEngineWouldTryAndTakeBackIsRefused(String pattern) {
        assertThatExceptionOfType(UnsupportedFilterException.class)
                .isThrownBy(() -> compiled(pattern, ""))
                .withMessageStartingWith("$regex at 'a': /" + pattern + "/: ")
                .withMessageContaining("; allowed: ");
    }

    @Test
    void optionsThatAreNotKnownAreRefused() {
        assertThatExceptionOfType(UnsupportedFilterException.class)
                .isThrownBy(() -> compiled("a", "g"))
                .withMessage("$options at 'a': 'g'; allowed: i, m, s, u, x");
    }

    @Test
    void anExpressionAsAValueIsFoundByItself() {
        assertThat(compiled("a", "si").matches(new Value.Regex("a", "is"), Effort.ofOneFilter()))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {"(?:a{1000}){1000}", "((a{30}){30}){30}", "(a|b){400}", "(?:a?){600}", "(.{100}){11}"})
    void whatBecomesALargeProgramIsRefusedBeforeItIsMade(String pattern) {
        assertThatExceptionOfType(UnsupportedFilterException.class)
                .isThrownBy(() -> compiled(pattern, ""))
                .withMessageContaining("more than 1024 instructions");
    }

    @Test
    void lengthAndDepthAreBounded() {
        assertThat(finds("a".repeat(1_020), "", "a".repeat(1_020))).isTrue();
        assertThatExceptionOfType(UnsupportedFilterException.class)
                .isThrownBy(() -> compiled("a".repeat(1_025), ""))
                .withMessageContaining("it has 1025 characters")
                .withMessageContaining("at most 1024");
        assertThat(finds("(".repeat(50) + "a" + ")".repeat(50), "", "a")).isTrue();
        assertThatExceptionOfType(UnsupportedFilterException.class)
                .isThrownBy(() -> compiled("(".repeat(51) + "a" + ")".repeat(51), ""))
                .withMessageContaining("more than 50 deep");
    }

    /** Like a task's stack, half of it used. With java.util.regex the first pattern overflowed it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?:a|b)*c",
                "(a*)*c",
                "(a|a)*c",
                "(?:a{0,500})c",
                "a{1000}c",
                "(?:(?:(?:(?:a?)*)*)*)*c",
                "(a|b|ab|ba|abab|(?:b|a|)){0,20}c"
            })
    void theLargestProgramsAndLongTextsTakeLittleStack(String pattern) throws Exception {
        FutureTask<Boolean> finding = new FutureTask<>(() -> finds(pattern, "", "ab".repeat(20_000)));
        Thread thread = new Thread(null, finding, "small-stack", SMALL_STACK_BYTES);
        thread.start();
        assertThat(finding.get()).isFalse();
    }

    @Test
    void aTextIsReadNoLongerThanAFilterMay() {
        Condition.Finds large = compiled("(?:a{0,500})c", "");
        Value.TextValue long1 = new Value.TextValue("a".repeat(1_000_000));
        assertThatExceptionOfType(UndecidedException.class)
                .isThrownBy(() -> large.matches(long1, Effort.ofOneFilter()));
        assertThat(compiled("(?:a|b)*c", "").matches(long1, Effort.ofOneFilter()))
                .isFalse();
    }
}
