package io.kipimo.gateway.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Settings by which queries of a front ask fewer components.
 *
 * @param parameters parameters of the query string or of a form; their words are features of the query
 * @param fields JSON pointers into the body; the words of these fields are features, too
 * @param rewrite how a request names the components that it asks; empty: the listeners of components answer for those
 *     that are not asked
 * @param components the name that a request has for each component; empty without {@code rewrite}
 */
public record FanOutConfig(
        List<String> parameters, List<String> fields, Optional<ShardChoice> rewrite, Map<String, String> components) {
    public FanOutConfig {
        parameters = List.copyOf(parameters);
        fields = List.copyOf(fields);
        components = Collections.unmodifiableMap(new LinkedHashMap<>(components));
    }

    /** Engines whose requests can name the parts that are asked. */
    public enum ShardChoice {
        SOLR("shards", ""),
        OPENSEARCH("preference", "_shards:"),
        VESPA("restrict", "");

        private final String parameter;
        private final String prefix;

        ShardChoice(String parameter, String prefix) {
            this.parameter = parameter;
            this.prefix = prefix;
        }

        /** Name of the query parameter that lists the asked parts. */
        public String parameter() {
            return parameter;
        }

        /** Value of the parameter for these parts. */
        public String value(List<String> parts) {
            return prefix + String.join(",", parts);
        }
    }

    /** Value of the query parameter that lists these components. */
    public String value(List<String> asked) {
        List<String> parts = new ArrayList<>();
        asked.forEach(component -> parts.add(components.get(component)));
        return rewrite.orElseThrow().value(parts);
    }
}
