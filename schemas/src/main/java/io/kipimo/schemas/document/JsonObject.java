package io.kipimo.schemas.document;

import io.kipimo.schemas.field.RecordField;
import io.kipimo.schemas.field.RecordFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * An object of a JSON document: names and values in the order in which they were added. Values are texts, numbers,
 * flags, constants, lists, objects, records and null.
 */
public final class JsonObject extends LinkedHashMap<String, Object> {
    /** Adds a value, which may be null. An empty {@link Optional} is added as null. */
    public JsonObject with(String name, Object value) {
        put(name, value instanceof Optional<?> optional ? optional.orElse(null) : value);
        return this;
    }

    /** Adds a value if it is present. */
    public JsonObject withPresent(String name, Optional<?> value) {
        return value.isPresent() ? with(name, value) : this;
    }

    /**
     * Adds components of a record under their names in the record, such as {@code topK}.
     *
     * @param names components to add; none given: all
     */
    public JsonObject with(Record record, String... names) {
        return with(record, RecordField::component, names);
    }

    /**
     * Adds components of a record under their names in documents, such as {@code top_k}.
     *
     * @param names components to add; none given: all
     */
    public JsonObject withFields(Record record, String... names) {
        return with(record, RecordField::name, names);
    }

    private JsonObject with(Record record, Function<RecordField, String> name, String... names) {
        List<RecordField> fields = RecordFields.of(record.getClass()).all();
        if (names.length == 0) {
            fields.forEach(field -> with(name.apply(field), field.get(record)));
        }
        for (String wanted : names) {
            RecordField found = fields.stream()
                    .filter(field -> name.apply(field).equals(wanted))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(record.getClass() + " has no " + wanted));
            with(wanted, found.get(record));
        }
        return this;
    }
}
