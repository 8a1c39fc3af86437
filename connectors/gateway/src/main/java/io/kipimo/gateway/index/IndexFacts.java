package io.kipimo.gateway.index;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.gateway.config.IndexConfig;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Facts about an index.
 *
 * @param unknown why nothing is known; empty: the other facts are known
 * @param hides condition by which the index hides results; empty: it hides none
 * @param vectors fields that are searched by vectors
 */
public record IndexFacts(String unknown, String hides, AskedFields vectors) {
    /** Facts for queries whose index is not looked up: nothing is hidden, and no field is searched by vectors. */
    public static final IndexFacts NOT_ASKED = new IndexFacts("", "", AskedFields.NONE);

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Facts of an index about which nothing is known. */
    public static IndexFacts unknown(String why) {
        return new IndexFacts(why, "", AskedFields.NONE);
    }

    /** Names of the fields that are searched by vectors. */
    Set<String> vectorFields() {
        return vectors.names();
    }

    /** Whether the other facts are known. */
    public boolean isKnown() {
        return unknown.isEmpty();
    }

    /** Reads the facts from an answer of the engine's API. They are unknown if it is no JSON object. */
    public static IndexFacts of(IndexConfig config, byte[] answer) {
        JsonNode tree;
        try {
            tree = JSON.readTree(answer);
        } catch (IOException e) {
            return unknown("is not JSON");
        }
        if (tree == null || !tree.isObject()) {
            return unknown("is no JSON object");
        }
        String hides = config.hidesWhen().stream()
                .filter(sign -> sign.holds(tree))
                .map(sign -> sign.pointer())
                .findFirst()
                .orElse("");
        Set<String> fields = new TreeSet<>();
        if (!config.vectorTypes().isEmpty()) {
            for (JsonNode index : tree) {
                Map<String, String> types = new HashMap<>();
                Map<String, String> aliases = new HashMap<>();
                addFields(index.path("mappings"), "", types, aliases);
                types.forEach((name, type) -> {
                    if (config.vectorTypes().contains(type)) {
                        fields.add(name);
                    }
                });
                aliases.forEach((name, path) -> {
                    if (config.vectorTypes().contains(types.getOrDefault(path, ""))) {
                        fields.add(name);
                    }
                });
            }
        }
        return new IndexFacts("", hides, new AskedFields(fields));
    }

    /** Adds the fields of a mapping: also the fields of objects, and those that index another field once more. */
    private static void addFields(
            JsonNode node, String prefix, Map<String, String> types, Map<String, String> aliases) {
        for (String group : new String[] {"properties", "fields", "runtime"}) {
            node.path(group)
                    .properties()
                    .forEach(field -> addField(prefix + field.getKey(), field.getValue(), types, aliases));
        }
        if (prefix.isEmpty()) {
            // Before version 7 the fields of a type stand one level deeper.
            node.properties().forEach(type -> {
                if (type.getValue().has("properties") && !type.getKey().equals("properties")) {
                    type.getValue()
                            .path("properties")
                            .properties()
                            .forEach(field -> addField(field.getKey(), field.getValue(), types, aliases));
                }
            });
        }
    }

    private static void addField(String name, JsonNode field, Map<String, String> types, Map<String, String> aliases) {
        if (field.path("type").isTextual()) {
            types.put(name, field.path("type").asText());
        }
        if (field.path("path").isTextual()) {
            aliases.put(name, field.path("path").asText());
        }
        addFields(field, name + '.', types, aliases);
    }
}
