package io.kipimo.gateway.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Predicate;

/** Parameters of a query string, or of a form in a body. */
public final class Parameters {
    private static final String FORM = "application/x-www-form-urlencoded";

    private Parameters() {}

    /**
     * Whether a body is a form.
     *
     * @param type content type of the body; null: not stated
     */
    public static boolean isForm(String type) {
        return type != null
                && type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(FORM);
    }

    /** The parameters whose names do not match, in their order and with their encoding unchanged. */
    public static String without(String parameters, Predicate<String> names) {
        StringJoiner kept = new StringJoiner("&");
        for (String parameter : parameters.split("&", -1)) {
            if (!parameter.isEmpty() && !names.test(name(parameter))) {
                kept.add(parameter);
            }
        }
        return kept.toString();
    }

    /** A target without the parameters of its query string whose names match. */
    public static String ofTargetWithout(String target, Predicate<String> names) {
        int mark = target.indexOf('?');
        return mark < 0 ? target : target.substring(0, mark + 1) + without(target.substring(mark + 1), names);
    }

    /** The decoded values of a parameter, in their order. */
    public static List<String> values(String parameters, String name) {
        return all(parameters).stream()
                .filter(parameter -> parameter.getKey().equals(name))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** All decoded names and values, in their order. */
    public static List<Map.Entry<String, String>> all(String parameters) {
        List<Map.Entry<String, String>> all = new ArrayList<>();
        for (String parameter : parameters.split("&", -1)) {
            int mark = parameter.indexOf('=');
            if (!parameter.isEmpty()) {
                String value = mark < 0 ? "" : decoded(parameter.substring(mark + 1));
                all.add(Map.entry(name(parameter), value));
            }
        }
        return all;
    }

    private static String name(String parameter) {
        return decoded(parameter.split("=", 2)[0]);
    }

    /** Decodes the percent-encoding of a text. A text that is not encoded correctly stays as it is. */
    public static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
