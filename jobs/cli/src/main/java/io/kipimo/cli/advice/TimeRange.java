package io.kipimo.cli.advice;

import io.kipimo.cli.terminal.InputException;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * A time range as given in options.
 *
 * @param fromMillis epoch milliseconds
 * @param untilMillis exclusive
 */
public record TimeRange(long fromMillis, long untilMillis) {
    /** The unbounded range. */
    static final TimeRange ALWAYS = new TimeRange(0, Long.MAX_VALUE);

    public TimeRange {
        InputException.throwIf(
                fromMillis >= untilMillis,
                "time range is from %s to %s; allowed: one that ends after it starts"
                        .formatted(FigureText.time(fromMillis), FigureText.time(untilMillis)));
    }

    /**
     * Parses a time: {@code 2026-05-01T12:00:00Z}, or {@code now}.
     *
     * @param option name of the option, for the message
     */
    public static long moment(String option, String text, long nowMillis) {
        if (text.equals("now")) {
            return nowMillis;
        }
        try {
            return Instant.parse(text).toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw new InputException(
                    option + " is '" + text + "'; allowed: a time such as 2026-05-01T12:00:00Z, or now");
        }
    }
}
