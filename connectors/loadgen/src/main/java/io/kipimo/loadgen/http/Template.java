package io.kipimo.loadgen.http;

import io.kipimo.loadgen.workload.Seeds;
import io.kipimo.loadgen.workload.Workload;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text with placeholders, which are filled in for each request: <code>{user}</code> is the user's number, <code>
 * {request}</code> the number of the user's request, <code>{random:N}</code> a number below N, <code> {line}</code> a
 * line of the file of lines, <code>{micros}</code> the time in epoch microseconds, and <code>{recorded}</code> the text
 * of the recorded request.
 */
public final class Template {
    private static final String RECORDED = "recorded";
    private static final Pattern PLACE = Pattern.compile("\\{([^}]*)}");
    private static final Pattern RANDOM = Pattern.compile("random:([1-9]\\d{0,17})");

    /**
     * The data that fill the placeholders of one request.
     *
     * @param user number of the user, from 0
     * @param number of the user's request, from 0
     * @param recorded text of the request in a recording; empty: it was not recorded
     */
    public record TemplateRequest(long user, long number, SplittableRandom random, String recorded) {}

    /** A user whose requests come from templates. */
    public abstract static class TemplateUser implements Workload.Session {
        private final long number;
        private final SplittableRandom random;
        private long requests;
        private String recorded = "";

        protected TemplateUser(long number, long seed) {
            this.number = number;
            this.random = Seeds.random(seed, number);
        }

        /** The data for the placeholders of the user's next request. */
        protected final TemplateRequest next() {
            return new TemplateRequest(number, requests++, random, recorded);
        }

        @Override
        public final void recorded(String text) {
            recorded = text;
        }
    }

    /** Fills a placeholder. */
    private interface TemplatePart {
        String text(TemplateRequest request);
    }

    private final List<TemplatePart> parts = new ArrayList<>();

    /**
     * Parses a template.
     *
     * @param lines for <code>{line}</code>; each is encoded as a part of a URL if {@code encoded}
     * @throws IllegalArgumentException for an unknown placeholder, or missing lines
     */
    public Template(String text, List<String> lines, boolean encoded) {
        List<String> filled = encoded
                ? lines.stream()
                        .map(l -> URLEncoder.encode(l, StandardCharsets.UTF_8))
                        .toList()
                : List.copyOf(lines);
        Matcher matcher = PLACE.matcher(text);
        int from = 0;
        while (matcher.find()) {
            constant(text.substring(from, matcher.start()));
            parts.add(part(matcher.group(1), filled, encoded));
            from = matcher.end();
        }
        constant(text.substring(from));
    }

    private void constant(String text) {
        if (!text.isEmpty()) {
            parts.add(request -> text);
        }
    }

    private static TemplatePart part(String place, List<String> lines, boolean encoded) {
        Matcher matcher = RANDOM.matcher(place);
        if (matcher.matches()) {
            long below = Long.parseLong(matcher.group(1));
            return request -> Long.toString(request.random.nextLong(below));
        }
        return switch (place) {
            case "user" -> request -> Long.toString(request.user);
            case "request" -> request -> Long.toString(request.number);
            case "micros" -> request -> Long.toString(System.currentTimeMillis() * 1_000);
            case RECORDED -> encoded ? request -> path(request.recorded) : request -> request.recorded;
            case "line" -> line(lines);
            default ->
                throw new IllegalArgumentException(
                        ("{%s} is not a placeholder; allowed: {user}, {request}, {random:N}, {line}, "
                                        + "{micros}, {recorded}")
                                .formatted(place));
        };
    }

    /**
     * A recorded path without its first slash, which URLs have already. Characters that a URL cannot hold are encoded.
     */
    private static String path(String recorded) {
        StringBuilder path = new StringBuilder();
        for (byte octet : recorded.getBytes(StandardCharsets.UTF_8)) {
            boolean allowed = octet > ' ' && octet < 0x7f && "\"<>\\^`{|}".indexOf(octet) < 0;
            if (allowed && (octet != '/' || path.length() > 0)) {
                path.append((char) octet);
            } else if (!allowed) {
                path.append(String.format(Locale.ROOT, "%%%02X", octet));
            }
        }
        return path.toString();
    }

    private static TemplatePart line(List<String> lines) {
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("{line} needs a file of lines");
        }
        // URLs encode them; a header cannot hold them.
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).chars().anyMatch(c -> c != '\t' && Character.isISOControl(c))) {
                throw new IllegalArgumentException(
                        "line " + (i + 1) + " has a control character; allowed in a header: none but tab");
            }
        }
        return request -> lines.get(request.random.nextInt(lines.size()));
    }

    /** The text of a request. */
    public String fill(TemplateRequest request) {
        StringBuilder text = new StringBuilder();
        for (TemplatePart part : parts) {
            text.append(part.text(request));
        }
        return text.toString();
    }
}
