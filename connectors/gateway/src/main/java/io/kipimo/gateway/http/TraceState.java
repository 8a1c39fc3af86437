package io.kipimo.gateway.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The header {@code tracestate} (W3C Trace Context, level 2, sec. 3.3), with Kipimo's entry. Read
 * strictly: around entries only spaces and tabs are blank, so that nobody behind finds an entry
 * that was not seen here. Services that pass the trace context on carry the entry to every
 * component, and so queries never mix.
 *
 * @param entries {@code key=value}, the newest first
 */
public record TraceState(List<String> entries) {
    public static final String HEADER = "tracestate";
    public static final TraceState EMPTY = new TraceState(List.of());

    private static final String KEY = "kipimo=";
    private static final int MOST_ENTRIES = 32;
    private static final Pattern ENTRY =
            Pattern.compile(
                    "[a-z0-9][a-z0-9_*/@-]{0,255}="
                            + "[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{0,255}"
                            + "[\\x21-\\x2b\\x2d-\\x3c\\x3e-\\x7e]");

    public TraceState {
        entries = List.copyOf(entries);
    }

    /** Reads the header's lines; empty if they are not of its form. */
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

    /** Values of Kipimo's entries; more than one is none of ours. */
    public List<String> own() {
        return entries.stream()
                .filter(entry -> entry.startsWith(KEY))
                .map(entry -> entry.substring(KEY.length()))
                .toList();
    }

    /** Without Kipimo's entries. */
    public TraceState without() {
        return new TraceState(entries.stream().filter(e -> !e.startsWith(KEY)).toList());
    }

    /** With one of Kipimo's, the newest; if there are too many then, the oldest goes. */
    public TraceState with(String value) {
        List<String> all = new ArrayList<>();
        all.add(KEY + value);
        all.addAll(without().entries());
        return new TraceState(all.subList(0, Math.min(all.size(), MOST_ENTRIES)));
    }

    /** As one line; empty without entries. */
    public String format() {
        return String.join(",", entries);
    }
}
