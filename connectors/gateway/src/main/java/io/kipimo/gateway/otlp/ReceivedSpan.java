package io.kipimo.gateway.otlp;

import com.google.protobuf.ByteString;
import io.kipimo.gateway.config.SpanMatch;
import io.kipimo.gateway.config.TextPattern;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A span of a trace.
 *
 * @param service attribute {@code service.name} of its resource; empty: it has none
 */
record ReceivedSpan(String service, Span span) {
    private static final List<String> STATUS_CODES =
            List.of("http.response.status_code", "http.status_code");

    /** Keeps of a span what rules can name. */
    static ReceivedSpan of(String service, Span span) {
        return new ReceivedSpan(
                service,
                span.getEventsCount() == 0 && span.getLinksCount() == 0
                        ? span
                        : span.toBuilder().clearEvents().clearLinks().build());
    }

    ByteString id() {
        return span.getSpanId();
    }

    ByteString parent() {
        return span.getParentSpanId();
    }

    boolean isRoot() {
        return parent().isEmpty();
    }

    String traceId() {
        return hex(span.getTraceId());
    }

    static String hex(ByteString id) {
        return HexFormat.of().formatHex(id.toByteArray());
    }

    long startNanos() {
        return span.getStartTimeUnixNano();
    }

    long endNanos() {
        return span.getEndTimeUnixNano();
    }

    /** An error according to the span's status, or an HTTP status outside 2xx. */
    boolean isFailed() {
        if (span.getStatus().getCode() == StatusCode.STATUS_CODE_ERROR) {
            return true;
        }
        for (String name : STATUS_CODES) {
            Optional<AnyValue> status = attribute(name);
            if (status.isPresent()) {
                return status.get().getIntValue() < 200 || status.get().getIntValue() > 299;
            }
        }
        return false;
    }

    boolean matches(SpanMatch rule) {
        int kind = span.getKindValue();
        SpanMatch.Kind[] kinds = SpanMatch.Kind.values();
        return rule.matches(
                kind >= 0 && kind < kinds.length ? kinds[kind] : SpanMatch.Kind.UNSPECIFIED,
                span.getName(),
                this::text);
    }

    /** Whether one of the attributes has a value that one of its patterns matches. */
    boolean hasAny(Map<String, List<TextPattern>> signs) {
        return signs.entrySet().stream()
                .anyMatch(
                        sign ->
                                text(sign.getKey())
                                        .filter(
                                                value ->
                                                        sign.getValue().stream()
                                                                .anyMatch(p -> p.matches(value)))
                                        .isPresent());
    }

    Optional<AnyValue> attribute(String name) {
        for (KeyValue one : span.getAttributesList()) {
            if (one.getKey().equals(name)) {
                return Optional.of(one.getValue());
            }
        }
        return Optional.empty();
    }

    /** An attribute as text; empty: it does not exist, or is not a single value. */
    Optional<String> text(String name) {
        return attribute(name).flatMap(ReceivedSpan::text);
    }

    static Optional<String> text(AnyValue value) {
        return switch (value.getValueCase()) {
            case STRING_VALUE -> Optional.of(value.getStringValue());
            case INT_VALUE -> Optional.of(Long.toString(value.getIntValue()));
            case DOUBLE_VALUE -> Optional.of(Double.toString(value.getDoubleValue()));
            case BOOL_VALUE -> Optional.of(Boolean.toString(value.getBoolValue()));
            default -> Optional.empty();
        };
    }
}
