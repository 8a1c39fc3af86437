package io.kipimo.schemas.completeness;

import io.kipimo.schemas.field.Decimals;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Completeness of an answer, as its caller is told: {@code whole}, {@code cut}, {@code cut;share=0.75} or
 * {@code unknown}.
 *
 * @param share share of the components or shards that answered, 0..1, only for a cut answer; empty: not known
 */
public record ToldCompleteness(Told told, OptionalDouble share) {
    /** States whether a part of an answer is missing. */
    public enum Told {
        /** Nothing that was asked for is missing. */
        WHOLE,
        /** Something is missing. */
        CUT,
        /** Nothing shows whether something is missing. */
        UNKNOWN
    }

    public static final ToldCompleteness WHOLE = new ToldCompleteness(Told.WHOLE, OptionalDouble.empty());
    public static final ToldCompleteness UNKNOWN = new ToldCompleteness(Told.UNKNOWN, OptionalDouble.empty());

    private static final Pattern FORM = Pattern.compile("(whole|unknown|cut)(?:\\s*;\\s*share=([0-9.]+))?");

    /** A cut answer. A share of 1 is left out, because it tells nothing about what is missing. */
    public static ToldCompleteness cut(OptionalDouble share) {
        return new ToldCompleteness(
                Told.CUT, share.isPresent() && share.getAsDouble() < 1 ? share : OptionalDouble.empty());
    }

    /** Reads a text in the form that {@link #format} writes; empty if it has another form. */
    public static Optional<ToldCompleteness> parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            return Optional.empty();
        }
        Told told = Told.valueOf(form.group(1).toUpperCase(Locale.ROOT));
        double share = form.group(2) == null ? Double.NaN : Decimals.parse(form.group(2));
        return Optional.of(new ToldCompleteness(
                told,
                told == Told.CUT && share >= 0 && share <= 1 ? OptionalDouble.of(share) : OptionalDouble.empty()));
    }

    /**
     * Writes the value of a header. The share has two decimals and is rounded down, so that a share below 1 never shows
     * as 1.
     */
    public String format() {
        String word = told.name().toLowerCase(Locale.ROOT);
        return share.isEmpty()
                ? word
                : word + ";share="
                        + BigDecimal.valueOf(share.getAsDouble())
                                .setScale(2, RoundingMode.DOWN)
                                .toPlainString();
    }

    /** The quality that is proven, 0..1: 1 for a whole answer, otherwise the share, or 0 without one. */
    public double shownQuality() {
        return told == Told.WHOLE ? 1 : share.orElse(0);
    }
}
