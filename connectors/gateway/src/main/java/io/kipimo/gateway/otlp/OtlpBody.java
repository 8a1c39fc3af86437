package io.kipimo.gateway.otlp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * Bodies of OTLP/HTTP, as protobuf or as JSON. Parts are counted before anything is made of them, because a part of two
 * bytes becomes an object of a hundred. A span that cannot be read is rejected alone.
 *
 * <p>Ids in OTLP's JSON are hexadecimal, but protobuf's own JSON has base64. The reader accepts both.
 */
enum OtlpBody {
    PROTOBUF("application/x-protobuf"),
    JSON("application/json");

    /** Most spans of a body. A Collector sends 8,192 at once by default. */
    static final int MOST_SPANS = 100_000;

    /**
     * Most fields of all messages in a body. Spans of 1 kB have about 50 fields, so that a body of the largest size has
     * 850,000.
     */
    static final int MOST_PARTS = 2_000_000;

    /** Tokens of JSON for each field: a name, a value, and brackets. */
    private static final int TOKENS_PER_PART = 3;

    private static final int MOST_NESTING = 100;
    private static final int PIECE = 1 << 16;
    private static final String SERVICE_NAME = "service.name";
    private static final List<String> IDS =
            List.of("traceId", "trace_id", "spanId", "span_id", "parentSpanId", "parent_span_id");

    /** Lengths of ids in base64, of 16 and of 8 bytes. */
    private static final List<Integer> BASE64_LENGTHS = List.of(24, 12);

    private static final JsonFormat.Parser FORMAT = JsonFormat.parser().ignoringUnknownFields();

