package io.kipimo.sdk.internal.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The directives of {@code Cache-Control} (RFC 9111, sec. 5.2), of requests and responses. An unclear directive makes a
 * response stale: one with two values, or with a value that should be a number and is not.
 */
public final class CacheDirectives {
    /** Greatest number of seconds; more counts as this (RFC 9111, sec. 1.2.2). */
    public static final long MOST_SECONDS = 1L << 31;

    private final Map<String, List<String>> arguments = new HashMap<>();
    private final boolean isWhole;

    private CacheDirectives(FieldList list) {
        isWhole = list.isWhole();
        for (String member : list.members()) {
            int equals = member.indexOf('=');
            String name = equals < 0 ? member : member.substring(0, equals);
            arguments
                    .computeIfAbsent(name.toLowerCase(Locale.ROOT), n -> new ArrayList<>())
                    .add(equals < 0 ? "" : FieldList.unquoted(member.substring(equals + 1)));
        }
    }

    /** @param lines values of all lines of the field */
    public static CacheDirectives of(List<String> lines) {
        return new CacheDirectives(FieldList.of(lines));
    }

    /** Whether a directive is present, with an argument or without. */
    public boolean has(String name) {
        return arguments.containsKey(name);
    }

    /** Whether a stored answer must not be reused without asking the origin. */
    public boolean forbidReuse() {
        return forbidStorage() || has("no-cache");
    }

    /** Whether no copy may be kept. True also if a quoted string does not end, as it may hide {@code no-store}. */
    public boolean forbidStorage() {
        return has("no-store") || !isWhole;
    }

    /**
     * Seconds of a directive, 0..2^31.
     *
     * @return empty: the directive is not present; 0: it has different values, or an invalid one
     */
    public OptionalLong seconds(String name) {
        List<String> values = arguments.getOrDefault(name, List.of());
        if (values.isEmpty()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(
                values.stream().distinct().count() > 1
                        ? 0
                        : number(values.get(0)).orElse(0));
    }

    /**
     * The first number of seconds in the lines of a field such as {@code Age}, 0..2^31.
     *
     * @return empty: there is none, or the first member is no number
     */
    public static OptionalLong firstSeconds(List<String> lines) {
        List<String> members = FieldList.of(lines).members();
        return members.isEmpty() ? OptionalLong.empty() : number(members.get(0));
    }

    private static OptionalLong number(String text) {
        if (!text.matches("[0-9]+")) {
            return OptionalLong.empty();
        }
        String digits = text.replaceFirst("^0+(?=.)", "");
        return OptionalLong.of(digits.length() > 10 ? MOST_SECONDS : Math.min(MOST_SECONDS, Long.parseLong(digits)));
    }
}
