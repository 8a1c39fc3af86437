package io.kipimo.core.invalidation;

import io.kipimo.core.invalidation.filter.ArrayValue;
import io.kipimo.core.invalidation.filter.Document;
import io.kipimo.core.invalidation.filter.Path;
import io.kipimo.core.invalidation.filter.Value;
import io.kipimo.core.invalidation.filter.ValueOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The order of a query's result: MongoDB's {@code sort}. An array counts as its least element in an ascending order,
 * and as its greatest in a descending one. An empty array sorts below null. A missing field counts as null. Ties are
 * ordered by {@code _id}, or by the record's id if that field is missing. The query must therefore be evaluated with
 * {@code _id} as the last key; without it MongoDB returns ties in any order.
 *
 * <p>Indexes into arrays are refused. Two paths with the same first part are refused too: MongoDB then takes both
 * values from the same element of an array, which a comparison by single fields cannot express.
 */
public record SortOrder(List<OrderField> keys) {
    /** The order by {@code _id} alone. */
    public static final SortOrder BY_ID = new SortOrder(List.of());

    /** One field of the order. */
    public record OrderField(Path path, boolean isAscending) {}

    /** Sort key of a record. */
    record Rank(List<Value> values, Value id, String recordId) {}

    public SortOrder {
        keys = List.copyOf(keys);
        Set<String> first = new HashSet<>();
        for (OrderField key : keys) {
            if (key.path().hasOffset()) {
                throw new IllegalArgumentException("sort by '" + key.path() + "'; allowed: paths without indexes");
            }
            if (!first.add(key.path().first())) {
                throw new IllegalArgumentException(
                        "sort by two paths below '" + key.path().first() + "'; allowed: paths that begin differently");
            }
        }
    }

    /**
     * @param sort order in MongoDB's language: {@code {age: -1, name: 1}}
     * @throws IllegalArgumentException if a direction is not 1 or -1, or a path is refused
     */
    public static SortOrder parse(Document sort) {
        List<OrderField> keys = new ArrayList<>();
        for (int i = 0; i < sort.size(); i++) {
            boolean isDirection = sort.value(i).canonical() instanceof Value.Int64 d && Math.abs(d.value()) == 1;
            if (!isDirection) {
                throw new IllegalArgumentException(
                        "sort by '" + sort.name(i) + "': " + sort.value(i) + "; allowed: 1, -1");
            }
            boolean isAscending = sort.value(i).canonical().equals(new Value.Int64(1));
            keys.add(new OrderField(Path.of(sort.name(i)), isAscending));
        }
        return new SortOrder(keys);
    }

    /** This order in MongoDB's language. */
    public Document toDocument() {
        Document.DocumentBuilder sort = Document.builder();
        keys.forEach(key -> sort.put(key.path().toString(), key.isAscending() ? 1 : -1));
        return sort.build();
    }

    Rank rank(String recordId, Document image) {
        List<Value> values = new ArrayList<>(keys.size());
        for (OrderField key : keys) {
            values.add(value(image, key));
        }
        Value id = image.get("_id");
        return new Rank(values, id == null ? new Value.TextValue(recordId) : id, recordId);
    }

    int compare(Rank a, Rank b) {
        for (int i = 0; i < keys.size(); i++) {
            int byKey = ValueOrder.order(a.values().get(i), b.values().get(i));
            if (byKey != 0) {
                return keys.get(i).isAscending() ? byKey : -byKey;
            }
        }
        int byId = ValueOrder.order(a.id(), b.id());
        return byId != 0 ? byId : a.recordId().compareTo(b.recordId());
    }

    private static Value value(Document image, OrderField key) {
        List<Value> found = new ArrayList<>(1);
        collect(image, key.path().parts(), 0, found);
        Value best = found.get(0);
        for (Value value : found) {
            int order = ValueOrder.order(value, best);
            best = (key.isAscending() ? order < 0 : order > 0) ? value : best;
        }
        return best;
    }

    /** Collects the values at a path, at least one, as an index of MongoDB would hold them. */
    private static void collect(Value value, List<String> parts, int part, List<Value> found) {
        if (value instanceof ArrayValue array) {
            if (array.size() == 0) {
                boolean isEnd = part == parts.size();
                found.add(isEnd ? Value.ConstantValue.UNDEFINED : Value.ConstantValue.NULL);
            }
            for (Value element : array.values()) {
                if (part == parts.size()) {
                    found.add(element);
                } else if (element instanceof Document) {
                    collect(element, parts, part, found);
                } else {
                    found.add(Value.ConstantValue.NULL);
                }
            }
        } else if (part == parts.size()) {
            found.add(value);
        } else {
            Value next = value instanceof Document document ? document.get(parts.get(part)) : null;
            if (next == null) {
                found.add(Value.ConstantValue.NULL);
            } else {
                collect(next, parts, part + 1, found);
            }
        }
    }
}
