package io.kipimo.core.invalidation.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * MongoDB's matching, as literally as possible after its source: it interprets filter documents directly, and expands
 * paths to lists of elements. It is slow, and shares only values and their order with the tested code.
 */
final class NaiveMatcher {
    private NaiveMatcher() {}

    static boolean matches(Document filter, Value root) {
        for (int i = 0; i < filter.size(); i++) {
            if (!matches(filter.name(i), filter.value(i), root)) {
                return false;
            }
        }
        return true;
    }

    private static boolean matches(String name, Value operand, Value root) {
        return switch (name) {
            case "$and" -> parts(operand).stream().allMatch(f -> matches(f, root));
            case "$or" -> parts(operand).stream().anyMatch(f -> matches(f, root));
            case "$nor" -> parts(operand).stream().noneMatch(f -> matches(f, root));
            default -> field(name, operand, root);
        };
    }

    private static List<Document> parts(Value operand) {
        return ((ArrayValue) operand)
                .values().stream().map(Document.class::cast).toList();
    }

    private static boolean isOperators(Value value) {
        return value instanceof Document d && d.size() > 0 && d.name(0).startsWith("$");
    }

    private static boolean field(String path, Value operand, Value root) {
        if (!isOperators(operand)) {
            return some(path, root, "$eq", operand, null);
        }
        Document operators = (Document) operand;
        for (int i = 0; i < operators.size(); i++) {
            if (!operator(path, operators.name(i), operators.value(i), operators, root)) {
                return false;
            }
        }
        return true;
    }

    private static boolean operator(String path, String name, Value operand, Document siblings, Value root) {
        return switch (name) {
            case "$ne" -> !some(path, root, "$eq", operand, siblings);
            case "$nin" -> !some(path, root, "$in", operand, siblings);
            case "$not" -> !field(path, operand, root);
            case "$exists" -> some(path, root, "$exists", operand, siblings) == operand.equals(new Value.Bool(true));
            case "$all" -> {
                List<Value> values = ((ArrayValue) operand).values();
                yield !values.isEmpty() && values.stream().allMatch(v -> some(path, root, "$eq", v, siblings));
            }
            default -> some(path, root, name, operand, siblings);
        };
    }

    private static boolean some(String path, Value root, String name, Value operand, Document siblings) {
        boolean entersLeaf = !name.equals("$size") && !name.equals("$elemMatch");
        List<Optional<Value>> elements = new ArrayList<>();
        document(root, List.of(path.split("\\.")), entersLeaf, elements);
        return elements.stream().anyMatch(e -> element(e.orElse(null), name, operand, siblings));
    }

    private static Value get(Value object, String name) {
        if (object instanceof Document document) {
            return document.get(name);
        }
        List<Value> values = ((ArrayValue) object).values();
        for (int i = 0; i < values.size(); i++) {
            if (Integer.toString(i).equals(name)) {
                return values.get(i);
            }
        }
        return null;
    }

    private static void document(Value object, List<String> path, boolean entersLeaf, List<Optional<Value>> into) {
        Value value = get(object, path.get(0));
        List<String> rest = path.subList(1, path.size());
        if (value instanceof ArrayValue array) {
            array(array, rest, entersLeaf, into);
        } else if (rest.isEmpty()) {
            into.add(Optional.ofNullable(value));
        } else if (value instanceof Document) {
            document(value, rest, entersLeaf, into);
        } else {
            into.add(Optional.empty());
        }
    }

    private static void array(ArrayValue array, List<String> path, boolean entersLeaf, List<Optional<Value>> into) {
        if (path.isEmpty()) {
            if (entersLeaf) {
                array.values().forEach(value -> into.add(Optional.of(value)));
            }
            into.add(Optional.of(array));
            return;
        }
        for (int i = 0; i < array.size(); i++) {
            Value element = array.get(i);
            if (element instanceof Document) {
                document(element, path, entersLeaf, into);
            }
            if (Integer.toString(i).equals(path.get(0))) {
                List<String> rest = path.subList(1, path.size());
                if (rest.isEmpty()) {
                    into.add(Optional.of(element));
                } else if (element instanceof Document) {
                    document(element, rest, entersLeaf, into);
                } else if (element instanceof ArrayValue nested) {
                    array(nested, rest, entersLeaf, into);
                }
            }
        }
    }

