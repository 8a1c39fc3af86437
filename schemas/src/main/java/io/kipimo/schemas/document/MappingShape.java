package io.kipimo.schemas.document;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The keys of a mapping in a document, and the allowed values of each key. The mapping's reader notes each key here
 * when it takes the key's value. Mutable; for one thread.
 */
final class MappingShape {
    /** The name of every key in samples of a mapping with free names. */
    private static final String ANY = "x";

    /** Schema and sample values of a key. */
    private record KeyContents(Map<String, Object> schema, Object[] samples) {}

    private final Set<String> keys = new LinkedHashSet<>();
    private final Map<String, KeyContents> values = new LinkedHashMap<>();
    private final Map<String, MappingShape> mappings = new LinkedHashMap<>();
    private final Map<String, MappingShape> lists = new LinkedHashMap<>();
    private final Set<String> fewest = new LinkedHashSet<>();
    private final Map<String, Integer> needed = new LinkedHashMap<>();
    private boolean named;
    private int visits;

    /** Notes that the reader begins with a mapping of this shape. */
    void visit() {
        visits++;
    }

    /** Notes that users choose the names of the keys. */
    void free() {
        named = true;
    }

    /** Notes a key that the reader looks for. Any value is allowed until the value is noted, too. */
    void key(String key) {
        keys.add(named ? ANY : key);
    }

    /**
     * Notes that a key must be present. The schema requires the key if every visit notes this, so it does not require
     * keys that only some documents need.
     */
    void need(String key) {
        needed.merge(key, 1, Integer::sum);
    }

    /** Notes that a list must not be empty. */
    void needSome(String key) {
        fewest.add(key);
    }

    /**
     * Notes a value that is no mapping with keys of its own.
     *
     * @param schema keywords of JSON Schema
     * @param samples allowed values, at least one
     */
    void value(String key, Map<String, Object> schema, Object... samples) {
        values.put(named ? ANY : key, new KeyContents(schema, samples));
    }

    /** Notes a value that is one of the given words. */
    void choice(String key, List<String> words) {
        value(key, Map.of("enum", words), words.toArray());
    }

    /** Notes a list of the given words. */
    void choiceList(String key, List<String> words) {
        value(key, list(Map.of("enum", words)), List.of(words.get(0)));
    }

    /** Notes a number in a closed range; a bound of 1e15 or more, or of -1e15 or less, counts as none. */
    void number(String key, boolean whole, double least, double most) {
        value(key, numbers(whole, least, most), sample(whole, least, most));
    }

    /** Notes a list of numbers in a closed range. */
    void numberList(String key, double least, double most) {
        JsonObject schema = new JsonObject().with("type", "array").with("items", numbers(false, least, most));
        value(key, schema, List.of(sample(false, least, most)));
    }

    void flag(String key) {
        value(key, Map.of("type", "boolean"), true, false);
    }

    /** Notes a text; YAML's numbers and booleans are taken as texts. */
    void text(String key) {
        value(key, texts(), ANY);
    }

    void textList(String key) {
        value(key, list(texts()), List.of(ANY));
    }

    /**
     * Notes a text of a certain form.
     *
     * @param pattern regular expression of ECMA-262 that the whole text matches; empty: any text is allowed
     * @param allowed description of the form, for people
     */
    void form(String key, String pattern, String allowed, String sample) {
        value(key, form(pattern, allowed), sample);
    }

    /** Notes a text of a certain form, or a whole number of at least 0. */
    void formOrCount(String key, String pattern, String allowed, String sample) {
        value(
                key,
                form(pattern, allowed)
                        .with("type", List.of("string", "integer"))
                        .with("minimum", 0),
                sample);
    }

    /** Notes a list of texts of a certain form. */
    void formList(String key, String pattern, String allowed, String sample) {
        value(key, list(form(pattern, allowed)), List.of(sample));
    }

    /** Notes a mapping with any keys and values. */
    void anyMapping(String key) {
        value(key, Map.of("type", List.of("object", "null")), Map.of(ANY, ANY));
    }

