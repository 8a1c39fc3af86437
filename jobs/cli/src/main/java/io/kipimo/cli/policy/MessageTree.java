package io.kipimo.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Converts between a tree of YAML or JSON and a Protobuf message. Field names may be as in the .proto files or in camel
 * case; numbers stay numbers. Unlike Protobuf's own JSON parser, it continues after a problem and reports all problems
 * together.
 */
final class MessageTree {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final List<String> problems = new ArrayList<>();
    private final List<String> problemPaths = new ArrayList<>();

    /** The problems, each in one sentence with the field, its value, and the allowed values. */
    List<String> problems() {
        return problems;
    }

    /** Tells whether this problem from the codec is about a field that was already reported. */
    boolean isTold(String problem) {
        return problemPaths.stream().anyMatch(path -> problem.startsWith(path + " "));
    }

    /** Copies the fields of {@code tree} to {@code message}. Other fields of the message keep their values. */
    void read(JsonNode tree, Message.Builder message) {
        read("", tree, message);
    }

    private void read(String path, JsonNode tree, Message.Builder message) {
        Descriptor type = message.getDescriptorForType();
        if (!tree.isObject()) {
            add(
                    path.isEmpty() ? "the policy" : path.substring(0, path.length() - 1),
                    tree,
                    "fields, such as " + names(type));
            return;
        }
        for (Map.Entry<String, JsonNode> entry : tree.properties()) {
            Optional<FieldDescriptor> field = field(type, entry.getKey());
            if (field.isEmpty()) {
                problemPaths.add(path + entry.getKey());
                problems.add(path + entry.getKey() + " is not a field; allowed: " + names(type));
            } else if (!entry.getValue().isNull()) {
                read(path + field.get().getName(), entry.getValue(), field.get(), message);
            }
        }
    }

    private void read(String path, JsonNode value, FieldDescriptor field, Message.Builder message) {
        if (field.isMapField()) {
            readMap(path, value, field, message);
        } else if (field.isRepeated()) {
            readList(path, value, field, message);
        } else if (field.getJavaType() == JavaType.MESSAGE) {
            Message.Builder child = message.getFieldBuilder(field);
            read(path + ".", value, child);
        } else {
            scalar(path, value, field).ifPresent(v -> message.setField(field, v));
        }
    }

