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
 * Reads and writes bodies of OTLP/HTTP, as protobuf or as JSON. It counts the parts of a body before it creates
 * objects, because a part of two bytes becomes an object of a hundred. It creates spans and hands them on one by one,
 * so that the spans of a body are never in memory together. It rejects a single span that cannot be read or has too
 * many parts.
 *
 * <p>Ids in OTLP's JSON are hexadecimal, but protobuf's own JSON has base64. The reader accepts both.
 */
enum OtlpBody {
    PROTOBUF("application/x-protobuf"),
    JSON("application/json");

    /** Greatest number of spans in a body. By default, a Collector sends 8,192 at once. */
    static final int MOST_SPANS = 100_000;

    /**
     * Greatest number of fields of all messages in a body. Spans of 1 kB have about 50 fields, so a body of the largest
     * size has 850,000.
     */
    static final int MOST_PARTS = 2_000_000;

    /**
     * Greatest number of fields of one span, or of one resource. In protobuf, it bounds each attribute of a resource
     * separately. By default, SDKs give a span 128 attributes of three fields each.
     */
    static final int MOST_PARTS_OF_ONE = 20_000;

    /** Number of JSON tokens for each field: a name, a value, and brackets. */
    private static final int TOKENS_PER_PART = 3;

    private static final int MOST_NESTING = 100;
    private static final int PIECE = 1 << 16;
    private static final String SERVICE_NAME = "service.name";
    private static final List<String> IDS =
            List.of("traceId", "trace_id", "spanId", "span_id", "parentSpanId", "parent_span_id");

    /** Lengths in base64 of ids that have 16 and 8 bytes. */
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

    /** Receives the contents of a body. */
    interface BodyContents {
        void span(ReceivedSpan span);

        /** Receives the problem of a span that cannot be read. */
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

    /** Reports that the body has more parts than are allowed. */
    static final class TooManyPartsException extends IOException {
        private static final long serialVersionUID = 1L;

        TooManyPartsException(String what) {
            super(what);
        }
    }

    String contentType() {
        return contentType;
    }

    /** The format that a request's {@code Content-Type} names; empty if it names another format, or none. */
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
     * @return the body; empty: it is larger than {@code most} bytes
     * @throws IOException if the body is not gzip
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
     * Reads a request and hands on its spans. Hands on nothing if the body does not have this format.
     *
     * @throws TooManyPartsException if the body has more spans or fields than allowed
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

    /** Counts the fields of a message, including nested messages, without creating objects for them. */
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

    /** The values of a message's field that contain bytes or a message. */
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

    /** Receives a resource, or a span of it. Must read the whole value. */
    private interface PartVisitor {
        void visit(int resource, boolean isSpan, JsonParser in) throws IOException;
    }

    /** Visits the resources of a JSON body and their spans. A resource is given by its number, from 0. */
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

    /**
     * Reads the JSON value at the parser's position, without fields that rules cannot name. A value with too many parts
     * becomes a missing node.
     */
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

    /** Visits the fields of the JSON object at the parser's position. Each visit must read a whole value. */
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

    /** Reads each element of a list if the list is wanted; otherwise skips the value. */
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

    /**
     * Converts a hexadecimal id to base64. An id that is not hexadecimal becomes empty, so that only its span is
     * rejected.
     */
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
     * Encodes the body of an error response, a {@code google.rpc.Status}. It does so without the library of this class,
     * which nothing else needs.
     *
     * @param code code of gRPC, such as 3 for INVALID_ARGUMENT
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