    /** One element; null means missing. */
    private static boolean element(Value e, String name, Value operand, Document siblings) {
        return switch (name) {
            case "$exists" -> e != null;
            case "$eq", "$gt", "$gte", "$lt", "$lte" -> compares(e, name, operand);
            case "$ne" -> !compares(e, "$eq", operand);
            case "$in" -> ((ArrayValue) operand).values().stream().anyMatch(v -> compares(e, "$eq", v));
            case "$nin" -> !element(e, "$in", operand, siblings);
            case "$all" -> {
                List<Value> values = ((ArrayValue) operand).values();
                yield !values.isEmpty() && values.stream().allMatch(v -> compares(e, "$eq", v));
            }
            case "$not" -> !elements(e, (Document) operand);
            case "$type" -> e != null && isOfType(e, operand);
            case "$size" -> e instanceof ArrayValue array && operand.equals(new Value.Int32(array.size()));
            case "$mod" -> mod(e, (ArrayValue) operand);
            case "$regex" -> regex(e, operand, siblings);
            case "$options" -> true;
            case "$elemMatch" -> elemMatch(e, (Document) operand);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static boolean elements(Value e, Document operators) {
        for (int i = 0; i < operators.size(); i++) {
            String name = operators.name(i);
            boolean isMet = element(e, name, operators.value(i), operators);
            if (name.equals("$exists")) {
                isMet = isMet == operators.value(i).equals(new Value.Bool(true));
            }
            if (!isMet) {
                return false;
            }
        }
        return true;
    }

    private static boolean compares(Value e, String name, Value operand) {
        Value seen = e == null ? Value.ConstantValue.NULL : e;
        if (seen.type().bracket() != operand.type().bracket()) {
            return false;
        }
        int order = ValueOrder.order(seen, operand);
        return switch (name) {
            case "$eq" -> order == 0;
            case "$gt" -> order > 0;
            case "$gte" -> order >= 0;
            case "$lt" -> order < 0;
            default -> order <= 0;
        };
    }

    private static boolean isOfType(Value e, Value operand) {
        if (operand.equals(new Value.TextValue("number"))) {
            return ValueOrder.isNumber(e);
        }
        return operand.equals(new Value.TextValue(e.type().alias()))
                || operand.equals(new Value.Int32(e.type().code()));
    }

    private static boolean mod(Value e, ArrayValue operand) {
        if (e == null || !ValueOrder.isNumber(e)) {
            return false;
        }
        long whole =
                switch (e.type()) {
                    case INT -> ((Value.Int32) e).value();
                    case LONG -> ((Value.Int64) e).value();
                    case DOUBLE -> (long) ((Value.Float64) e).value();
                    default -> ((Value.Decimal) e).finite().longValue();
                };
        long divisor = ((Value.Int32) operand.get(0)).value();
        return whole % divisor == ((Value.Int32) operand.get(1)).value();
    }

    private static boolean regex(Value e, Value operand, Document siblings) {
        boolean ignoresCase = siblings.get("$options") != null;
        return e instanceof Value.TextValue text
                && Pattern.compile(((Value.TextValue) operand).value(), ignoresCase ? Pattern.CASE_INSENSITIVE : 0)
                        .matcher(text.value())
                        .find();
    }

    private static boolean elemMatch(Value e, Document operand) {
        if (!(e instanceof ArrayValue array)) {
            return false;
        }
        boolean isOfElements =
                isOperators(operand) && !List.of("$and", "$or", "$nor").contains(operand.name(0));
        for (Value inner : array.values()) {
            boolean isObject = inner.type() == BsonType.OBJECT || inner.type() == BsonType.ARRAY;
            if (isOfElements ? elements(inner, operand) : isObject && matches(operand, inner)) {
                return true;
            }
        }
        return false;
    }
}
