package io.kipimo.cli.terminal;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses durations in options, such as 45s, 30m, 2h and 1d. */
public final class TimeSpan {
    private static final Pattern FORM = Pattern.compile("(\\d{1,6})([smhd])");
    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "s", ChronoUnit.SECONDS,
            "m", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS,
            "d", ChronoUnit.DAYS);

    private TimeSpan() {}

    /**
     * @param option name of the option, for the message
     * @throws InputException if the text is not a positive duration
     */
    public static Duration parse(String option, String text) {
        return parse(option, text, "");
    }

    /**
     * Parses a duration like {@link #parse(String, String)}, for an option that allows other values, too.
     *
     * @param alsoAllowed text with the other values, for the message, such as " or cleared"
     */
    public static Duration parse(String option, String text, String alsoAllowed) {
        Matcher matcher = FORM.matcher(text);
        InputException.throwIf(
                !matcher.matches() || Long.parseLong(matcher.group(1)) == 0,
                option + " is '" + text + "'; allowed: 45s, 30m, 2h, 1d" + alsoAllowed);
        return UNITS.get(matcher.group(2)).getDuration().multipliedBy(Long.parseLong(matcher.group(1)));
    }
}
