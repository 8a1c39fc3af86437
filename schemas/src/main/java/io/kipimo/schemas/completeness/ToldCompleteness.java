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
 * What a caller is told of an answer: {@code whole}, {@code cut}, {@code cut;share=0.75} or {@code unknown}.
 *
 * @param share of the components or shards that answered, 0..1; empty: not known; only of a cut answer
 */
public record ToldCompleteness(Told told, OptionalDouble share) {
    /** Whether something is missing. */
    public enum Told {
        /** The answer has all that was asked. */
        WHOLE,
        /** Something is missing. */
        CUT,
        /** Nothing shows whether something is missing. */
        UNKNOWN
    }

    public static final ToldCompleteness WHOLE = new ToldCompleteness(Told.WHOLE, OptionalDouble.empty());
    public static final ToldCompleteness UNKNOWN = new ToldCompleteness(Told.UNKNOWN, OptionalDouble.empty());

    private static final Pattern FORM = Pattern.compile("(whole|unknown|cut)(?:\\s*;\\s*share=([0-9.]+))?");

    /** A cut answer; a share of 1 says nothing of what is missing. */
    public static ToldCompleteness cut(OptionalDouble share) {
        return new ToldCompleteness(
                Told.CUT, share.isPresent() && share.getAsDouble() < 1 ? share : OptionalDouble.empty());
    }

    /** Reads what {@link #format} writes; empty: another text. */
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

    /** As a header's value. The share has two decimals and is truncated, so that nothing missing becomes nothing. */
    public String format() {
        String word = told.name().toLowerCase(Locale.ROOT);
        return share.isEmpty()
                ? word
                : word + ";share="
                        + BigDecimal.valueOf(share.getAsDouble())
                                .setScale(2, RoundingMode.DOWN)
                                .toPlainString();
    }

    /** The quality of which there is evidence, 0..1: what is not known to be there counts as missing. */
    public double shownQuality() {
        return told == Told.WHOLE ? 1 : share.orElse(0);
    }
}
