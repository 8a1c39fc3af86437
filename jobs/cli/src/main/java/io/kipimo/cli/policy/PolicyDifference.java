package io.kipimo.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A field that differs between two policies. Entries of lists are named by their field {@code name} if they have one,
 * such as {@code classes.high.objective}.
 *
 * @param before value as JSON; null: the field is absent
 * @param after value as JSON; null: the field is absent
 */
record PolicyDifference(String field, String before, String after) {
    /** Field that is not compared, because storing a policy sets its version. */
    private static final String VERSION = "version";

    /** Returns all differences in the order of names. Without a stored policy, every field is new. */
    static List<PolicyDifference> between(Optional<Policy> stored, Policy next) {
        Map<String, String> before = new TreeMap<>();
        stored.ifPresent(policy -> flatten(policy, before));
        Map<String, String> after = new TreeMap<>();
        flatten(next, after);
        return Stream.concat(before.keySet().stream(), after.keySet().stream())
                .distinct()
                .sorted()
                .filter(field -> !Objects.equals(before.get(field), after.get(field)))
                .map(field -> new PolicyDifference(field, before.get(field), after.get(field)))
                .toList();
    }

    private static void flatten(Policy policy, Map<String, String> fields) {
        flatten("", MessageTree.write(Codecs.POLICY.toMessage(policy)), fields);
        fields.remove(VERSION);
    }

    private static void flatten(String path, JsonNode node, Map<String, String> fields) {
        String prefix = path.isEmpty() ? "" : path + ".";
        if (node.isObject()) {
            node.properties().forEach(f -> flatten(prefix + f.getKey(), f.getValue(), fields));
        } else if (node.isArray() && node.size() > 0 && node.get(0).isObject()) {
            for (int i = 0; i < node.size(); i++) {
                String name = node.get(i).path("name").asText();
                flatten(prefix + (name.isEmpty() ? Integer.toString(i) : name), node.get(i), fields);
            }
        } else {
            fields.put(path, node.toString());
        }
    }

    /** A line of output: {@code ~ field: before -> after}, {@code + field: after} or {@code - field: before}. */
    String line() {
        if (before == null) {
            return "+ " + field + ": " + after;
        }
        return after == null ? "- " + field + ": " + before : "~ " + field + ": " + before + " -> " + after;
    }
}
