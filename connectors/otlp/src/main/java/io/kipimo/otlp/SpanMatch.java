package io.kipimo.otlp;

import io.kipimo.schemas.document.TextPattern;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Conditions on a span, all of which must hold.
 *
 * @param kinds allowed kinds; empty: any
 * @param names patterns, one of which must match the span's name; empty: any name
 * @param attributes attributes that must exist, each with patterns, one of which must match its value
 */
public record SpanMatch(
        Set<MatchedSpanKind> kinds, List<TextPattern> names, Map<String, List<TextPattern>> attributes) {
    /** Kinds of spans, in OpenTelemetry's order. */
    public enum MatchedSpanKind {
        UNSPECIFIED,
        INTERNAL,
        SERVER,
        CLIENT,
        PRODUCER,
        CONSUMER
    }

    /**
     * Tells whether a span fulfils all conditions.
     *
     * @param attribute finds the text of a span's attribute
     */
    public boolean matches(MatchedSpanKind kind, String name, Function<String, Optional<String>> attribute) {
        return (kinds.isEmpty() || kinds.contains(kind))
                && (names.isEmpty() || names.stream().anyMatch(one -> one.matches(name)))
                && attributes.entrySet().stream().allMatch(wanted -> attribute
                        .apply(wanted.getKey())
                        .filter(value -> anyMatches(wanted, value))
                        .isPresent());
    }

    private static boolean anyMatches(Map.Entry<String, List<TextPattern>> wanted, String value) {
        return wanted.getValue().stream().anyMatch(one -> one.matches(value));
    }
}
