package io.kipimo.schemas.field;

import java.util.regex.Pattern;

/**
 * Numbers as people and other programs write them: decimal ASCII digits, with a point and an exponent if need be.
 * Java's own parser also accepts {@code 1d}, {@code 0x1p3} and {@code Infinity}, which are no numbers in other
 * programs' texts.
 */
public final class Decimals {
    private static final Pattern FORM = Pattern.compile("[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?");
    private static final int LONGEST = 400;

    private Decimals() {}

    /** Whether the text is such a number; it may be too large for a double. */
    public static boolean isDecimal(String text) {
        return text.length() <= LONGEST && FORM.matcher(text).matches();
    }

    /** The number; NaN if the text is not a decimal number, or is beyond the range of a double. */
    public static double parse(String text) {
        double number = isDecimal(text) ? Double.parseDouble(text) : Double.NaN;
        return Double.isFinite(number) ? number : Double.NaN;
    }
}
