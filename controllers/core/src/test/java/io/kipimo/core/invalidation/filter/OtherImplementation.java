package io.kipimo.core.invalidation.filter;

import de.bwaldvogel.mongo.backend.DefaultQueryMatcher;
import de.bwaldvogel.mongo.bson.Decimal128;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.bson.ObjectId;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The matcher of mongo-java-server, a third-party replacement of MongoDB in tests, and the pairs for which its result
 * is known to differ from MongoDB's.
 */
final class OtherImplementation {
    private static final Set<String> LOGICAL = Set.of("$and", "$or", "$nor");

    private final DefaultQueryMatcher matcher = new DefaultQueryMatcher();

    boolean matches(Map<String, Object> filter, Map<String, Object> document) {
        return matcher.matches((Document) converted(document), (Document) converted(filter));
    }

    private static Object converted(Object tree) {
        if (tree instanceof List<?> list) {
            List<Object> values = new ArrayList<>();
            list.forEach(value -> values.add(converted(value)));
            return values;
        }
        if (!(tree instanceof Map<?, ?> map)) {
            return tree;
        }
        if (map.containsKey("$oid")) {
            return new ObjectId((String) map.get("$oid"));
        }
        if (map.containsKey("$date")) {
            return Instant.parse((String) map.get("$date"));
        }
        if (map.containsKey("$numberDecimal")) {
            return new Decimal128(new BigDecimal((String) map.get("$numberDecimal")));
        }
        Document document = new Document();
        map.forEach((name, value) -> document.put((String) name, converted(value)));
        return document;
    }

    /**
     * Whether its answer is known to differ from MongoDB's for such a pair:
     *
     * <ul>
     *   <li>{@code $gte} and {@code $lte} of null select nothing (MongoDB: null and missing);
     *   <li>{@code $all} does not treat null as missing, selects arrays only, and is not evaluated together with other
     *       operators;
     *   <li>{@code $in} finds values in arrays of arrays;
     *   <li>a document as a value is compared field by field with values that are not documents;
     *   <li>{@code $not} of several operators does not negate all of them together;
     *   <li>{@code $elemMatch} of fields is evaluated on elements without fields;
     *   <li>{@code $regex} matches the text of documents, arrays and numbers, and other operators beside it are not
     *       evaluated;
     *   <li>arrays as operands are compared with elements only, or with the whole only;
     *   <li>in arrays, paths support either indexes or documents, and no missing fields;
     *   <li>two operators of one field are evaluated one by one on the elements of an array, but only once on the whole
     *       array;
     *   <li>{@code $mod} cannot read decimals.
     * </ul>
     */
    static boolean isKnownToDiffer(Map<String, Object> filter, Map<String, Object> document) {
        return filter.entrySet().stream()
                .anyMatch(part -> LOGICAL.contains(part.getKey())
                        ? anyDiffers((List<?>) part.getValue(), document)
                        : differs(part.getKey(), part.getValue(), document));
    }

    @SuppressWarnings("unchecked")
    private static boolean anyDiffers(List<?> filters, Map<String, Object> document) {
        return filters.stream().anyMatch(f -> isKnownToDiffer((Map<String, Object>) f, document));
    }

    private static boolean differs(String path, Object operand, Map<String, Object> document) {
        if (path.contains(".") && document.get(path.split("\\.")[0]) instanceof List) {
            return true;
        }
        if (path.contains(".") && entersList(document.get(path.split("\\.")[0]))) {
            return true;
        }
        if (!(operand instanceof Map<?, ?> map) || !isOperators(map)) {
            boolean isEntered = document.get(path.split("\\.")[0]) instanceof List;
            return operand instanceof Map<?, ?> value
                    ? isEntered || value.containsValue(null)
                    : operand instanceof List;
        }
        boolean isList = document.get(path.split("\\.")[0]) instanceof List;
        boolean isSeveral = map.size() > (map.containsKey("$options") ? 2 : 1);
        boolean isAlone = map.containsKey("$all") || map.containsKey("$regex");
        if ((isSeveral && (isAlone || isList)) || (map.containsKey("$all") && !isList)) {
            return true;
        }
        return anyOperatorDiffers(map, document);
    }

    private static boolean anyOperatorDiffers(Map<?, ?> operators, Map<String, Object> document) {
        return operators.entrySet().stream()
                .anyMatch(o -> operatorDiffers((String) o.getKey(), o.getValue(), document));
    }

    private static boolean operatorDiffers(String name, Object operand, Map<String, Object> document) {
        return switch (name) {
            case "$gte", "$lte" -> operand == null || operand instanceof List;
            case "$eq", "$ne", "$gt", "$lt" -> operand instanceof List;
            case "$in", "$nin", "$all" ->
                ((List<?>) operand).stream().anyMatch(v -> v == null || v instanceof List)
                        || document.values().stream().anyMatch(v -> holdsList(v, 2));
            case "$regex" -> document.values().stream().anyMatch(v -> !(v instanceof String));
            case "$mod" -> document.toString().contains("$numberDecimal");
            case "$not" ->
                ((Map<?, ?>) operand).size() > 1
                        || ((Map<?, ?>) operand).containsKey("$all")
                        || anyOperatorDiffers((Map<?, ?>) operand, document);
            case "$elemMatch" ->
                !isOperators((Map<?, ?>) operand)
                        || ((Map<?, ?>) operand).keySet().stream().anyMatch(LOGICAL::contains)
                        || ((Map<?, ?>) operand).size() > 1
                        || ((Map<?, ?>) operand).containsKey("$all")
                        || anyOperatorDiffers((Map<?, ?>) operand, document);
            default -> false;
        };
    }

    /** Whether lists are nested this deep. */
    private static boolean holdsList(Object value, int depth) {
        return value instanceof List<?> list && (depth == 1 || list.stream().anyMatch(v -> holdsList(v, depth - 1)));
    }

    private static boolean isOperators(Map<?, ?> map) {
        return !map.isEmpty() && ((String) map.keySet().iterator().next()).startsWith("$");
    }

    private static boolean entersList(Object value) {
        return value instanceof Map<?, ?> map
                && map.values().stream().anyMatch(v -> v instanceof List || entersList(v));
    }
}
