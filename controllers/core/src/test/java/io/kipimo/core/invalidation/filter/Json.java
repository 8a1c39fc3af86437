package io.kipimo.core.invalidation.filter;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;

/** Parses documents in shell notation: {@code {a: {$gt: 1}, b: 'x'}}. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
            .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
            .build();

    private Json() {}

    public static Document json(String text) {
        try {
            return ExtendedJson.document(MAPPER.readValue(text, Map.class));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    public static Value value(String text) {
        return json("{v: " + text + "}").get("v");
    }
}
