package io.kipimo.gateway.config;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names paths of requests, with {@code *} for any number of any characters.
 *
 * @param glob such as {@code *}{@code /_search}
 */
public record PathRule(String glob) {
    static final String ALLOWED = "a path with * for any characters, such as */_search";

    private static final Pattern FORM = Pattern.compile("[/*][!-~&&[^?#;%]]*");

    /**
     * A path that two servers could read differently: with parameters of a segment, dot segments, empty segments, or
     * any of these in percent-encoding.
     */
    private static final Pattern AMBIGUOUS = Pattern.compile(";|\\\\|//|/\\.{1,2}(/|$)|%(2e|2f|5c|3b|25|00)");

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
        String[] parts = glob.split("\\*", -1);
        String last = parts[parts.length - 1];
        if (parts.length == 1) {
            return path.equals(glob);
        }
        int from = parts[0].length();
        if (!path.startsWith(parts[0]) || path.length() < from + last.length()) {
            return false;
        }
        for (int i = 1; i < parts.length - 1; i++) {
            int found = path.indexOf(parts[i], from);
            if (found < 0) {
                return false;
            }
            from = found + parts[i].length();
        }
        return path.length() - last.length() >= from && path.endsWith(last);
    }

    private static int end(String target) {
        int query = target.indexOf('?');
        return query < 0 ? target.length() : query;
    }
}
