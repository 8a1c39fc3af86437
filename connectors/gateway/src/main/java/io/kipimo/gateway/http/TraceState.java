package io.kipimo.gateway.http;

import java.util.ArrayList;
import java.util.List;

/**
 * Kipimo's entry in the header {@code tracestate} (W3C Trace Context, sec. 3.3): {@code
 * kipimo=replay} on requests of a query that is run once more. Services that pass the trace context
 * on carry it to every component, and so queries never mix.
 */
public final class TraceState {
    public static final String HEADER = "tracestate";

    private static final String KEY = "kipimo=";
    private static final String REPLAY = KEY + "replay";

    private TraceState() {}

    /** Whether the request is of a replay. */
    public static boolean isReplay(List<String> headers) {
        return entries(headers).contains(REPLAY);
    }

    /** The header's value with the entry of a replay, which comes first as the newest. */
    public static String replay(List<String> headers) {
        List<String> entries = new ArrayList<>();
        entries.add(REPLAY);
        entries.addAll(others(headers));
        return String.join(",", entries);
    }

    /** The header's value without Kipimo's entry; empty: no header is left. */
    public static String without(List<String> headers) {
        return String.join(",", others(headers));
    }

    private static List<String> others(List<String> headers) {
        return entries(headers).stream().filter(entry -> !entry.startsWith(KEY)).toList();
    }

    private static List<String> entries(List<String> headers) {
        List<String> entries = new ArrayList<>();
        for (String header : headers) {
            for (String entry : header.split(",", -1)) {
                if (!entry.isBlank()) {
                    entries.add(entry.strip());
                }
            }
        }
        return entries;
    }
}
