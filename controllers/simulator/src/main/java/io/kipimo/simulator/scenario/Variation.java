package io.kipimo.simulator.scenario;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kipimo.schemas.document.YamlDocument;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Values that one key of a scenario takes in turn.
 *
 * @param key the key with the keys above it, such as {@code service.classes[1].arrivals.rate_per_second}
 */
public record Variation(String key, List<String> values) {
    private static final Pattern KEY = Pattern.compile("[a-z_]+(?:\\[\\d{1,6}]|\\.[a-z_]+)*");

    /**
     * Parses {@code KEY=VALUE,VALUE,...}.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    public static Variation parse(String text) {
        int equals = text.indexOf('=');
        List<String> values =
                equals < 0 ? List.of() : List.of(text.substring(equals + 1).split(",", -1));
        if (values.isEmpty()
                || !KEY.matcher(text.substring(0, equals)).matches()
                || values.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("is '" + text + "'; allowed: KEY=VALUE,VALUE,..., a key within others as"
                    + " caching.freshness.refresh_millis");
        }
        if (values.stream().distinct().count() < values.size()) {
            throw new IllegalArgumentException("is '" + text + "'; allowed: each value once");
        }
        return new Variation(text.substring(0, equals), values);
    }

    /**
     * Returns one scenario for each value, by a name that consists of the key's last part and the value.
     *
     * @throws IllegalArgumentException if the scenario has no room for the key
     */
    public Map<String, JsonNode> of(JsonNode scenario) {
        Map<String, JsonNode> all = new LinkedHashMap<>();
        for (String value : values) {
            all.put(key.substring(key.lastIndexOf('.') + 1) + '=' + value, with(scenario, value));
        }
        return all;
    }

    private JsonNode with(JsonNode scenario, String value) {
        JsonPointer at =
                JsonPointer.compile('/' + key.replace('.', '/').replace("]", "").replace('[', '/'));
        JsonNode changed = scenario.deepCopy();
        try {
            JsonNode above = changed.at(at.head());
            if (above instanceof ArrayNode list && list.has(at.last().getMatchingIndex())) {
                list.set(at.last().getMatchingIndex(), YamlDocument.read(value));
            } else if (changed instanceof ObjectNode fields && !above.isArray()) {
                (at.head().matches() ? fields : fields.withObject(at.head()))
                        .set(at.last().getMatchingProperty(), YamlDocument.read(value));
            } else {
                throw new UnsupportedOperationException("no such element");
            }
            return changed;
        } catch (JsonProcessingException | UnsupportedOperationException e) {
            throw new IllegalArgumentException("cannot set " + key + " to '" + value + "'", e);
        }
    }
}
