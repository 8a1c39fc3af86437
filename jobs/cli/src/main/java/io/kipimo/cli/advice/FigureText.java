package io.kipimo.cli.advice;

import io.kipimo.schemas.quality.Estimate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Formats figures for people. */
public final class FigureText {
    private FigureText() {}

    /** Formats a quality or an objective, 0..1. */
    public static String fraction(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    public static String interval(Estimate estimate) {
        return fraction(estimate.low()) + ".." + fraction(estimate.high());
    }

    /** Formats a share, 0..1, in percent. */
    public static String share(double value) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * value);
    }

    /** Formats milliseconds, with one decimal if they are below 10. */
    public static String millis(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.1f ms" : "%.0f ms", value);
    }

    /** Formats a duration in the notation of options: 45s, 5m, 1h. */
    public static String span(long millis) {
        Duration span = Duration.ofMillis(millis);
        if (span.toSeconds() % 60 != 0 || span.toSeconds() == 0) {
            return span.toSeconds() + "s";
        }
        return span.toMinutes() % 60 == 0 ? span.toHours() + "h" : span.toMinutes() + "m";
    }

    public static String time(long epochMillis) {
        return Instant.ofEpochMilli(epochMillis).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Formats NOT_ENOUGH as NOT-ENOUGH. */
    public static String verdict(String constant) {
        return constant.replace('_', '-');
    }
}