    private void readMap(String path, JsonNode value, FieldDescriptor field, Message.Builder message) {
        if (!value.isObject()) {
            add(path, value, "a value by name");
            return;
        }
        FieldDescriptor valueField = field.getMessageType().findFieldByName("value");
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            Optional<Object> scalar = scalar(path + "." + entry.getKey(), entry.getValue(), valueField);
            if (scalar.isPresent()) {
                Message.Builder mapEntry = message.newBuilderForField(field);
                mapEntry.setField(field.getMessageType().findFieldByName("key"), entry.getKey());
                mapEntry.setField(valueField, scalar.get());
                message.addRepeatedField(field, mapEntry.build());
            }
        }
    }

    private void readList(String path, JsonNode value, FieldDescriptor field, Message.Builder message) {
        if (!value.isArray()) {
            add(path, value, "a list");
            return;
        }
        message.clearField(field);
        for (JsonNode element : value) {
            if (field.getJavaType() == JavaType.MESSAGE) {
                Message.Builder child = message.newBuilderForField(field);
                // The codec names fields by the same path.
                read(path + "." + element.path("name").asText("?") + ".", element, child);
                message.addRepeatedField(field, child.build());
            } else {
                scalar(path, element, field).ifPresent(v -> message.addRepeatedField(field, v));
            }
        }
    }

    private Optional<Object> scalar(String path, JsonNode value, FieldDescriptor field) {
        return switch (field.getJavaType()) {
            case STRING -> value.isValueNode() ? Optional.of(value.asText()) : refuse(path, value, "a text");
            case BOOLEAN ->
                value.isBoolean() ? Optional.of(value.booleanValue()) : refuse(path, value, "true or false");
            case INT ->
                value.canConvertToExactIntegral() && value.canConvertToInt()
                        ? Optional.of(value.intValue())
                        : refuse(path, value, "a whole number");
            case LONG -> wholeNumber(path, value);
            case DOUBLE -> value.isNumber() ? Optional.of(value.doubleValue()) : refuse(path, value, "a number");
            case ENUM -> constant(path, value, field.getEnumType());
            default -> throw new IllegalStateException("no scalar: " + field.getFullName());
        };
    }

    private Optional<Object> wholeNumber(String path, JsonNode value) {
        // Protobuf's JSON form writes 64-bit integers as strings.
        if (value.isTextual() && value.textValue().matches("-?\\d{1,18}")) {
            return Optional.of(Long.parseLong(value.textValue()));
        }
        return value.canConvertToExactIntegral() && value.canConvertToLong()
                ? Optional.of(value.longValue())
                : refuse(path, value, "a whole number");
    }

    private Optional<Object> constant(String path, JsonNode value, EnumDescriptor type) {
        EnumValueDescriptor constant = type.findValueByName(value.asText());
        return value.isTextual() && constant != null && constant.getNumber() != 0
                ? Optional.of(constant)
                : refuse(path, value, "one of " + constants(type));
    }

    private Optional<Object> refuse(String path, JsonNode value, String allowed) {
        add(path, value, allowed);
        return Optional.empty();
    }

    private void add(String path, JsonNode value, String allowed) {
        String shown = value.isValueNode() ? value.toString() : value.isArray() ? "a list" : "fields";
        problemPaths.add(path);
        problems.add(path + " is " + shown + "; allowed: " + allowed);
    }

    private static String constants(EnumDescriptor type) {
        return type.getValues().stream()
                .filter(v -> v.getNumber() != 0)
                .map(EnumValueDescriptor::getName)
                .collect(Collectors.joining(", "));
    }

    private static String names(Descriptor type) {
        return type.getFields().stream().map(FieldDescriptor::getName).collect(Collectors.joining(", "));
    }

    private static Optional<FieldDescriptor> field(Descriptor type, String name) {
        return type.getFields().stream()
                .filter(f -> f.getName().equals(name) || f.getJsonName().equals(name))
                .findFirst();
    }

    /** Tells whether {@code tree} has the field, in either spelling. */
    static boolean has(JsonNode tree, Descriptor type, String name) {
        FieldDescriptor field = type.findFieldByName(name);
        return tree.hasNonNull(field.getName()) || tree.hasNonNull(field.getJsonName());
    }

    /** Writes all fields that are set or have a default, by their names in the .proto file. */
    static ObjectNode write(Message message) {
        ObjectNode tree = NODES.objectNode();
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            if (field.isMapField()) {
                ObjectNode map = tree.putObject(field.getName());
                for (Object entry : (List<?>) message.getField(field)) {
                    Descriptor type = field.getMessageType();
                    Message pair = (Message) entry;
                    FieldDescriptor value = type.findFieldByName("value");
                    map.set(pair.getField(type.findFieldByName("key")).toString(), write(value, pair.getField(value)));
                }
            } else if (field.isRepeated()) {
                ArrayNode list = tree.putArray(field.getName());
                ((List<?>) message.getField(field)).forEach(v -> list.add(write(field, v)));
            } else if (!field.hasPresence() || message.hasField(field)) {
                tree.set(field.getName(), write(field, message.getField(field)));
            }
        }
        return tree;
    }

    private static JsonNode write(FieldDescriptor field, Object value) {
        return switch (field.getJavaType()) {
            case MESSAGE -> write((Message) value);
            case ENUM -> NODES.textNode(((EnumValueDescriptor) value).getName());
            case BOOLEAN -> NODES.booleanNode((Boolean) value);
            case INT -> NODES.numberNode((Integer) value);
            case LONG -> NODES.numberNode((Long) value);
            case DOUBLE -> NODES.numberNode((Double) value);
            default -> NODES.textNode(value.toString());
        };
    }
}
