package io.kipimo.redis;

import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.field.RecordField;
import io.kipimo.schemas.field.RecordFields;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Converts a record to the fields of a Redis hash, named as in the wire message. Numbers are written as decimals
 * without exponents, because some readers misread exponents. Lists and optional fields are left out.
 */
final class HashFields {
    /**
     * Numbers that a Lua script compares must be below this: Lua's numbers are doubles, which do not distinguish all
     * greater integers.
     */
    private static final long COUNT_LIMIT = 1L << 53;

    private static final List<String> COMPARED = List.of("epoch", "sequence", "valid_until_millis");

    private HashFields() {}

    /**
     * Converts a record to fields.
     *
     * @throws IllegalArgumentException if the record must not be applied, because a number is not finite, out of range,
     *     or too great for a server-side script
     */
    static <T extends Record> Map<String, String> of(T record, Codec<T> codec) {
        check(record, codec);
        Map<String, String> texts = new LinkedHashMap<>();
        for (RecordField field : RecordFields.of(record.getClass()).all()) {
            if (!field.isList() && !field.isOptional()) {
                texts.put(field.name(), text(field.get(record)));
            }
        }
        return texts;
    }

    /**
     * Converts fields to a record, whose lists and optional fields are empty and whose ranges are not checked.
     *
     * @throws IllegalArgumentException if a field is absent or malformed
     */
    static <T extends Record> T read(Codec<T> codec, Map<String, String> texts) {
        RecordFields<T> fields = RecordFields.of(codec.type());
        return fields.create(fields.all().stream().map(f -> value(f, texts)).toArray());
    }

    /** Checks the ranges of the wire message, and that a script can compare the numbers. */
    static <T extends Record> T check(T record, Codec<T> codec) {
        try {
            codec.decode(codec.encode(record));
        } catch (InvalidRecordException e) {
            throw new IllegalArgumentException("decision is refused: " + e.getMessage(), e);
        }
        RecordFields<?> fields = RecordFields.of(record.getClass());
        for (String field : COMPARED) {
            long value = (long) fields.named(field).get(record);
            if (value >= COUNT_LIMIT) {
                throw new IllegalArgumentException(
                        "decision is refused: " + field + " is " + value + "; allowed: below 2^53");
            }
        }
        return record;
    }

    static String text(Map<String, String> texts, String field) {
        String value = texts.get(field);
        if (value == null) {
            throw new IllegalArgumentException("decision is refused: " + field + " is absent");
        }
        return value;
    }

    private static String text(Object value) {
        if (value instanceof Double number) {
            return BigDecimal.valueOf(number).toPlainString();
        }
        return value instanceof Enum<?> constant ? constant.name() : value.toString();
    }

    private static Object value(RecordField field, Map<String, String> texts) {
        if (field.isList()) {
            return List.of();
        }
        if (field.isOptional()) {
            return Optional.empty();
        }
        String text = text(texts, field.name());
        Class<?> type = field.element();
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .filter(constant -> text(constant).equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("decision is refused: " + text));
        }
        return switch (type.getName()) {
            case "int" -> Integer.valueOf(text);
            case "long" -> Long.valueOf(text);
            case "double" -> Double.valueOf(text);
            case "boolean" -> Boolean.valueOf(text);
            default -> text;
        };
    }
}
