package io.kipimo.cli.topics;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.InvalidRecordException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Converts records to JSON, one line each, and omits records that a filter rejects. */
final class JsonLines {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonFormat.Printer PRINTER =
            JsonFormat.printer().alwaysPrintFieldsWithNoPresence().omittingInsignificantWhitespace();

    private final Codec<?> codec;
    private final Map<String, String> valueByPointer;

    /**
     * @param filters wanted values by field; a dot separates nested fields
     * @throws InputException if the message has no such field
     */
    JsonLines(Codec<?> codec, Map<String, String> filters) {
        this.codec = codec;
        this.valueByPointer = new LinkedHashMap<>();
        Descriptor descriptor = codec.descriptor();
        filters.forEach((field, value) -> valueByPointer.put(pointer(descriptor, field), value));
    }

    private static String pointer(Descriptor message, String path) {
        List<String> names = new ArrayList<>();
        Descriptor at = message;
        for (String name : path.split("\\.", -1)) {
            FieldDescriptor field = at == null
                    ? null
                    : at.getFields().stream()
                            .filter(f ->
                                    f.getName().equals(name) || f.getJsonName().equals(name))
                            .findFirst()
                            .orElse(null);
            InputException.throwIf(
                    field == null || field.isRepeated(),
                    "--filter names field '%s'; allowed: %s"
                            .formatted(
                                    path,
                                    (at == null ? message : at)
                                            .getFields().stream()
                                                    .filter(f -> !f.isRepeated())
                                                    .map(FieldDescriptor::getJsonName)
                                                    .collect(Collectors.joining(", "))));
            names.add(field.getJsonName());
            at = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE ? field.getMessageType() : null;
        }
        return "/" + String.join("/", names);
    }

    /** Returns the line of a record; empty if a filter rejects the record. */
    Optional<String> of(ConsumerRecord<byte[], byte[]> entry) {
        if (entry.value() == null) {
            String key = entry.key() == null ? "" : new String(entry.key(), StandardCharsets.UTF_8);
            return note(entry, "deleted", key);
        }
        try {
            return print(codec, entry.value());
        } catch (InvalidRecordException | InvalidProtocolBufferException e) {
            return note(entry, "error", e.getMessage());
        }
    }

    private <T> Optional<String> print(Codec<T> codec, byte[] value)
            throws InvalidRecordException, InvalidProtocolBufferException {
        String line = PRINTER.print(codec.toMessage(codec.decode(value)));
        return passes(line) ? Optional.of(line) : Optional.empty();
    }

    private boolean passes(String line) {
        if (valueByPointer.isEmpty()) {
            return true;
        }
        JsonNode tree = tree(line);
        return valueByPointer.entrySet().stream()
                .allMatch(filter -> tree.at(filter.getKey()).asText().equals(filter.getValue()));
    }

    static JsonNode tree(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no JSON: " + line, e);
        }
    }

    private Optional<String> note(ConsumerRecord<byte[], byte[]> entry, String what, String detail) {
        if (!valueByPointer.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode note = JSON.createObjectNode();
        note.put(what, detail);
        note.put("partition", entry.partition());
        note.put("offset", entry.offset());
        return Optional.of(note.toString());
    }
}
