package io.kipimo.cli.terminal;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as people type them: 45s, 30m, 2h, 1d. */
public final class Lengths {
    private static final Pattern LENGTH = Pattern.compile("(\\d{1,6})([smhd])");
    private static final Map<String, ChronoUnit> UNITS =
            Map.of(
                    "s", ChronoUnit.SECONDS,
                    "m", ChronoUnit.MINUTES,
                    "h", ChronoUnit.HOURS,
                    "d", ChronoUnit.DAYS);

    private Lengths() {}

    /**
     * Above zero.
     *
     * @param option whose value it is, for the message
     * @param alsoAllowed what the option takes beside lengths, such as " or cleared"
     * @throws InputException if it is none
     */
    public static Duration parse(String option, String text, String alsoAllowed) {
        Matcher matcher = LENGTH.matcher(text);
        if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
            throw new InputException(
                    option + " is '" + text + "'; allowed: 45s, 30m, 2h, 1d" + alsoAllowed);
        }
        return UNITS.get(matcher.group(2))
                .getDuration()
                .multipliedBy(Long.parseLong(matcher.group(1)));
    }
}
