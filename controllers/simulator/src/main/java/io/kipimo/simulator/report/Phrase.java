package io.kipimo.simulator.report;

import java.util.Locale;

/** Figures in words. */
public final class Phrase {
    private Phrase() {}

    /** As {@link String#format}, with a point before decimals whatever the machine's language. */
    public static String of(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
