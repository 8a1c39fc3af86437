package io.kipimo.otlp;

import com.google.protobuf.ByteString;
import io.kipimo.schemas.document.TextPattern;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A span of a trace.
 *
 * @param service attribute {@code service.name} of the span's resource; empty: it has none
 */
record ReceivedSpan(String service, Span span) {
    /** Attributes with HTTP status codes, of the current and of the former semantic conventions. */
    private static final List<String> HTTP_STATUS = List.of("http.response.status_code", "http.status_code");

    /** Attributes with status codes of gRPC, as numbers or names. Envoy writes names. */
    private static final List<String> GRPC_STATUS =
            List.of("rpc.grpc.status_code", "grpc.status_code", "rpc.response.status_code");

    /** Number of heap objects of a span without attributes. */
    private static final int OBJECTS = 10;

    private static final int OBJECT_BYTES = 64;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private static final List<String> GRPC_OK = List.of("0", "OK");

    /** Texts that stand for no status. A proxy without a status writes a dash. */
    private static final List<String> NOTHING = List.of("", "-");

    private static final Pattern SUCCESS = Pattern.compile("\\s*2\\d\\d\\b.*");
    private static final long LARGEST_EXACT = 1L << 53;

    /** The event that replaces a span's exceptions, because only their existence matters. */
    private static final Span.Event EXCEPTION =
            Span.Event.newBuilder().setName("exception").build();

    /**
     * Creates a span without events and links, which rules cannot name. Keeps only the fact that there was an
     * exception.
     */
    static ReceivedSpan of(String service, Span span) {
        if (span.getEventsCount() == 0 && span.getLinksCount() == 0) {
            return new ReceivedSpan(service, span);
        }
        Span.Builder kept = span.toBuilder().clearEvents().clearLinks();
        if (span.getEventsList().stream().anyMatch(event -> event.getName().equals(EXCEPTION.getName()))) {
            kept.addEvents(EXCEPTION);
        }
        return new ReceivedSpan(service, kept.build());
    }

    /** End of the span, epoch milliseconds. */
    long endMillis() {
        return endNanos() / NANOS_PER_MILLI;
    }

    /** Estimated size of the span on the heap, bytes. A small value takes many times as much memory as on the wire. */
    long heldBytes() {
        long objects = OBJECTS;
        for (KeyValue attribute : span.getAttributesList()) {
            objects += objects(attribute.getValue());
        }
        return span.getSerializedSize() + objects * OBJECT_BYTES;
    }

    private static long objects(AnyValue value) {
        long objects = 2;
        for (AnyValue one : value.getArrayValue().getValuesList()) {
            objects += objects(one);
        }
        for (KeyValue one : value.getKvlistValue().getValuesList()) {
            objects += objects(one.getValue());
        }
        return objects;
    }

    ByteString id() {
        return span.getSpanId();
    }

    /**
     * Id of the parent span; empty if there is none. An id of zeros counts as no id, as everywhere in OpenTelemetry.
     */
    ByteString parent() {
        return isZero(span.getParentSpanId()) ? ByteString.EMPTY : span.getParentSpanId();
    }

    boolean isRoot() {
        return parent().isEmpty();
    }

    /** Tells whether an id has only zero bytes. */
    static boolean isZero(ByteString id) {
        for (int i = 0; i < id.size(); i++) {
            if (id.byteAt(i) != 0) {
                return false;
            }
        }
        return true;
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

    /**
     * Tells whether the span has an error: by its status, an HTTP status code outside 2xx, a gRPC status code other
     * than OK, or the tag of OpenTracing. Proxies and converters write all of these as texts.
     */
    boolean isFailed() {
        return span.getStatus().getCode() == StatusCode.STATUS_CODE_ERROR
                || status(HTTP_STATUS)
                        .filter(code -> !SUCCESS.matcher(code).matches())
                        .isPresent()
                || status(GRPC_STATUS).filter(code -> !GRPC_OK.contains(code)).isPresent()
                || text("otel.status_code").filter("ERROR"::equals).isPresent()
                || text("error").filter("true"::equalsIgnoreCase).isPresent();
    }

    /** Tells whether the span recorded an exception, which the program may have handled. */
    boolean hasException() {
        return span.getEventsCount() > 0;
    }

    private Optional<String> status(List<String> names) {
        return names.stream()
                .flatMap(name -> text(name).stream())
                .map(code -> code.strip().toUpperCase(Locale.ROOT))
                .filter(code -> !NOTHING.contains(code))
                .findFirst();
    }

    boolean matches(SpanMatch rule) {
        int kind = span.getKindValue();
        SpanMatch.MatchedSpanKind[] kinds = SpanMatch.MatchedSpanKind.values();
        return rule.matches(
                kind >= 0 && kind < kinds.length ? kinds[kind] : SpanMatch.MatchedSpanKind.UNSPECIFIED,
                span.getName(),
                this::text);
    }

    /** Tells whether one of these attributes has a value that one of its patterns matches. */
    boolean hasAny(Map<String, List<TextPattern>> signs) {
        return signs.entrySet().stream().anyMatch(sign -> attribute(sign.getKey()).stream()
                .flatMap(value -> values(value).stream())
                .flatMap(value -> text(value).stream())
                .anyMatch(value -> sign.getValue().stream().anyMatch(p -> p.matches(value))));
    }

    Optional<AnyValue> attribute(String name) {
        for (KeyValue one : span.getAttributesList()) {
            if (one.getKey().equals(name)) {
                return Optional.of(one.getValue());
            }
        }
        return Optional.empty();
    }

    /** An attribute as text; empty if it does not exist, or is not a single value. */
    Optional<String> text(String name) {
        return attribute(name).flatMap(ReceivedSpan::text);
    }

    /**
     * Converts a single value to text, or the only value of a list, such as a request header. A number has the same
     * text whether it was sent as an integer or as a floating-point number.
     */
    static Optional<String> text(AnyValue value) {
        return switch (value.getValueCase()) {
            case STRING_VALUE -> Optional.of(value.getStringValue());
            case INT_VALUE -> Optional.of(Long.toString(value.getIntValue()));
            case DOUBLE_VALUE -> Optional.of(text(value.getDoubleValue()));
            case BOOL_VALUE -> Optional.of(Boolean.toString(value.getBoolValue()));
            case BYTES_VALUE -> Optional.of(hex(value.getBytesValue()));
            case ARRAY_VALUE ->
                value.getArrayValue().getValuesCount() == 1
                        ? text(value.getArrayValue().getValues(0))
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    static String text(double number) {
        return number == Math.rint(number) && Math.abs(number) < LARGEST_EXACT
                ? Long.toString((long) number)
                : Double.toString(number);
    }

    /** The values of a list, or the value itself. */
    static List<AnyValue> values(AnyValue value) {
        return value.hasArrayValue() ? value.getArrayValue().getValuesList() : List.of(value);
    }
}