    /** The shape of the mapping at a key. */
    MappingShape mapping(String key) {
        return mappings.computeIfAbsent(named ? ANY : key, k -> new MappingShape());
    }

    /** The shape of the mappings in the list at a key. */
    MappingShape list(String key) {
        return lists.computeIfAbsent(named ? ANY : key, k -> new MappingShape());
    }

    private static Map<String, Object> list(Map<String, ?> items) {
        return new JsonObject().with("type", List.of("array", "null")).with("items", items);
    }

    private static Map<String, Object> texts() {
        return new JsonObject()
                .with("type", List.of("string", "number", "boolean"))
                .with("pattern", "\\S");
    }

    private static JsonObject form(String pattern, String allowed) {
        Optional<String> whole = pattern.isEmpty() ? Optional.empty() : Optional.of("^(" + pattern + ")$");
        return new JsonObject()
                .with("type", "string")
                .withPresent("pattern", whole)
                .with("description", allowed);
    }

    private static Map<String, Object> numbers(boolean whole, double least, double most) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", whole ? "integer" : "number");
        if (least > -1e15) {
            schema.put("minimum", plain(least));
        }
        if (most < 1e15) {
            schema.put("maximum", plain(most));
        }
        return schema;
    }

    private static Number plain(double number) {
        return number == Math.rint(number) ? (Number) (long) number : (Number) number;
    }

    private static Number sample(boolean whole, double least, double most) {
        double value = Math.max(least, Math.min(1, most));
        return whole ? (Number) (long) value : (Number) value;
    }

    /** A number that grows with each new key of this mapping or of a mapping in it. */
    int size() {
        int size = keys.size() + values.size() + mappings.size() + lists.size() + (named ? 1 : 0);
        for (MappingShape mapping : mappings.values()) {
            size += mapping.size();
        }
        for (MappingShape list : lists.values()) {
            size += list.size();
        }
        return size;
    }

    /** Returns a sample mapping with every key noted so far; {@code turn} selects each key's sample value. */
    Map<String, Object> sample(int turn) {
        Map<String, Object> sample = new LinkedHashMap<>();
        if (named) {
            sample.put(ANY, Map.of());
        }
        keys.forEach(key -> sample.put(key, Map.of()));
        values.forEach((key, value) -> sample.put(key, value.samples()[turn % value.samples().length]));
        mappings.forEach((key, mapping) -> sample.put(key, mapping.sample(turn)));
        lists.forEach((key, list) -> sample.put(key, List.of(list.sample(turn))));
        return sample;
    }

    Map<String, Object> schema() {
        Map<String, Object> properties = new LinkedHashMap<>();
        keys.forEach(key -> properties.put(key, Map.of()));
        values.forEach((key, value) -> {
            Map<String, Object> schema = new LinkedHashMap<>(value.schema());
            if (fewest.contains(key)) {
                schema.put("type", "array");
                schema.put("minItems", 1);
            }
            properties.put(key, schema);
        });
        mappings.forEach((key, mapping) -> properties.put(key, mapping.schema()));
        lists.forEach((key, list) -> properties.put(key, list(list, fewest.contains(key))));
        Map<String, Object> schema = new LinkedHashMap<>();
        // A key whose values are all comments is as good as none.
        schema.put("type", List.of("object", "null"));
        if (named) {
            schema.put("additionalProperties", properties.getOrDefault(ANY, Map.of()));
            return schema;
        }
        schema.put("properties", properties);
        List<String> required = new ArrayList<>();
        needed.forEach((key, times) -> {
            if (times >= visits) {
                required.add(key);
            }
        });
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        schema.put("additionalProperties", false);
        return schema;
    }

    private static Map<String, Object> list(MappingShape element, boolean some) {
        Map<String, Object> elements = new LinkedHashMap<>(element.schema());
        elements.put("type", "object");
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", some ? "array" : List.of("array", "null"));
        if (some) {
            schema.put("minItems", 1);
        }
        schema.put("items", elements);
        return schema;
    }
}
