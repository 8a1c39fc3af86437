package io.kipimo.core.invalidation.filter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Random documents and filters as JSON trees. They use few names and values, so that many match. They cover all
 * operators, arrays in arrays, indexes in paths, null, and numbers of all types.
 */
public final class RandomFilters {
    private static final List<String> NAMES = List.of("a", "b", "c", "0");
    private static final List<String> PATHS =
            List.of("a", "b", "c", "a.b", "a.c", "b.a", "a.0", "a.1", "a.b.c", "b.0.a", "a.0.0");
    private static final List<Object> TYPES =
            List.of("number", "string", "array", "object", "null", "bool", "int", 1, 18, "date");
    private static final List<String> PATTERNS =
            List.of("^x", "x", "y$", "^xy?", "X", "[xy]+y", "^(x|yx)", "x.y", "\\bx\\b");

    private final RandomGenerator random;

    public RandomFilters(RandomGenerator random) {
        this.random = random;
    }

    public Map<String, Object> document() {
        return document(3);
    }

    private Map<String, Object> document(int depth) {
        Map<String, Object> document = new LinkedHashMap<>();
        for (int fields = random.nextInt(4); fields >= 0; fields--) {
            document.put(NAMES.get(random.nextInt(depth == 3 ? 3 : 4)), value(depth));
        }
        return document;
    }

    private Object value(int depth) {
        int kind = depth == 0 ? random.nextInt(7) : random.nextInt(11);
        if (kind < 7) {
            return scalar();
        }
        return kind < 9 ? array(depth - 1) : document(depth - 1);
    }

    private Object scalar() {
        return switch (random.nextInt(14)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2, 3, 4, 5 -> random.nextInt(4);
            case 6 -> (long) random.nextInt(3);
            case 7 -> random.nextInt(6) / 2.0;
            case 8 -> Map.of("$numberDecimal", random.nextBoolean() ? "1.0" : "2.5");
            case 9 -> Map.of("$date", "2026-01-0" + (1 + random.nextInt(2)) + "T00:00:00Z");
            case 10 -> Map.of("$oid", "00000000000000000000000" + random.nextInt(2));
            default -> List.of("", "x", "y", "xy", "yx", "x y").get(random.nextInt(6));
        };
    }

    private List<Object> array(int depth) {
        List<Object> array = new ArrayList<>();
        for (int size = random.nextInt(4); size > 0; size--) {
            array.add(value(depth));
        }
        return array;
    }

    public Map<String, Object> filter() {
        return filter(2);
    }

    private Map<String, Object> filter(int depth) {
        Map<String, Object> filter = new LinkedHashMap<>();
        for (int parts = random.nextInt(3) == 0 ? 2 : 1; parts > 0; parts--) {
            if (depth > 0 && random.nextInt(5) == 0) {
                List<Object> filters = new ArrayList<>();
                for (int size = 1 + random.nextInt(3); size > 0; size--) {
                    filters.add(filter(depth - 1));
                }
                filter.put(List.of("$and", "$or", "$nor").get(random.nextInt(3)), filters);
            } else {
                filter.put(
                        PATHS.get(random.nextInt(random.nextBoolean() ? 3 : PATHS.size())),
                        random.nextInt(4) == 0 ? value(2) : operators(depth));
            }
        }
        return filter;
    }

    private Map<String, Object> operators(int depth) {
        Map<String, Object> operators = new LinkedHashMap<>();
        for (int count = random.nextInt(4) == 0 ? 2 : 1; count > 0; count--) {
            operator(depth, operators);
        }
        return operators;
    }

    private void operator(int depth, Map<String, Object> into) {
        switch (random.nextInt(depth > 0 ? 18 : 16)) {
            case 0 -> into.put("$eq", value(2));
            case 1 -> into.put("$ne", value(1));
            case 2 -> into.put("$gt", value(1));
            case 3 -> into.put("$gte", value(1));
            case 4, 5 -> into.put("$lt", value(1));
            case 6 -> into.put("$lte", value(1));
            case 7, 8 -> into.put("$in", array(1));
            case 9 -> into.put("$nin", array(1));
            case 10 -> into.put("$exists", random.nextBoolean());
            case 11 -> into.put("$type", TYPES.get(random.nextInt(TYPES.size())));
            case 12 -> into.put("$size", random.nextInt(4));
            case 13 -> into.put("$all", array(1));
            case 14 -> into.put("$mod", List.of(1 + random.nextInt(3), random.nextInt(2)));
            case 15 -> {
                into.put("$regex", PATTERNS.get(random.nextInt(PATTERNS.size())));
                if (random.nextInt(4) == 0) {
                    into.put("$options", "i");
                }
            }
            case 16 -> into.put("$not", operators(depth - 1));
            default -> into.put("$elemMatch", random.nextBoolean() ? operators(depth - 1) : filter(depth - 1));
        }
    }
}
