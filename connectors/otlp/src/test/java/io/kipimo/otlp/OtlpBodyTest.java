package io.kipimo.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtlpBodyTest {
    private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final int SIZE = OtlpReceiver.LARGEST_BODY;

    /** A tenth of what the parts would become: 8 million objects of at least 100 bytes. */
    private static final long MOST_ALLOCATED = 80L << 20;

    /** A field with a message in it, number below 16. */
    private static byte[] field(int number, byte[] content) {
        try {
            ByteString.Output bytes = ByteString.newOutput();
            CodedOutputStream out = CodedOutputStream.newInstance(bytes);
            out.writeByteArray(number, content);
            out.flush();
            return bytes.toByteString().toByteArray();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Empty messages of a field, two bytes each. */
    private static byte[] empty(int number, int bytes) {
        byte[] many = new byte[bytes / 2 * 2];
        for (int i = 0; i < many.length; i += 2) {
            many[i] = (byte) (number << 3 | 2);
        }
        return many;
    }

    private static byte[] spans(byte[] spans) {
        return field(1, field(2, spans));
    }

    /** 8 million spans of nothing, which are 15.6 kB of gzip. */
    static byte[] emptySpans() {
        return spans(empty(2, SIZE - 100));
    }

    private record Contents(List<ReceivedSpan> spans, List<String> unreadable) implements OtlpBody.BodyContents {
        @Override
        public void span(ReceivedSpan span) {
            spans.add(span);
        }

        @Override
        public void unreadable(String problem) {
            unreadable.add(problem);
        }
    }

    private static Contents read(OtlpBody format, byte[] body) throws IOException {
        Contents contents = new Contents(new ArrayList<>(), new ArrayList<>());
        format.read(body, contents);
        return contents;
    }

    private static void refused(OtlpBody format, byte[] body) {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> read(format, body)).isInstanceOf(OtlpBody.TooManyPartsException.class);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(MOST_ALLOCATED);
    }

    @Test
    void partsAreCountedBeforeAnythingIsMadeOfThem() {
        refused(OtlpBody.PROTOBUF, emptySpans());
        // Resources, scopes, attributes, events, links, elements of a list, fields of an object.
        refused(OtlpBody.PROTOBUF, empty(1, SIZE));
        refused(OtlpBody.PROTOBUF, field(1, empty(2, SIZE)));
        for (int number : new int[] {9, 11, 13}) {
            refused(OtlpBody.PROTOBUF, spans(field(2, empty(number, SIZE))));
        }
        byte[] list = field(2, field(5, empty(1, SIZE)));
        refused(OtlpBody.PROTOBUF, spans(field(2, field(9, list))));
        byte[] object = field(2, field(6, empty(1, SIZE)));
        refused(OtlpBody.PROTOBUF, spans(field(2, field(9, object))));
        // Attributes of a resource, and unknown fields.
        refused(OtlpBody.PROTOBUF, field(1, field(1, empty(1, SIZE))));
        refused(OtlpBody.PROTOBUF, spans(field(2, empty(14, SIZE))));
    }

    @Test
    void messagesThatNestTooDeepAreRefused() {
        byte[] value = field(1, new byte[] {'x'});
        for (int depth = 0; depth < 20_000; depth++) {
            value = depth < 300 ? field(5, field(1, value)) : value;
        }
        refused(OtlpBody.PROTOBUF, spans(field(2, field(9, field(2, value)))));
    }

    private static byte[] json(String start, String part, String end, int bytes) {
        int parts = (bytes - start.length() - end.length()) / part.length();
        return (start + part.repeat(parts) + end).getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[|{},",
                "{\"resourceSpans\":[{\"scopeSpans\":[|{},",
                "{\"resourceSpans\":[|{},",
                "{\"unknown\":[|{},",
                "|[",
                "{\"resourceSpans\":|[",
                "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[|[",
                "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"attributes\":[|{\"value\":",
            })
    void tokensOfJsonAreCounted(String parts) {
        String[] both = parts.split("\\|", -1);
        byte[] body = json(both[0], both[1], "", SIZE);
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> read(OtlpBody.JSON, body)).isInstanceOf(IOException.class);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(MOST_ALLOCATED);
    }

    private static Span.Builder span(int id) {
        return Span.newBuilder()
                .setTraceId(Spans.bytes(TRACE_ID))
                .setSpanId(Spans.id(id))
                .setName("GET");
    }

    /** Go's exporters do not check that a text is UTF-8. */
    @Test
    void aSpanThatIsNotUtf8IsRejectedAlone() throws IOException {
        byte[] odd = span(2).clearName()
                .build()
                .toByteString()
                .concat(ByteString.copyFrom(field(5, new byte[] {(byte) 0xc3, 0x28})))
                .toByteArray();
        byte[] body = spans(ByteString.copyFrom(field(2, span(1).build().toByteArray()))
                .concat(ByteString.copyFrom(field(2, odd)))
                .concat(ByteString.copyFrom(field(2, span(3).build().toByteArray())))
                .toByteArray());

        Contents contents = read(OtlpBody.PROTOBUF, body);

        assertThat(contents.spans())
                .extracting(s -> ReceivedSpan.hex(s.id()))
                .containsExactly("0000000000000001", "0000000000000003");
        assertThat(contents.unreadable()).hasSize(1);
    }

    @Test
    void aSpanOfJsonThatCannotBeReadIsRejectedAlone() throws IOException {
        Contents contents = json("{\"spanId\": \"0000000000000001\"}, 7, {\"startTimeUnixNano\": \"noon\"},"
                + " {\"attributes\": [{\"value\": {\"intValue\": \"x\"}}]}, {\"spanId\": \"0000000000000002\"}");
        assertThat(contents.spans()).hasSize(2);
        assertThat(contents.unreadable()).hasSize(3);
    }

    private static Contents json(String spans) throws IOException {
        return read(
                OtlpBody.JSON,
                ("{\"resourceSpans\": [{\"scopeSpans\": [{\"spans\": ["
                                + spans
                                + "], \"scope\": {\"name\": \"x\"}}], \"resource\": {\"attributes\": [{\"key\": \"a\"},"
                                + " {\"key\": \"service.name\", \"value\": {\"stringValue\": \"shop\"}}]}}]}")
                        .getBytes(StandardCharsets.UTF_8));
    }

    /** A body of 16 MB that gzip makes 6 kB: what is made of one span is bounded, and others are read. */
    @ParameterizedTest
    @ValueSource(strings = {"{},", "[],", "{\"value\":{\"arrayValue\":{\"values\":[{}]}}},"})
    void aSpanOfTooManyPartsIsRejectedAlone(String part) throws IOException {
        byte[] body = json(
                "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"spanId\":\"0000000000000001\"},{\"attributes\":[",
                part,
                "{}]}]}]}]}",
                4 << 20);
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        Contents contents = read(OtlpBody.JSON, body);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(MOST_ALLOCATED);
        assertThat(contents.spans()).hasSize(1);
        assertThat(contents.unreadable()).hasSize(1).first().asString().contains("more than 20000 fields");
    }

    @Test
    void aSpanOfProtobufWithTooManyPartsIsRejectedAlone() throws IOException {
        byte[] many = field(2, empty(9, 1 << 20));
        byte[] one = field(2, span(1).build().toByteArray());
        byte[] both = new byte[many.length + one.length];
        System.arraycopy(many, 0, both, 0, many.length);
        System.arraycopy(one, 0, both, many.length, one.length);
        Contents contents = read(OtlpBody.PROTOBUF, spans(both));
        assertThat(contents.spans()).hasSize(1);
        assertThat(contents.unreadable()).hasSize(1).first().asString().contains("more than 20000 fields");
    }

    /** Events are nothing that rules can name, so they do not count. */
    @Test
    void eventsOfJsonAreSkipped() throws IOException {
        byte[] body = json(
                "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"spanId\":\"0000000000000001\",\"events\":[",
                "{},",
                "{}]}]}]}]}",
                1 << 20);
        Contents contents = read(OtlpBody.JSON, body);
        assertThat(contents.unreadable()).isEmpty();
        assertThat(contents.spans()).hasSize(1);
        assertThat(contents.spans().get(0).span().getEventsCount()).isZero();
    }

    /** Hexadecimal as OTLP demands, in either case; base64 as Protocol Buffers would have it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"traceId\": \"4BF92F3577B34DA6A3CE929D0E0E4736\","
                        + " \"spanId\": \"00F067AA0BA902B7\", \"parentSpanId\": \"\"",
                "\"traceId\": \"4bf92f3577b34da6a3ce929d0e0e4736\", \"spanId\": \"00f067aa0ba902b7\","
                        + " \"parentSpanId\": \"0000000000000000\"",
                "\"traceId\": \"S/kvNXezTaajzpKdDg5HNg==\", \"spanId\": \"APBnqgupArc=\", \"parentSpanId\": null",
                "\"trace_id\": \"4bf92f3577b34da6a3ce929d0e0e4736\", \"span_id\": \"00f067aa0ba902b7\"",
            })
    void idsOfJsonHaveSeveralForms(String ids) throws IOException {
        Contents contents = json("{" + ids + ", \"kind\": \"SPAN_KIND_SERVER\", \"links\": [{\"traceId\": 1}]}");

        assertThat(contents.unreadable()).isEmpty();
        ReceivedSpan span = contents.spans().get(0);
        assertThat(span.traceId()).isEqualTo(TRACE_ID);
        assertThat(ReceivedSpan.hex(span.id())).isEqualTo("00f067aa0ba902b7");
        assertThat(span.isRoot()).isTrue();
        // The resource stood after its spans.
        assertThat(span.service()).isEqualTo("shop");
    }

    @Test
    void anHonestBodyOfTheLargestSizeIsRead() throws IOException {
        Span.Builder span = span(1);
        for (int i = 0; i < 12; i++) {
            span.addAttributes(Spans.attribute("some.attribute.of.usual.length." + i, Spans.text("a".repeat(40))));
        }
        ScopeSpans.Builder scope = ScopeSpans.newBuilder();
        int spans = SIZE / (span.build().getSerializedSize() + 10);
        scope.addAllSpans(Collections.nCopies(spans, span.build()));
        byte[] body = ExportTraceServiceRequest.newBuilder()
                .addResourceSpans(ResourceSpans.newBuilder().addScopeSpans(scope))
                .build()
                .toByteArray();

        assertThat(read(OtlpBody.PROTOBUF, body).spans()).hasSize(spans);
        assertThat(List.of(spans)).allMatch(n -> n > 15_000);
    }

    /** Small attributes take many times the memory that they take on the wire. */
    @Test
    void heldBytesCountObjects() {
        Span.Builder many = span(1);
        for (int i = 0; i < 10_000; i++) {
            many.addAttributesBuilder();
        }
        assertThat(ReceivedSpan.of("shop", many.build()).heldBytes()).isGreaterThan(1_000_000);
    }
}
