package io.kipimo.otlp;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Makes spans. Times are milliseconds after {@link #START}. */
final class Spans {
    static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    static final long START = 1_700_000_000_000L;

    private Spans() {}

    static ByteString bytes(String hex) {
        return ByteString.copyFrom(HexFormat.of().parseHex(hex));
    }

    static ByteString id(int number) {
        return bytes("%016x".formatted(number));
    }

    /** A span; parent 0: it is the root. */
    static Span.Builder span(int id, int parent, SpanKind kind, String name, long fromMillis, long toMillis) {
        Span.Builder span = Span.newBuilder()
                .setTraceId(bytes(TRACE))
                .setSpanId(id(id))
                .setKind(kind)
                .setName(name)
                .setStartTimeUnixNano((START + fromMillis) * 1_000_000)
                .setEndTimeUnixNano((START + toMillis) * 1_000_000);
        return parent == 0 ? span : span.setParentSpanId(id(parent));
    }

    static Span.Builder front(long toMillis) {
        return span(1, 0, SpanKind.SPAN_KIND_SERVER, "GET /search", 0, toMillis);
    }

    static Span.Builder call(int id, String component, long fromMillis, long toMillis) {
        return span(id, 1, SpanKind.SPAN_KIND_CLIENT, "GET", fromMillis, toMillis)
                .addAttributes(attribute("kipimo.component", text(component)));
    }

    static KeyValue attribute(String name, AnyValue value) {
        return KeyValue.newBuilder().setKey(name).setValue(value).build();
    }

    static AnyValue text(String text) {
        return AnyValue.newBuilder().setStringValue(text).build();
    }

    static AnyValue number(double number) {
        return AnyValue.newBuilder().setDoubleValue(number).build();
    }

    static AnyValue list(List<AnyValue> values) {
        return AnyValue.newBuilder()
                .setArrayValue(ArrayValue.newBuilder().addAllValues(values))
                .build();
    }

    static KeyValue ids(String... ids) {
        return attribute(SpanItems.IDS, list(Arrays.stream(ids).map(Spans::text).toList()));
    }

    static KeyValue scores(double... scores) {
        return attribute(
                SpanItems.SCORES,
                list(Arrays.stream(scores).mapToObj(Spans::number).toList()));
    }
}
