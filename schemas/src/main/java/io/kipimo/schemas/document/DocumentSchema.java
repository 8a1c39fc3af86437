package io.kipimo.schemas.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Derives the JSON Schema (2020-12) of a kind of document from the code that reads it. The reader gets sample documents
 * with every key that it has asked for so far, until it asks for no new key. The samples take each constant of a choice
 * in turn, because some keys belong to one constant only.
 */
public final class DocumentSchema {
    public static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";

    /** Number of different samples. A choice on which other keys depend has fewer constants. */
    private static final int CHOICES = 12;

    private static final int MOST_ROUNDS = 1_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private DocumentSchema() {}

    /**
     * Returns the schema, as maps, lists, texts and numbers.
     *
     * @param title name of the kind of document
     * @param reader reads a sample; the problems that it reports are ignored
     * @throws IllegalStateException if the reader does not stop asking for new keys
     */
    public static Map<String, Object> of(String title, Section.KeyStyle keys, Function<Section, ?> reader) {
        MappingShape root = new MappingShape();
        int quiet = 0;
        for (int round = 0; quiet <= CHOICES; round++) {
            if (round == MOST_ROUNDS) {
                throw new IllegalStateException(title + ": the reader asks for ever new keys");
            }
            int before = root.size();
            JsonNode sample = JSON.valueToTree(root.sample(round % CHOICES));
            new Section("", sample, keys, new ArrayList<>(), root).all(reader);
            quiet = root.size() == before ? quiet + 1 : 0;
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", DIALECT);
        schema.put("title", title);
        schema.putAll(root.schema());
        schema.put("type", "object");
        return schema;
    }
}
