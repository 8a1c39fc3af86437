package io.kipimo.sdk.internal.http;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A date in one of the three forms that recipients must read (RFC 9110, sec. 5.6.7). */
public final class HttpDate {
    /** The day of the week, its separator, which tells the form, and the rest of the date. */
    private static final Pattern DAY = Pattern.compile("(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)([a-z]*)(, ?| )(.*)");

    private static final DateTimeFormatter IMF = form("dd MMM uuuu HH:mm:ss 'GMT'");
    private static final DateTimeFormatter ASCTIME = form("MMM ppd HH:mm:ss uuuu");

    private HttpDate() {}

    private static DateTimeFormatter form(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.US).withResolverStyle(ResolverStyle.STRICT);
    }

    /** The form of RFC 850, whose year has two digits and is at most 50 years ahead. */
    private static DateTimeFormatter rfc850(int year) {
        return new DateTimeFormatterBuilder()
                .appendPattern("dd-MMM-")
                .appendValueReduced(ChronoField.YEAR, 2, 2, year - 49)
                .appendPattern(" HH:mm:ss 'GMT'")
                .toFormatter(Locale.US)
                .withResolverStyle(ResolverStyle.STRICT);
    }

    /**
     * Seconds since 1970.
     *
     * @param nowEpochMillis tells the century of years with two digits
     * @return empty: it is not a date
     */
    public static OptionalLong epochSeconds(String text, long nowEpochMillis) {
        Matcher day = DAY.matcher(text.strip());
        if (!day.matches()) {
            return OptionalLong.empty();
        }
        int year = LocalDateTime.ofEpochSecond(Math.floorDiv(nowEpochMillis, 1000), 0, ZoneOffset.UTC)
                .getYear();
        List<DateTimeFormatter> forms = day.group(2).equals(" ") ? List.of(ASCTIME) : List.of(IMF, rfc850(year));
        for (DateTimeFormatter form : forms) {
            try {
                return OptionalLong.of(LocalDateTime.parse(day.group(3), form).toEpochSecond(ZoneOffset.UTC));
            } catch (DateTimeException e) {
                // Perhaps another form.
            }
        }
        return OptionalLong.empty();
    }
}
