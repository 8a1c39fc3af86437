package io.kipimo.otlp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
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
 * bytes becomes an object of a hundred. Spans are made and handed on one by one, so that those of a body are never in
 * memory together. A span that cannot be read, or has too many parts, is rejected alone.
 *
 * <p>Ids in OTLP's JSON are hexadecimal, but protobuf's own JSON has base64. The reader accepts both.
 */
enum OtlpBody {
    PROTOBUF("application/x-protobuf"),
    JSON("application/json");

    /** Limit of spans of a body. A Collector sends 8,192 at once by default. */
    static final int MOST_SPANS = 100_000;

    /**
     * Limit of fields of all messages in a body. Spans of 1 kB have about 50 fields, so that a body of the largest size
     * has 850,000.
     */
    static final int MOST_PARTS = 2_000_000;

    /**
     * Limit of fields of one span, or of one resource. By default SDKs give a span 128 attributes, of three fields
     * each.
     */
    static final int MOST_PARTS_OF_ONE = 20_000;

    /** Tokens of JSON for each field: a name, a value, and brackets. */
    private static final int TOKENS_PER_PART = 3;

    private static final int MOST_NESTING = 100;
    private static final int PIECE = 1 << 16;
    private static final String SERVICE_NAME = "service.name";
    private static final List<String> IDS =
            List.of("traceId", "trace_id", "spanId", "span_id", "parentSpanId", "parent_span_id");

    /** Lengths of ids in base64, of 16 and of 8 bytes. */
    private static final List<Integer> BASE64_LENGTHS = List.of(24, 12);

    private static final List<String> NOT_KEPT = List.of("events", "links");

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

    /** Takes what a body contains. */
    interface BodyContents {
        void span(ReceivedSpan span);

        /** A problem of a span that cannot be read. */
        void unreadable(String problem);

