package io.kipimo.schemas.field;

import java.util.regex.Pattern;

/**
 * Numbers as people and other programs write them: decimal ASCII digits, with a point and an exponent if need be. Java
 * also reads {@code 1d}, {@code 0x1p3} and {@code Infinity}, which in another program's text are another thing.
 */
public final class Decimals {
    private static final Pattern FORM = Pattern.compile("[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?");
    private static final int LONGEST = 400;

    private Decimals() {}

    /** Whether the text is such a number; it may be too large for a double. */
    public static boolean isDecimal(String text) {
        return text.length() <= LONGEST && FORM.matcher(text).matches();
    }

    /** The number; NaN if the text is none, or is beyond the range of a double. */
    public static double parse(String text) {
        double number = isDecimal(text) ? Double.parseDouble(text) : Double.NaN;
        return Double.isFinite(number) ? number : Double.NaN;
    }
}
