package io.kipimo.cli.policy;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import io.kipimo.schemas.document.DocumentSchema;
import io.kipimo.schemas.field.FieldBounds;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.RecordField;
import io.kipimo.schemas.field.RecordFields;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.wire.PolicyProto;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes the JSON Schema (2020-12) of policy documents. Names, types and constants come from the Protobuf message's
 * descriptor, ranges from the records.
 */
public final class PolicySchema {
    private static final String REQUIRED = "required";

    private final Map<String, Object> definitions = new LinkedHashMap<>();

    private PolicySchema() {}

    /** The schema, as maps, lists, texts and numbers. */
    public static Map<String, Object> document() {
        PolicySchema schema = new PolicySchema();
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("$schema", DocumentSchema.DIALECT);
        root.put("title", "Policy of a service of Kipimo");
        root.put("$ref", schema.reference(PolicyProto.getDescriptor(), Optional.of(Policy.class)));
        root.put("$defs", schema.definitions);
        schema.require("PolicyProto", List.of("service", "metrics", "classes"));
        schema.require("ClassPolicyProto", List.of("name", "objective"));
        schema.require("ReplicationPolicyProto", List.of("tiers"));
        return root;
    }

    private void require(String type, List<String> fields) {
        @SuppressWarnings("unchecked") // Put in by reference().
        Map<String, Object> definition = (Map<String, Object>) definitions.get(type);
        definition.put(REQUIRED, fields);
    }

    /** @param made record into which the message is converted; empty: none */
    private String reference(Descriptor type, Optional<Class<? extends Record>> made) {
        if (!definitions.containsKey(type.getName())) {
            Map<String, Object> definition = new LinkedHashMap<>();
            definitions.put(type.getName(), definition);
            definition.put("type", "object");
            definition.put("additionalProperties", false);
            Map<String, Object> properties = new LinkedHashMap<>();
            definition.put("properties", properties);
            for (FieldDescriptor field : type.getFields()) {
                Object schema = schema(field, made.flatMap(record -> named(record, field)));
                properties.put(field.getName(), schema);
                // Documents may have either spelling.
                properties.put(field.getJsonName(), schema);
            }
        }
        return "#/$defs/" + type.getName();
    }

    private static Optional<RecordField> named(Class<? extends Record> record, FieldDescriptor field) {
        return RecordFields.of(record).all().stream()
                .filter(f -> f.name().equals(field.getName()))
                .findFirst();
    }

    private Map<String, Object> schema(FieldDescriptor field, Optional<RecordField> made) {
        Map<String, Object> schema = new LinkedHashMap<>();
        if (field.isMapField()) {
            FieldDescriptor value = field.getMessageType().findFieldByName("value");
            schema.put("type", "object");
            schema.put("additionalProperties", single(value, Optional.empty()));
            return schema;
        }
        if (field.isRepeated()) {
            schema.put("type", "array");
            schema.put("items", single(field, made));
            return schema;
        }
        return single(field, made);
    }

    private Map<String, Object> single(FieldDescriptor field, Optional<RecordField> made) {
        Map<String, Object> schema = new LinkedHashMap<>();
        switch (field.getJavaType()) {
            case MESSAGE -> schema.put("$ref", reference(field.getMessageType(), made.flatMap(this::record)));
            case ENUM ->
                schema.put(
                        "enum",
                        field.getEnumType().getValues().stream()
                                .filter(value -> value.getNumber() != 0)
                                .map(EnumValueDescriptor::getName)
                                .toList());
            case BOOLEAN -> schema.put("type", "boolean");
            case INT, LONG, FLOAT, DOUBLE -> {
                boolean whole = field.getJavaType() == JavaType.INT || field.getJavaType() == JavaType.LONG;
                schema.put("type", whole ? "integer" : "number");
                made.filter(RecordField::isNumber).ifPresent(f -> range(f.bounds(), schema));
            }
            default -> schema.put("type", List.of("string", "number", "boolean"));
        }
        return schema;
    }

    private Optional<Class<? extends Record>> record(RecordField field) {
        return field.isRecord() ? Optional.of(field.element().asSubclass(Record.class)) : Optional.empty();
    }

    /**
     * Adds the numeric bounds of a field. The schema omits bounds that depend on other fields; the policy's reader
     * checks these.
     */
    private static void range(FieldBounds bounds, Map<String, Object> schema) {
        schema.put("minimum", plain(bounds.least()));
        if (bounds.most() < Range.LARGEST_COUNT) {
            schema.put("maximum", plain(bounds.most()));
        }
    }

    private static Number plain(double number) {
        return number == Math.rint(number) ? (Number) (long) number : (Number) number;
    }
}
