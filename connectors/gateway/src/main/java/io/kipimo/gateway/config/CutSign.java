package io.kipimo.gateway.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Sign in a response that the server cut its work short: a value other than false, null, 0 or empty; a number beyond a
 * bound; a number below another number of the response; or a number that is not in a list. A boolean counts as a
 * number: true is 1, false is 0.
 *
 * @param pointer JSON pointer to the value
 * @param above a value above it is a sign; empty: no such bound
 * @param below a value below it is a sign; empty: no such bound
 * @param belowOf JSON pointer to another value; a value below that one is a sign; empty: no such comparison
 * @param noneOf list of numbers; a number that is not in it is a sign; empty: no such list
 */
public record CutSign(
        String pointer, Optional<Double> above, Optional<Double> below, Optional<String> belowOf, List<Double> noneOf) {
    static final String ALLOWED =
            "a JSON pointer, /timed_out, or one with a bound, /failed > 0, /successful < /total, /code != 0, 200";

    private static final String NUMBER = "-?\\d{1,15}(?:\\.\\d{1,9})?";
    private static final Pattern FORM =
            Pattern.compile("(/\\S*)(?: +([<>]) +(?:(N)|(/\\S*))| +!= +(N(?:, *N)*))?".replace("N", NUMBER));

    public CutSign {
        noneOf = List.copyOf(noneOf);
    }

    public CutSign(String pointer, Optional<Double> above) {
        this(pointer, above, Optional.empty());
    }

    public CutSign(String pointer, Optional<Double> above, Optional<Double> below) {
        this(pointer, above, below, Optional.empty());
    }

    public CutSign(String pointer, Optional<Double> above, Optional<Double> below, Optional<String> belowOf) {
        this(pointer, above, below, belowOf, List.of());
    }

    /**
     * Parses a sign. Its forms are {@code POINTER}, {@code POINTER > BOUND}, {@code POINTER < BOUND}, where a bound is
     * a number or a pointer, and {@code POINTER != NUMBER, NUMBER}.
     *
     * @return empty: the text has none of these forms
     */
    static Optional<CutSign> parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            return Optional.empty();
        }
        if (form.group(5) != null) {
            List<Double> noneOf =
                    Stream.of(form.group(5).split(", *")).map(Double::valueOf).toList();
            return Optional.of(
                    new CutSign(form.group(1), Optional.empty(), Optional.empty(), Optional.empty(), noneOf));
        }
        boolean isAbove = ">".equals(form.group(2));
        if (form.group(4) != null) {
            String lesser = form.group(isAbove ? 4 : 1);
            String greater = form.group(isAbove ? 1 : 4);
            return Optional.of(new CutSign(lesser, Optional.empty(), Optional.empty(), Optional.of(greater)));
        }
        Optional<Double> bound = Optional.ofNullable(form.group(3)).map(Double::valueOf);
        return Optional.of(
                isAbove ? new CutSign(form.group(1), bound) : new CutSign(form.group(1), Optional.empty(), bound));
    }

    /** Whether the sign compares its value with a number. */
    public boolean hasBound() {
        return above.isPresent() || below.isPresent() || belowOf.isPresent() || !noneOf.isEmpty();
    }

    /** Whether a document has the sign. A compared value that is not a number is no sign. */
    public boolean holds(JsonNode document) {
        JsonNode value = document.at(pointer);
        if (!hasBound()) {
            return value.isContainerNode()
                    ? !value.isEmpty()
                    : value.asBoolean(value.isTextual() && !value.asText().isEmpty());
        }
        double number = number(value);
        double bound = belowOf.map(other -> number(document.at(other))).orElse(Double.NaN);
        return number < bound || (!Double.isNaN(number) && isBeyond(number));
    }

    private static double number(JsonNode value) {
        return value.isBoolean() ? (value.asBoolean() ? 1 : 0) : value.asDouble(Double.NaN);
    }

    /** Whether a number is above {@code above}, below {@code below}, or not in {@code noneOf}. */
    public boolean isBeyond(double number) {
        return above.map(bound -> number > bound).orElse(false)
                || below.map(bound -> number < bound).orElse(false)
                || (!noneOf.isEmpty() && !noneOf.contains(number));
    }
}
