package io.kipimo.gateway.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The header {@code tracestate} (W3C Trace Context, level 2, sec. 3.3), with Kipimo's entry. Parsing is strict: only
 * spaces and tabs count as blanks around entries, so that no server behind the gateway finds an entry that the gateway
 * missed. Services that propagate the trace context forward the entry to every component, so queries never mix.
 *
 * @param entries {@code key=value}, the newest first
 */
public record TraceState(List<String> entries) {
    public static final String HEADER = "tracestate";
    public static final TraceState EMPTY = new TraceState(List.of());

    private static final String KEY = "kipimo=";
    private static final int MOST_ENTRIES = 32;
    private static final Pattern ENTRY = Pattern.compile("[a-z0-9][a-z0-9_*/@-]{0,255}="
            + "[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{0,255}"
            + "[\\x21-\\x2b\\x2d-\\x3c\\x3e-\\x7e]");

    public TraceState {
        entries = List.copyOf(entries);
    }

    /** Parses the header's lines; empty if they are malformed. */
    public static Optional<TraceState> parse(List<String> lines) {
        List<String> entries = new ArrayList<>();
        for (String part : String.join(",", lines).split(",", -1)) {
            String entry = trim(part);
            if (entry.isEmpty()) {
                continue;
            }
            if (!ENTRY.matcher(entry).matches() || entries.size() == MOST_ENTRIES) {
                return Optional.empty();
            }
            entries.add(entry);
        }
        return Optional.of(new TraceState(entries));
    }

    private static String trim(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && isBlank(text.charAt(start))) {
            start++;
        }
        while (end > start && isBlank(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    /** Values of Kipimo's entries. The gateways write one only, so several are a forgery. */
    public List<String> own() {
        return entries.stream()
                .filter(entry -> entry.startsWith(KEY))
                .map(entry -> entry.substring(KEY.length()))
                .toList();
    }

    /** A copy without Kipimo's entries. */
    public TraceState without() {
        return new TraceState(entries.stream().filter(e -> !e.startsWith(KEY)).toList());
    }

    /**
     * A copy with this value as Kipimo's only entry, in the first place. The oldest entry is removed if there are too
     * many.
     */
    public TraceState with(String value) {
        List<String> all = new ArrayList<>();
        all.add(KEY + value);
        all.addAll(without().entries());
        return new TraceState(all.subList(0, Math.min(all.size(), MOST_ENTRIES)));
    }

    /** The header's value as one line; empty without entries. */
    public String format() {
        return String.join(",", entries);
    }
}
