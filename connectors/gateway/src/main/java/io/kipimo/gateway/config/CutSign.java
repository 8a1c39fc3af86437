package io.kipimo.gateway.config;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sign in a response that the server cut its work short: a value other than false, null, 0 or
 * empty, or a number beyond a bound.
 *
 * @param pointer JSON pointer to the value
 * @param above empty: no lower bound
 * @param below empty: no upper bound
 */
public record CutSign(String pointer, Optional<Double> above, Optional<Double> below) {
    static final String ALLOWED = "a JSON pointer, /timed_out, or one with a bound, /failed > 0";

    private static final Pattern FORM =
            Pattern.compile("(/\\S*)(?: +([<>]) +(-?\\d{1,15}(?:\\.\\d{1,9})?))?");

    public CutSign(String pointer, Optional<Double> above) {
        this(pointer, above, Optional.empty());
    }

    /**
     * Reads {@code POINTER}, {@code POINTER > NUMBER} or {@code POINTER < NUMBER}; empty: it is
     * neither.
     */
    static Optional<CutSign> parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            return Optional.empty();
        }
        Optional<Double> bound = Optional.ofNullable(form.group(3)).map(Double::valueOf);
        return Optional.of(
                ">".equals(form.group(2))
                        ? new CutSign(form.group(1), bound)
                        : new CutSign(form.group(1), Optional.empty(), bound));
    }

    /** Whether it asks for a number. */
    public boolean hasBound() {
        return above.isPresent() || below.isPresent();
    }

    /** Whether a number is beyond the bounds. */
    public boolean isBeyond(double number) {
        return above.map(bound -> number > bound).orElse(false)
                || below.map(bound -> number < bound).orElse(false);
    }
}
