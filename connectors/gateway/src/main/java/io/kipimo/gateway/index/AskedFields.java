package io.kipimo.gateway.index;

import com.fasterxml.jackson.databind.JsonNode;
import io.kipimo.schemas.document.TextPattern;
import java.util.Collection;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A set of fields of an index. It tells if a search asks one of them: by its name, by a pattern, or by asking all
 * fields.
 */
public final class AskedFields {
    /** Keys of a search that only choose or arrange what is shown of the found documents. */
    private static final Set<String> SHOWN = Set.of(
            "_source", "fields", "stored_fields", "docvalue_fields", "script_fields", "highlight", "sort", "collapse");

    /** Clauses that ask all fields if they name none. */
    private static final Set<String> OF_ALL = Set.of("multi_match", "query_string", "simple_query_string");

    private static final Set<String> NAMES_FIELDS = Set.of("fields", "default_field");

    static final AskedFields NONE = new AskedFields(Set.of());

    private final Set<String> names;

    /** Finds the names of the fields in a text of the engine's query language. */
    private final Pattern any;

    AskedFields(Set<String> names) {
        this.names = Set.copyOf(names);
        String all = names.stream().map(Pattern::quote).collect(Collectors.joining("|"));
        this.any = Pattern.compile("^(?:" + all + ")(?:\\^[0-9.]+)?$|(?<![\\w.])(?:" + all + ")\\s*[:,)]");
    }

    Set<String> names() {
        return names;
    }

    public boolean isEmpty() {
        return names.isEmpty();
    }

    /** Whether a body asks one of the fields; in doubt, it does. There must be at least one field. */
    public boolean areIn(JsonNode body) {
        return body.properties().stream()
                .anyMatch(part -> !SHOWN.contains(part.getKey()) && isIn(part.getKey(), part.getValue()));
    }

    /**
     * Whether parameters of a query string ask one of the fields.
     *
     * @param texts values of {@code q} and {@code df}
     * @param namesDefault whether there is a {@code df}; without it, {@code q} asks all fields
     */
    public boolean areIn(Collection<String> texts, boolean namesDefault) {
        return !namesDefault || texts.stream().anyMatch(this::isNamedIn);
    }

    private boolean isIn(String name, JsonNode value) {
        if (names.contains(name)
                || (OF_ALL.contains(name) && NAMES_FIELDS.stream().noneMatch(value::has))
                || (value.isTextual() && isNamedIn(value.asText()))) {
            return true;
        }
        if (value.isArray()) {
            for (JsonNode element : value) {
                if (isIn("", element)) {
                    return true;
                }
            }
        }
        return value.properties().stream().anyMatch(part -> isIn(part.getKey(), part.getValue()));
    }

    /**
     * Whether a text names a field: {@code lyric}, {@code lyric^2}, {@code ly*}, or {@code lyric:word} within a query.
     */
    private boolean isNamedIn(String text) {
        if (any.matcher(text).find()) {
            return true;
        }
        String glob = text.replaceFirst("\\^[0-9.]+$", "");
        if (glob.indexOf('*') < 0 || glob.indexOf(' ') >= 0) {
            return false;
        }
        return names.stream().anyMatch(new TextPattern(glob)::matches);
    }
}