        private void add(String service, SpanReading reading) {
            ReceivedSpan span;
            try {
                span = ReceivedSpan.of(service, reading.span());
            } catch (IOException e) {
                unreadable("a span cannot be read: " + e.getMessage());
                return;
            }
            span(span);
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
     * Reads a request. Nothing is handed on of a body that has not this format.
     *
     * @throws TooManyPartsException if it has more spans or fields than allowed
     * @throws IOException if the body does not have this format
     */
    void read(byte[] body, BodyContents contents) throws IOException {
        if (this == PROTOBUF) {
            new PartCount(MOST_PARTS)
                    .count(CodedInputStream.newInstance(body), ExportTraceServiceRequest.getDescriptor(), 0);
            readProtobuf(UnsafeByteOperations.unsafeWrap(body), contents);
            return;
        }
        // A resource may come after its spans.
        List<String> services = new ArrayList<>();
        int[] spans = {0};
        eachPart(body, (resource, isSpan, in) -> {
            while (services.size() <= resource) {
                services.add("");
            }
            if (!isSpan) {
                services.set(resource, serviceOf(tree(in)));
            } else if (++spans[0] > MOST_SPANS) {
                throw new TooManyPartsException("the body has more than " + MOST_SPANS + " spans");
            } else {
                in.skipChildren();
            }
        });
        eachPart(body, (resource, isSpan, in) -> {
            if (isSpan) {
                JsonNode tree = tree(in);
                contents.add(services.get(resource), () -> span(tree));
            } else {
                in.skipChildren();
            }
        });
    }

    /** Counts the fields of a message and of those in it, without making anything of them. */
    private static final class PartCount {
        private final int most;
        private int parts;
        private int spans;

        PartCount(int most) {
            this.most = most;
        }

        void count(CodedInputStream in, Descriptor type, int depth) throws IOException {
            if (depth > MOST_NESTING) {
                throw new TooManyPartsException("messages nest deeper than " + MOST_NESTING);
            }
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                if (++parts > most) {
                    throw new TooManyPartsException("there are more than " + most + " fields");
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
                        new PartCount(MOST_PARTS_OF_ONE).count(attribute.newCodedInput(), KeyValue.getDescriptor(), 0);
                        service = service(KeyValue.parseFrom(attribute)).orElse(service);
                    } catch (InvalidProtocolBufferException | TooManyPartsException e) {
                        // Another attribute of the resource.
                    }
                }
            }
            for (ByteString scope : parts(resource, ResourceSpans.SCOPE_SPANS_FIELD_NUMBER)) {
                for (ByteString span : parts(scope, ScopeSpans.SPANS_FIELD_NUMBER)) {
                    contents.add(service, () -> {
                        new PartCount(MOST_PARTS_OF_ONE).count(span.newCodedInput(), Span.getDescriptor(), 0);
                        return Span.parseFrom(span);
                    });
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

    /** Takes a resource, or a span of it; it reads the whole value. */
    private interface PartVisitor {
        void visit(int resource, boolean isSpan, JsonParser in) throws IOException;
    }

    /** Visits the resources of a body of JSON, by their number, and their spans. */
    private static void eachPart(byte[] body, PartVisitor visitor) throws IOException {
        int[] resources = {-1};
        try (JsonParser in = MAPPER.createParser(body)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new InvalidProtocolBufferException("the body is not a JSON object");
            }
            eachField(
                    in,
                    (field, ofBody) -> eachObject(
                            ofBody, field.equals("resourceSpans") || field.equals("resource_spans"), resource -> {
                                if (++resources[0] >= MOST_SPANS) {
                                    throw new TooManyPartsException(
                                            "the body has more than " + MOST_SPANS + " resources");
                                }
                                eachPart(resource, resources[0], visitor);
                            }));
            if (in.nextToken() != null) {
                throw new InvalidProtocolBufferException("the body goes on after its end");
            }
        } catch (StreamConstraintsException e) {
            throw new TooManyPartsException(e.getOriginalMessage());
        }
    }

    private static void eachPart(JsonParser in, int resource, PartVisitor visitor) throws IOException {
        eachField(in, (field, ofResource) -> {
            if (field.equals("resource")) {
                visitor.visit(resource, false, ofResource);
                return;
            }
            eachObject(
                    ofResource,
                    field.equals("scopeSpans") || field.equals("scope_spans"),
                    scope -> eachField(
                            scope,
                            (name, ofScope) -> eachObject(
                                    ofScope, name.equals("spans"), span -> visitor.visit(resource, true, span))));
        });
    }

    /** The value at the parser, without what rules cannot name; one that has too many parts is missing. */
    private static JsonNode tree(JsonParser in) throws IOException {
        try (TokenBuffer tokens = new TokenBuffer(in)) {
            int depth = 0;
            int count = 0;
            do {
                if (depth == 1 && in.currentToken() == JsonToken.FIELD_NAME && NOT_KEPT.contains(in.currentName())) {
                    in.nextToken();
                    in.skipChildren();
                    continue;
                }
                depth += in.currentToken().isStructStart()
                        ? 1
                        : in.currentToken().isStructEnd() ? -1 : 0;
                if (++count <= MOST_PARTS_OF_ONE * TOKENS_PER_PART) {
                    tokens.copyCurrentEvent(in);
                }
            } while (depth > 0 && in.nextToken() != null);
            return count > MOST_PARTS_OF_ONE * TOKENS_PER_PART
                    ? MissingNode.getInstance()
                    : MAPPER.readTree(tokens.asParserOnFirstToken());
        }
    }

    private static String serviceOf(JsonNode resource) {
        String service = "";
        for (JsonNode attribute : resource.path("attributes")) {
            if (attribute.path("key").asText().equals(SERVICE_NAME)) {
                service = service(attribute);
            }
        }
        return service;
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
        if (node.isMissingNode()) {
            throw new TooManyPartsException("there are more than " + MOST_PARTS_OF_ONE + " fields");
        }
        if (!(node instanceof ObjectNode object)) {
            throw new InvalidProtocolBufferException("it is not a JSON object");
        }
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
