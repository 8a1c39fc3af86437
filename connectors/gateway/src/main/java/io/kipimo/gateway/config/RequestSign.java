package io.kipimo.gateway.config;

import io.kipimo.schemas.field.Decimals;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Something that a request has: a parameter, a field of its body, or its path.
 *
 * @param name one of these: {@code $path}; a JSON pointer into the body, {@code /size}; a field anywhere in it,
 *     {@code //aggs}; a parameter of the query string or of a form, or a field at the top of the body, in any case,
 *     with {@code *} for any characters
 * @param test of its value
 * @param than what the value is compared with; empty: nothing
 */
public record RequestSign(String name, Test test, String than) {
    public static final String PATH = "$path";

    static final String ALLOWED =
            "a parameter or field, size, a JSON pointer, /size, a field anywhere, //aggs, or $path;"
                    + " alone, or with a test, size = 0, size > 0, size < 1, q ~ REGEX";

    private static final Pattern FORM = Pattern.compile("(\\S+)(?: +([<>=~]) +(\\S.*))?");

    /** How a value is tested. */
    public enum Test {
        EXISTS,
        ABOVE,
        BELOW,
        EQUAL,
        MATCHES
    }

    /** Empty: the text is none of the forms. */
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
     * What tells whether a value passes the test. A value that is no number is beyond every bound, since nothing shows
     * that it is not.
     */
    public Predicate<String> accepts() {
        double bound = Decimals.parse(than);
        return switch (test) {
            case EXISTS -> value -> true;
            case ABOVE -> value -> !(Decimals.parse(value.strip()) <= bound);
            case BELOW -> value -> !(Decimals.parse(value.strip()) >= bound);
            case EQUAL ->
                value -> value.strip().equalsIgnoreCase(than) || Decimals.parse(value.strip()) == bound;
            case MATCHES -> Pattern.compile(than).asPredicate();
        };
    }
}
