package io.kipimo.gateway.config;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names paths of requests. {@code *} is any number of characters within a segment. A whole segment {@code *} is any
 * segment except actions, which begin with {@code _}, such as {@code _update}; {@code _all} is not an action, but an
 * index. At the beginning, {@code *} is up to two segments. Alone, it is every path.
 *
 * @param glob such as {@code *}{@code /_search}
 */
public record PathRule(String glob) {
    static final String ALLOWED =
            "a path with * for characters of a segment, at its beginning for up to two segments, such as */_search";

    private static final Pattern FORM = Pattern.compile("\\*|\\*?/[!-~&&[^?#;%]]*");

    /** Greatest number of segments that {@code *} at the beginning stands for. */
    private static final int MOST_FIRST_SEGMENTS = 2;

    /**
     * A path that two servers could read differently: it has parameters of a segment, dot segments, empty segments or
     * backslashes, or one of their characters, {@code %}, {@code _} or NUL in percent-encoding.
     */
    private static final Pattern AMBIGUOUS = Pattern.compile(";|\\\\|//|/\\.{1,2}(/|$)|%(2e|2f|5c|3b|25|5f|00)");

    static Optional<PathRule> parse(String text) {
        return FORM.matcher(text).matches() ? Optional.of(new PathRule(text)) : Optional.empty();
    }

    /**
     * Whether the rule names the path of a request.
     *
     * @param target path and query
     */
    public boolean matches(String target) {
        String path = target.substring(0, end(target));
        if (AMBIGUOUS.matcher(path.toLowerCase(Locale.ROOT)).find()) {
            return false;
        }
        if (glob.equals("*")) {
            return true;
        }
        String[] parts = (glob.startsWith("*/") ? glob.substring(1) : glob).split("/", -1);
        String[] names = path.split("/", -1);
        // Both begin with what is before the first slash.
        int first = names.length - parts.length;
        if (first < 0 || first > (glob.startsWith("*") ? MOST_FIRST_SEGMENTS : 0)) {
            return false;
        }
        for (int i = 1; i <= first; i++) {
            if (isAction(names[i])) {
                return false;
            }
        }
        for (int i = 1; i < parts.length; i++) {
            String name = names[first + i];
            if (parts[i].equals("*") ? name.isEmpty() || isAction(name) : !isLike(parts[i], name)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAction(String name) {
        return name.startsWith("_") && !name.equals("_all");
    }

    private static boolean isLike(String glob, String name) {
        String[] parts = glob.split("\\*", -1);
        String last = parts[parts.length - 1];
        if (parts.length == 1) {
            return name.equals(glob);
        }
        int from = parts[0].length();
        if (!name.startsWith(parts[0]) || name.length() < from + last.length()) {
            return false;
        }
        for (int i = 1; i < parts.length - 1; i++) {
            int found = name.indexOf(parts[i], from);
            if (found < 0) {
                return false;
            }
            from = found + parts[i].length();
        }
        return name.length() - last.length() >= from && name.endsWith(last);
    }

    private static int end(String target) {
        int query = target.indexOf('?');
        return query < 0 ? target.length() : query;
    }
}
