package io.kipimo.cli.policy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import io.kipimo.schemas.wire.PolicyProto;

/** JSON Schema (2020-12) of policy documents, from the message's descriptor. */
final class PolicySchema {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final ObjectNode definitions = NODES.objectNode();

    private PolicySchema() {}

    static ObjectNode document() {
        PolicySchema schema = new PolicySchema();
        ObjectNode root = NODES.objectNode();
        root.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        root.put("title", "Policy of a service of Kipimo");
        Descriptor policy = PolicyProto.getDescriptor();
        root.put("$ref", schema.reference(policy));
        root.set("$defs", schema.definitions);
        ArrayNode required =
                ((ObjectNode) schema.definitions.get(policy.getName())).putArray("required");
        required.add("service").add("metrics").add("classes");
        return root;
    }

    private String reference(Descriptor type) {
        if (!definitions.has(type.getName())) {
            ObjectNode definition = definitions.putObject(type.getName());
            definition.put("type", "object");
            definition.put("additionalProperties", false);
            ObjectNode properties = definition.putObject("properties");
            for (FieldDescriptor field : type.getFields()) {
                ObjectNode schema = schema(field);
                properties.set(field.getName(), schema);
                // Documents may have either spelling.
                properties.set(field.getJsonName(), schema);
            }
        }
        return "#/$defs/" + type.getName();
    }

    private ObjectNode schema(FieldDescriptor field) {
        if (field.isMapField()) {
            FieldDescriptor value = field.getMessageType().findFieldByName("value");
            ObjectNode map = NODES.objectNode().put("type", "object");
            map.set("additionalProperties", single(value));
            return map;
        }
        if (field.isRepeated()) {
            ObjectNode list = NODES.objectNode().put("type", "array");
            list.set("items", single(field));
            return list;
        }
        return single(field);
    }

    private ObjectNode single(FieldDescriptor field) {
        ObjectNode schema = NODES.objectNode();
        if (field.getJavaType() == JavaType.MESSAGE) {
            return schema.put("$ref", reference(field.getMessageType()));
        }
        if (field.getJavaType() == JavaType.ENUM) {
            ArrayNode names = schema.putArray("enum");
            field.getEnumType().getValues().stream()
                    .filter(value -> value.getNumber() != 0)
                    .map(EnumValueDescriptor::getName)
                    .forEach(names::add);
            return schema;
        }
        return schema.put(
                "type",
                switch (field.getJavaType()) {
                    case BOOLEAN -> "boolean";
                    case INT, LONG -> "integer";
                    case FLOAT, DOUBLE -> "number";
                    default -> "string";
                });
    }
}
