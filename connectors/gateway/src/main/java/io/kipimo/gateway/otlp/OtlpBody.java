package io.kipimo.gateway.otlp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * Bodies of OTLP/HTTP, as protobuf or as JSON. Ids in OTLP's JSON are hexadecimal, whereas
 * protobuf's JSON has base64.
 */
enum OtlpBody {
    PROTOBUF("application/x-protobuf"),
    JSON("application/json");

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int PIECE = 1 << 16;

    private final String contentType;

    OtlpBody(String contentType) {
        this.contentType = contentType;
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
     * @throws IOException if the body does not have this format
     */
    ExportTraceServiceRequest read(byte[] body) throws IOException {
        if (this == PROTOBUF) {
            return ExportTraceServiceRequest.parseFrom(body);
        }
        JsonNode tree = MAPPER.readTree(body);
        if (!tree.isObject()) {
            throw new InvalidProtocolBufferException("the body is not a JSON object");
        }
        for (JsonNode resource : tree.path("resourceSpans")) {
            for (JsonNode scope : resource.path("scopeSpans")) {
                for (JsonNode span : scope.path("spans")) {
                    idsToBase64(span);
                    span.path("links").forEach(OtlpBody::idsToBase64);
                }
            }
        }
        ExportTraceServiceRequest.Builder request = ExportTraceServiceRequest.newBuilder();
        JsonFormat.parser().ignoringUnknownFields().merge(tree.toString(), request);
        return request.build();
    }

    private static void idsToBase64(JsonNode holder) {
        if (holder instanceof ObjectNode object) {
            for (String field : new String[] {"traceId", "spanId", "parentSpanId"}) {
                JsonNode id = object.get(field);
                if (id != null && id.isTextual()) {
                    object.put(field, base64(id.textValue()));
                }
            }
        }
    }

    /** An id that is not hexadecimal becomes the empty one, so that only its span is rejected. */
    private static String base64(String hex) {
        try {
            return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(hex));
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
     * The body of an error: a {@code google.rpc.Status}, whose class would be its library's only
     * use.
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
