package io.kipimo.loadgen.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text with placeholders, filled in for each request: <code>{user}</code> the user's number, <code>
 *  {request}</code> the number of the user's request, <code>{random:N}</code> a number below N,
 * <code> {line}</code> a line of the file of lines, <code>{micros}</code> the time, epoch
 * microseconds.
 */
public final class Template {
    private static final Pattern PLACE = Pattern.compile("\\{([^}]*)}");
    private static final Pattern RANDOM = Pattern.compile("random:([1-9]\\d{0,17})");

    /** Fills a placeholder. */
    private interface Part {
        String text(long user, long request, SplittableRandom random);
    }

    private final List<Part> parts = new ArrayList<>();

    /**
     * @param lines for <code>{line}</code>; each is encoded as a part of a URL if {@code encoded}
     * @throws IllegalArgumentException for an unknown placeholder, or missing lines
     */
    public Template(String text, List<String> lines, boolean encoded) {
        List<String> filled =
                encoded
                        ? lines.stream()
                                .map(l -> URLEncoder.encode(l, StandardCharsets.UTF_8))
                                .toList()
                        : List.copyOf(lines);
        Matcher matcher = PLACE.matcher(text);
        int from = 0;
        while (matcher.find()) {
            constant(text.substring(from, matcher.start()));
            parts.add(part(matcher.group(1), filled));
            from = matcher.end();
        }
        constant(text.substring(from));
    }

    private void constant(String text) {
        if (!text.isEmpty()) {
            parts.add((user, request, random) -> text);
        }
    }

    private static Part part(String place, List<String> lines) {
        Matcher matcher = RANDOM.matcher(place);
        if (matcher.matches()) {
            long below = Long.parseLong(matcher.group(1));
            return (user, request, random) -> Long.toString(random.nextLong(below));
        }
        return switch (place) {
            case "user" -> (user, request, random) -> Long.toString(user);
            case "request" -> (user, request, random) -> Long.toString(request);
            case "micros" ->
                    (user, request, random) -> Long.toString(System.currentTimeMillis() * 1_000);
            case "line" -> line(lines);
            default ->
                    throw new IllegalArgumentException(
                            "{"
                                    + place
                                    + "} is not a placeholder; allowed: {user}, {request}, {random:N},"
                                    + " {line}, {micros}");
        };
    }

    private static Part line(List<String> lines) {
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("{line} needs a file of lines");
        }
        // URLs encode them; a header cannot hold them.
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).chars().anyMatch(c -> c != '\t' && Character.isISOControl(c))) {
                throw new IllegalArgumentException(
                        "line "
                                + (i + 1)
                                + " has a control character; allowed in a header: none but tab");
            }
        }
        return (user, request, random) -> lines.get(random.nextInt(lines.size()));
    }

    /** The text of a request; {@code user} and {@code request} count from 0. */
    public String fill(long user, long request, SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            text.append(part.text(user, request, random));
        }
        return text.toString();
    }
}
