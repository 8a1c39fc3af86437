package io.kipimo.core.invalidation.filter;

import java.util.ArrayList;
import java.util.List;

/** An array, in order. */
public record ArrayValue(List<Value> values) implements Value {
    public static final ArrayValue EMPTY = new ArrayValue(List.of());

    public ArrayValue {
        values = List.copyOf(values);
    }

    public static ArrayValue of(Value... values) {
        return new ArrayValue(List.of(values));
    }

    public int size() {
        return values.size();
    }

    public Value get(int index) {
        return values.get(index);
    }

    @Override
    public BsonType type() {
        return BsonType.ARRAY;
    }

    @Override
    public Value canonical() {
        List<Value> canonical = new ArrayList<>(values.size());
        values.forEach(value -> canonical.add(value.canonical()));
        return new ArrayValue(canonical);
    }

    @Override
    public String toString() {
        return ExtendedJson.write(this);
    }
}
