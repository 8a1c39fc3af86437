package io.kipimo.gateway.index;

import com.fasterxml.jackson.databind.JsonNode;
import io.kipimo.gateway.config.TextPattern;
import java.util.Collection;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Whether a search asks one of some fields: by its name, by a pattern, or as one of all. */
public final class AskedFields {
    /** What only chooses or arranges what is shown of the found documents. */
    private static final Set<String> SHOWN = Set.of(
            "_source", "fields", "stored_fields", "docvalue_fields", "script_fields", "highlight", "sort", "collapse");

    /** Clauses that ask all fields if they name none. */
    private static final Set<String> OF_ALL = Set.of("multi_match", "query_string", "simple_query_string");

    private static final Set<String> NAMES_FIELDS = Set.of("fields", "default_field");

    private AskedFields() {}

    /**
     * Whether a body asks one of the fields. In doubt it does.
     *
     * @param fields not empty
     */
    public static boolean areIn(JsonNode body, Set<String> fields) {
        Pattern any = pattern(fields);
        return body.properties().stream()
                .anyMatch(part -> !SHOWN.contains(part.getKey()) && isIn(part.getKey(), part.getValue(), fields, any));
    }

    /** Whether parameters of a query string ask one of the fields: {@code q} alone asks all. */
    public static boolean areIn(Collection<String> texts, boolean namesDefault, Set<String> fields) {
        Pattern any = pattern(fields);
        return !namesDefault || texts.stream().anyMatch(text -> names(text, fields, any));
    }

    private static boolean isIn(String name, JsonNode value, Set<String> fields, Pattern any) {
        if (fields.contains(name)
                || (OF_ALL.contains(name) && NAMES_FIELDS.stream().noneMatch(value::has))
                || (value.isTextual() && names(value.asText(), fields, any))) {
            return true;
        }
        if (value.isArray()) {
            for (JsonNode element : value) {
                if (isIn("", element, fields, any)) {
                    return true;
                }
            }
        }
        return value.properties().stream().anyMatch(part -> isIn(part.getKey(), part.getValue(), fields, any));
    }

    /** {@code lyric}, {@code lyric^2}, {@code ly*}, {@code lyric:word} in a query's own language. */
    private static boolean names(String text, Set<String> fields, Pattern any) {
        if (any.matcher(text).find()) {
            return true;
        }
        String glob = text.replaceFirst("\\^[0-9.]+$", "");
        if (glob.indexOf('*') < 0 || glob.indexOf(' ') >= 0) {
            return false;
        }
        return fields.stream().anyMatch(new TextPattern(glob)::matches);
    }

    private static Pattern pattern(Set<String> fields) {
        String names = fields.stream().map(Pattern::quote).collect(Collectors.joining("|"));
        return Pattern.compile("^(?:" + names + ")(?:\\^[0-9.]+)?$|(?<![\\w.])(?:" + names + ")\\s*[:,)]");
    }
}
