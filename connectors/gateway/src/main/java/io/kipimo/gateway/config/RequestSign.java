package io.kipimo.gateway.config;

import io.kipimo.schemas.field.Decimals;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A sign that a request may have: a parameter, a field of its body, or its path, with a test of the value.
 *
 * @param name one of these: {@code $path}; a JSON pointer into the body, {@code /size}; a field anywhere in it,
 *     {@code //aggs}; a parameter of the query string or of a form, or a field at the top of the body. Names of
 *     parameters and fields may have {@code *} for any characters, and their case is ignored
 * @param test test of the value
 * @param than text that the value is compared with; empty: none
 */
public record RequestSign(String name, Test test, String than) {
    public static final String PATH = "$path";

    static final String ALLOWED =
            "a parameter or field, size, a JSON pointer, /size, a field anywhere, //aggs, or $path;"
                    + " alone, or with a test, size = 0, size > 0, size < 1, q ~ REGEX";

    private static final Pattern FORM = Pattern.compile("(\\S+)(?: +([<>=~]) +(\\S.*))?");

    /** Test of a value. */
    public enum Test {
        EXISTS,
        ABOVE,
        BELOW,
        EQUAL,
        MATCHES
    }

    /** Parses a sign; empty: the text has none of the forms. */
    static Optional<RequestSign> parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            return Optional.empty();
        }
        String than = form.group(3) == null ? "" : form.group(3);
        Test test = form.group(2) == null
                ? Test.EXISTS
                : switch (form.group(2)) {
                    case ">" -> Test.ABOVE;
                    case "<" -> Test.BELOW;
                    case "=" -> Test.EQUAL;
                    default -> Test.MATCHES;
                };
        boolean isBound = test == Test.ABOVE || test == Test.BELOW;
        return (isBound && Double.isNaN(Decimals.parse(than))) || (test == Test.MATCHES && !isPattern(than))
                ? Optional.empty()
                : Optional.of(new RequestSign(form.group(1), test, than));
    }

    private static boolean isPattern(String text) {
        try {
            return !text.isEmpty() && Pattern.compile(text) != null;
        } catch (PatternSyntaxException e) {
            return false;
        }
    }

    /**
     * A predicate that holds for values that pass the test. A value that is not a number is beyond every bound, since
     * nothing shows that it is not.
     */
    public Predicate<String> accepts() {
        double bound = Decimals.parse(than);
        return switch (test) {
            case EXISTS -> value -> true;
            case ABOVE -> value -> !(Decimals.parse(value.strip()) <= bound);
            case BELOW -> value -> !(Decimals.parse(value.strip()) >= bound);
            case EQUAL -> value -> value.strip().equalsIgnoreCase(than) || Decimals.parse(value.strip()) == bound;
            case MATCHES -> Pattern.compile(than).asPredicate();
        };
    }
}
