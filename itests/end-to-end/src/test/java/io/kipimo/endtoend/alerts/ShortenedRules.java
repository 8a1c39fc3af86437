package io.kipimo.endtoend.alerts;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The alert rules, with times that are short enough for a test. */
final class ShortenedRules {
    private static final Pattern ALERT = Pattern.compile("(?m)^ *- alert: (\\w+)$");

    /** Replacements for the rules' ranges and thresholds. */
    private static final Map<String, String> TIMES = Map.of(
            "[10m]",
            "[20s]",
            "offset 10m",
            "offset 20s",
            "[30m]",
            "[90s]",
            "[6h]",
            "[2m]",
            "[3d]",
            "[3m]",
            // Longer than events are waited for.
            "> 120000",
            "> 20000",
            "> 900000",
            "> 15000",
            "_seconds) > 120",
            "_seconds) > 10");

    private ShortenedRules() {}

    /** @throws IllegalArgumentException if the rules no longer contain one of the times */
    static String of(String rules) {
        String shortened = rules.replaceAll("(?m)^( *for: )\\w+$", "$16s");
        for (Map.Entry<String, String> time : TIMES.entrySet()) {
            if (!shortened.contains(time.getKey())) {
                throw new IllegalArgumentException("no rule has '" + time.getKey() + "'");
            }
            shortened = shortened.replace(time.getKey(), time.getValue());
        }
        return shortened;
    }

    /** Names of all alerts. */
    static List<String> alerts(String rules) {
        Matcher alert = ALERT.matcher(rules);
        return alert.results().map(found -> found.group(1)).toList();
    }
}
