package io.kipimo.gateway.config;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A sign in a response that the server cut its work short: a value other than false, null, 0 or
 * empty, or a number above a bound.
 *
 * @param pointer JSON pointer to the value
 * @param above bound of the number; empty: without a bound
 */
public record CutSign(String pointer, Optional<Double> above) {
    static final String ALLOWED = "a JSON pointer, /timed_out, or one with a bound, /failed > 0";

    private static final Pattern FORM =
            Pattern.compile("(/\\S*)(?: +> +(-?\\d{1,15}(?:\\.\\d{1,9})?))?");

    /** Parses {@code POINTER} or {@code POINTER > NUMBER}; empty: it is neither. */
    static Optional<CutSign> parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        return form.matches()
                ? Optional.of(
                        new CutSign(
                                form.group(1),
                                Optional.ofNullable(form.group(2)).map(Double::valueOf)))
                : Optional.empty();
    }
}