    private static final ObjectMapper MAPPER = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxTokenCount((long) TOKENS_PER_PART * MOST_PARTS)
                    .maxNestingDepth(MOST_NESTING)
                    .build())
            .build());

    private final String contentType;

    OtlpBody(String contentType) {
        this.contentType = contentType;
    }

    /**
     * What a body contains.
     *
     * @param unreadable a problem for each span that cannot be read
     */
    record BodyContents(List<ReceivedSpan> spans, List<String> unreadable) {
        private void add(String service, SpanReading reading) {
            try {
                spans.add(ReceivedSpan.of(service, reading.span()));
            } catch (IOException e) {
                unreadable.add("a span cannot be read: " + e.getMessage());
            }
        }
    }

    private interface SpanReading {
        Span span() throws IOException;
    }

    /** The body has more parts than are allowed. */
    static final class TooManyPartsException extends IOException {
        private static final long serialVersionUID = 1L;

        TooManyPartsException(String what) {
            super(what);
        }
    }

    String contentType() {
        return contentType;
    }

    /** The format that a request's {@code Content-Type} names; empty: another one, or none. */
    static Optional<OtlpBody> of(String contentType) {
        String type = contentType == null ? "" : contentType.split(";", 2)[0].strip();
        for (OtlpBody body : values()) {
            if (body.contentType.equals(type.toLowerCase(Locale.ROOT))) {
                return Optional.of(body);
            }
        }
        return Optional.empty();
    }

    /**
     * Decompresses a body.
     *
     * @return empty: the result is larger than {@code most} bytes
     * @throws IOException if it is not gzip
     */
    static Optional<byte[]> unzipped(byte[] body, int most) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] piece = new byte[PIECE];
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                if (out.size() + read > most) {
                    return Optional.empty();
                }
                out.write(piece, 0, read);
            }
        }
        return Optional.of(out.toByteArray());
    }

    /**
     * Reads a request.
     *
     * @throws TooManyPartsException if it has more spans or fields than allowed
     * @throws IOException if the body does not have this format
     */
    BodyContents read(byte[] body) throws IOException {
        BodyContents contents = new BodyContents(new ArrayList<>(), new ArrayList<>());
        if (this == PROTOBUF) {
            new PartCount().count(CodedInputStream.newInstance(body), ExportTraceServiceRequest.getDescriptor(), 0);
            readProtobuf(UnsafeByteOperations.unsafeWrap(body), contents);
            return contents;
        }
        try (JsonParser in = MAPPER.createParser(body)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new InvalidProtocolBufferException("the body is not a JSON object");
            }
            readJson(in, contents);
            if (in.nextToken() != null) {
                throw new InvalidProtocolBufferException("the body goes on after its end");
            }
        } catch (StreamConstraintsException e) {
            throw new TooManyPartsException(e.getOriginalMessage());
        }
        return contents;
    }

    /** Counts the fields of a message and of those in it, without making anything of them. */
    private static final class PartCount {
        private int parts;
        private int spans;

        void count(CodedInputStream in, Descriptor type, int depth) throws IOException {
            if (depth > MOST_NESTING) {
                throw new TooManyPartsException("messages nest deeper than " + MOST_NESTING);
            }
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                if (++parts > MOST_PARTS) {
                    throw new TooManyPartsException("the body has more than " + MOST_PARTS + " fields");
                }
                FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
                if (field == null
                        || field.getJavaType() != FieldDescriptor.JavaType.MESSAGE
                        || WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
                    if (!in.skipField(tag)) {
                        throw new InvalidProtocolBufferException("a group ends that never began");
                    }
                    continue;
                }
                if (field.getMessageType() == Span.getDescriptor() && ++spans > MOST_SPANS) {
                    throw new TooManyPartsException("the body has more than " + MOST_SPANS + " spans");
                }
                int limit = in.pushLimit(in.readRawVarint32());
                count(in, field.getMessageType(), depth + 1);
                in.popLimit(limit);
            }
        }
    }

    private static void readProtobuf(ByteString body, BodyContents contents) throws IOException {
        for (ByteString resource : parts(body, ExportTraceServiceRequest.RESOURCE_SPANS_FIELD_NUMBER)) {
            String service = "";
            for (ByteString of : parts(resource, ResourceSpans.RESOURCE_FIELD_NUMBER)) {
                for (ByteString attribute : parts(of, Resource.ATTRIBUTES_FIELD_NUMBER)) {
                    try {
                        service = service(KeyValue.parseFrom(attribute)).orElse(service);
                    } catch (InvalidProtocolBufferException e) {
                        // Another attribute of the resource.
                    }
                }
            }
            for (ByteString scope : parts(resource, ResourceSpans.SCOPE_SPANS_FIELD_NUMBER)) {
                for (ByteString span : parts(scope, ScopeSpans.SPANS_FIELD_NUMBER)) {
                    contents.add(service, () -> Span.parseFrom(span));
                }
            }
        }
    }

    /** The values of a field of messages. */
    private static List<ByteString> parts(ByteString message, int field) throws IOException {
        List<ByteString> parts = new ArrayList<>();
        CodedInputStream in = message.newCodedInput();
        in.enableAliasing(true);
        int wanted = field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (tag == wanted) {
                parts.add(in.readBytes());
            } else {
                in.skipField(tag);
            }
        }
        return parts;
    }

    private static Optional<String> service(KeyValue attribute) {
        return Optional.of(attribute)
                .filter(one -> one.getKey().equals(SERVICE_NAME))
                .flatMap(one -> ReceivedSpan.text(one.getValue()));
    }

    private static void readJson(JsonParser in, BodyContents contents) throws IOException {
        int[] resources = {0};
        eachField(
                in,
                (field, ofBody) -> eachObject(
                        ofBody, field.equals("resourceSpans") || field.equals("resource_spans"), resource -> {
                            if (++resources[0] > MOST_SPANS) {
                                throw new TooManyPartsException("the body has more than " + MOST_SPANS + " resources");
                            }
                            readResource(resource, contents);
                        }));
    }

    private static void readResource(JsonParser in, BodyContents contents) throws IOException {
        // The resource may come after its spans.
        String[] service = {""};
        List<JsonNode> spans = new ArrayList<>();
        eachField(in, (field, ofResource) -> {
            if (field.equals("resource")) {
                JsonNode resource = ofResource.readValueAsTree();
                for (JsonNode attribute : resource.path("attributes")) {
                    if (attribute.path("key").asText().equals(SERVICE_NAME)) {
                        service[0] = service(attribute);
                    }
                }
                return;
            }
            eachObject(
                    ofResource,
                    field.equals("scopeSpans") || field.equals("scope_spans"),
                    scope -> eachField(
                            scope,
                            (name, ofScope) ->
                                    eachObject(ofScope, name.equals("spans"), span -> keep(span, spans, contents))));
        });
        for (JsonNode span : spans) {
            contents.add(service[0], () -> span(span));
        }
    }

    private static void keep(JsonParser in, List<JsonNode> spans, BodyContents contents) throws IOException {
        if (contents.spans().size() + contents.unreadable().size() + spans.size() >= MOST_SPANS) {
            throw new TooManyPartsException("the body has more than " + MOST_SPANS + " spans");
        }
        spans.add(in.readValueAsTree());
    }

    private static String service(JsonNode attribute) {
        try {
            KeyValue.Builder read = KeyValue.newBuilder();
            FORMAT.merge(attribute.toString(), read);
            return service(read.build()).orElse("");
        } catch (InvalidProtocolBufferException e) {
            return "";
        }
    }

    private static Span span(JsonNode node) throws IOException {
        if (!(node instanceof ObjectNode object)) {
            throw new InvalidProtocolBufferException("it is not a JSON object");
        }
        object.remove(List.of("events", "links"));
        for (String field : IDS) {
            JsonNode id = object.get(field);
            if (id != null && id.isTextual()) {
                object.put(field, base64(id.textValue()));
            }
        }
        Span.Builder span = Span.newBuilder();
        FORMAT.merge(object.toString(), span);
        return span.build();
    }

    private interface Visitor {
        void visit(String field, JsonParser in) throws IOException;
    }

    private interface ElementReader {
        void read(JsonParser in) throws IOException;
    }

    /** Visits the fields of the object at which the parser is; each visit reads a whole value. */
    private static void eachField(JsonParser in, Visitor visitor) throws IOException {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            throw new InvalidProtocolBufferException("a part of the body is not a JSON object");
        }
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String field = in.currentName();
            in.nextToken();
            visitor.visit(field, in);
        }
    }

    /** Reads the elements of a list, or skips the value. */
    private static void eachObject(JsonParser in, boolean isWanted, ElementReader element) throws IOException {
        if (!isWanted || in.currentToken() == JsonToken.VALUE_NULL) {
            in.skipChildren();
            return;
        }
        if (in.currentToken() != JsonToken.START_ARRAY) {
            throw new InvalidProtocolBufferException("a part of the body is not a JSON array");
        }
        while (in.nextToken() != JsonToken.END_ARRAY) {
            element.read(in);
        }
    }

    /** An id that is not hexadecimal becomes the empty one, so that only its span is rejected. */
    private static String base64(String id) {
        if (BASE64_LENGTHS.contains(id.length())) {
            return id;
        }
        try {
            return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(id));
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    byte[] write(Message message) throws IOException {
        return this == PROTOBUF
                ? message.toByteArray()
                : JsonFormat.printer()
                        .omittingInsignificantWhitespace()
                        .print(message)
                        .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The body of an error: a {@code google.rpc.Status}. It is encoded here, because its class would be the only use of
     * a library.
     *
     * @param code of gRPC, such as 3 for INVALID_ARGUMENT
     */
    byte[] status(int code, String message) throws IOException {
        if (this == JSON) {
            return MAPPER.writeValueAsBytes(
                    MAPPER.createObjectNode().put("code", code).put("message", message));
        }
        ByteString.Output bytes = ByteString.newOutput();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.writeInt32(1, code);
        out.writeString(2, message);
        out.flush();
        return bytes.toByteString().toByteArray();
    }
}
