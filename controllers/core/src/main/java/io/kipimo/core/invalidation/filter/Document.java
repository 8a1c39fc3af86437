package io.kipimo.core.invalidation.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Named values in the order in which they were written. Documents are equal only if the order is, too, as in MongoDB.
 */
public final class Document implements Value {
    public static final Document EMPTY = new DocumentBuilder().build();

    // Up to this size a scan is faster than a hash table.
    private static final int MOST_SCANNED = 12;

    private final String[] names;
    private final Value[] values;
    private final Map<String, Integer> positions;

    private Document(String[] names, Value[] values) {
        this.names = names;
        this.values = values;
        this.positions = names.length > MOST_SCANNED ? new HashMap<>() : Map.of();
        if (names.length > MOST_SCANNED) {
            for (int i = 0; i < names.length; i++) {
                positions.put(names[i], i);
            }
        }
    }

    public static DocumentBuilder builder() {
        return new DocumentBuilder();
    }

    public static Document of(String name, Value value) {
        return builder().put(name, value).build();
    }

    public int size() {
        return names.length;
    }

    public boolean isEmpty() {
        return names.length == 0;
    }

    public String name(int index) {
        return names[index];
    }

    public Value value(int index) {
        return values[index];
    }

    /** Value of a field; null if there is no such field. */
    public Value get(String name) {
        if (names.length > MOST_SCANNED) {
            Integer position = positions.get(name);
            return position == null ? null : values[position];
        }
        for (int i = 0; i < names.length; i++) {
            if (names[i].equals(name)) {
                return values[i];
            }
        }
        return null;
    }

    @Override
    public BsonType type() {
        return BsonType.OBJECT;
    }

    @Override
    public Value canonical() {
        Value[] canonical = new Value[values.length];
        for (int i = 0; i < values.length; i++) {
            canonical[i] = values[i].canonical();
        }
        return new Document(names, canonical);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Document other && Arrays.equals(names, other.names) && Arrays.equals(values, other.values);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(names) + Arrays.hashCode(values);
    }

    /** The document as extended JSON. */
    @Override
    public String toString() {
        return ExtendedJson.write(this);
    }

    /** Collects fields in order. */
    public static final class DocumentBuilder {
        private final List<String> names = new ArrayList<>();
        private final List<Value> values = new ArrayList<>();

        private DocumentBuilder() {}

        public DocumentBuilder put(String name, Value value) {
            names.add(name);
            values.add(value);
            return this;
        }

        public DocumentBuilder put(String name, String value) {
            return put(name, new TextValue(value));
        }

        public DocumentBuilder put(String name, long value) {
            return put(name, new Int64(value));
        }

        public DocumentBuilder put(String name, double value) {
            return put(name, new Float64(value));
        }

        public DocumentBuilder put(String name, boolean value) {
            return put(name, new Bool(value));
        }

        /** @throws IllegalArgumentException if a name occurs twice */
        public Document build() {
            Map<String, Integer> seen = new HashMap<>();
            for (int i = 0; i < names.size(); i++) {
                if (seen.put(names.get(i), i) != null) {
                    throw new IllegalArgumentException("field '" + names.get(i) + "' occurs twice");
                }
            }
            return new Document(names.toArray(new String[0]), values.toArray(new Value[0]));
        }
    }
}
