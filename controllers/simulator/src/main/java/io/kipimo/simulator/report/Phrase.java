package io.kipimo.simulator.report;

import java.util.Locale;

/** Formats texts with figures, in the same way on every machine. */
public final class Phrase {
    private Phrase() {}

    /** Formats as {@link String#format} does, but with a point before decimals whatever the machine's language. */
    public static String of(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
