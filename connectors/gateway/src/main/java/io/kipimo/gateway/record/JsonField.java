package io.kipimo.gateway.record;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * A field of an item: its name, or the path to it, as {@code document.id} or as JSON pointer {@code /document/id}. If a
 * field has the whole text as its name, it comes first. At the end of a pointer, {@code *} stands for the only field.
 */
record JsonField(String name, JsonPointer way) {
    /** @throws IllegalArgumentException if the name begins with a slash and is no JSON pointer */
    static JsonField of(String name) {
        return new JsonField(name, JsonPointer.compile(name.startsWith("/") ? name : pointer(name)));
    }

    private static String pointer(String dotted) {
        return '/' + dotted.replace("~", "~0").replace("/", "~1").replace('.', '/');
    }

    /** The field's value in an item. A list of one value counts as that value. */
    JsonNode of(JsonNode item) {
        JsonNode value = item.path(name);
        if (value.isMissingNode()) {
            value = item.at(way);
        }
        if (value.isMissingNode() && name.endsWith("/*")) {
            JsonNode parent = item.at(way.head());
            value = parent.size() == 1 ? parent.iterator().next() : value;
        }
        return value.isArray() && value.size() == 1 ? value.get(0) : value;
    }
}
