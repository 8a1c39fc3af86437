package io.kipimo.core.invalidation.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/**
 * Compares random expressions on random texts with java.util.regex, which backtracks as PCRE does. Expressions that
 * Java and PCRE interpret differently are rewritten for Java. There are no characters beyond 16 bits, because Java also
 * matches between their surrogates.
 */
class RegexPropertyTest {
    private static final List<String> LETTERS =
            List.of("a", "b", "k", "s", "é", "_", "1", " ", "\\n", "\\x{212a}", "\\.");
    private static final List<String> TEXT =
            List.of("a", "b", "A", "k", "K", "s", "ſ", "\u212a", "é", "É", "_", "1", " ", "\n");
    private static final List<String> CLASSES =
            List.of("[a-k]", "[^a]", "[\\w-]", "[^\\s\\d]", "[éa]", "[b-s_]", "[^A-Za-z]", ".", "\\d");
    private static final List<String> SETS = List.of("\\w", "\\W", "\\s", "\\S", "\\D");
    private static final List<String> QUANTIFIERS = List.of("*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?", "+?");

    /** Java's boundaries consider all letters, PCRE's only \w. */
    private static final String BOUNDARY = "(?:(?<=\\w)(?!\\w)|(?<!\\w)(?=\\w))";

    private static final String NO_BOUNDARY = "(?:(?<=\\w)(?=\\w)|(?<!\\w)(?!\\w))";

    private final StringBuilder pcre = new StringBuilder();
    private final StringBuilder java = new StringBuilder();

    private static <T> T one(List<T> of, RandomGenerator random) {
        return of.get(random.nextInt(of.size()));
    }

    private void both(String words) {
        pcre.append(words);
        java.append(words);
    }

    private void alternatives(int depth, RandomGenerator random) {
        sequence(depth, random);
        while (random.nextInt(3) == 0) {
            both("|");
            sequence(depth, random);
        }
    }

    private void sequence(int depth, RandomGenerator random) {
        for (int length = random.nextInt(4); length > 0; length--) {
            switch (random.nextInt(depth > 0 ? 12 : 9)) {
                case 0 -> both("^");
                case 1 -> {
                    boolean isBoundary = random.nextBoolean();
                    pcre.append(isBoundary ? "\\b" : "\\B");
                    java.append(isBoundary ? BOUNDARY : NO_BOUNDARY);
                }
                case 2 -> repeated(one(CLASSES, random), random);
                case 3 -> repeated(one(SETS, random), random);
                case 4 -> both("$");
                case 5, 6, 7, 8 -> repeated(one(LETTERS, random), random);
                default -> {
                    int start = java.length();
                    both(one(List.of("(?:", "(", "(?i:", "(?-i:", "(?s:", "(?m:"), random));
                    alternatives(depth - 1, random);
                    both(")");
                    repeatGroup(java.substring(start), random);
                }
            }
        }
    }

    private void repeated(String atom, RandomGenerator random) {
        both(atom + (random.nextInt(3) == 0 ? one(QUANTIFIERS, random) : ""));
    }

    /** Java miscounts repetitions of empty matches, so they are expanded. */
    private void repeatGroup(String group, RandomGenerator random) {
        if (random.nextInt(3) > 0) {
            return;
        }
        String quantifier = one(QUANTIFIERS, random);
        pcre.append(quantifier);
        java.setLength(java.length() - group.length());
        java.append(
                switch (quantifier) {
                    case "+", "+?" -> group + group + "*";
                    case "{2}" -> group + group;
                    case "{1,3}" -> group + group + "?" + group + "?";
                    case "{0,2}" -> group + "?" + group + "?";
                    case "{2,}" -> group + group + group + "*";
                    default -> group + quantifier;
                });
    }

    @Property
    void whatIsAcceptedFindsWhatAnEngineThatTriesAllFinds(@ForAll @LongRange(min = 0) long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        pcre.setLength(0);
        java.setLength(0);
        alternatives(2, random);
        String options = one(List.of("", "i", "m", "s", "im", "ims"), random);
        Condition.Finds found;
        try {
            found = RegexSubset.compile(new Value.Regex(pcre.toString(), options), "a");
        } catch (UnsupportedFilterException e) {
            return;
        }
        Pattern reference = Pattern.compile(java.toString(), flags(options));
        for (int i = 0; i < 40; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(7); length > 0; length--) {
                text.append(one(TEXT, random));
            }
            assertThat(found.matches(new Value.TextValue(text.toString()), Effort.ofOneFilter()))
                    .as("/%s/%s of '%s'", pcre, options, text)
                    .isEqualTo(reference.matcher(text).find());
        }
    }

    private static int flags(String options) {
        return Pattern.UNIX_LINES
                | Pattern.UNICODE_CASE
                | (options.indexOf('i') >= 0 ? Pattern.CASE_INSENSITIVE : 0)
                | (options.indexOf('m') >= 0 ? Pattern.MULTILINE : 0)
                | (options.indexOf('s') >= 0 ? Pattern.DOTALL : 0);
    }

    @Property
    void whateverTheTextAnExpressionIsReadOrRefused(@ForAll @LongRange(min = 0) long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder noise = new StringBuilder();
        for (int length = random.nextInt(20); length > 0; length--) {
            noise.append(one(List.of("a", "(", ")", "[", "]", "{", "}", "*", "+", "?", "\\"), random));
            noise.append(one(List.of("|", "^", "$", "-", "1", ",", "Q", "E", "x", ":", "<", ""), random));
        }
        for (String options : List.of("", "x", "im")) {
            try {
                var unused = RegexSubset.compile(new Value.Regex(noise.toString(), options), "a")
                        .matches(new Value.TextValue("a11xQ"), Effort.ofOneFilter());
            } catch (UnsupportedFilterException e) {
                assertThat(e).hasMessageContaining("; allowed: ");
            }
        }
    }
}
