package io.kipimo.gateway.record;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.gateway.config.ItemsConfig;
import io.kipimo.schemas.quality.Items;
import java.io.IOException;

/** Items of a JSON document: a list of objects with an identifier and a score. */
public final class JsonItems implements ItemReader {
    private static final int MOST_ITEMS = 10_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final JsonPointer array;
    private final String id;
    private final String score;

    public JsonItems(ItemsConfig config) {
        this.array = JsonPointer.compile(config.array());
        this.id = config.id();
        this.score = config.score();
    }

    @Override
    public String name() {
        return ItemsConfig.JSON;
    }

    @Override
    public Items read(RecordedResponse response) {
        JsonNode items;
        try {
            items = JSON.readTree(response.body()).at(array);
        } catch (IOException e) {
            throw new IllegalArgumentException("the response is not JSON", e);
        }
        if (!items.isArray() || items.size() > MOST_ITEMS) {
            throw new IllegalArgumentException(
                    "at '" + array + "' there is no list of up to " + MOST_ITEMS + " items");
        }
        boolean numbers = items.isEmpty() || items.get(0).path(id).canConvertToLong();
        long[] ids = new long[numbers ? items.size() : 0];
        String[] texts = new String[numbers ? 0 : items.size()];
        float[] scores = new float[items.size()];
        for (int i = 0; i < scores.length; i++) {
            JsonNode itemId = items.get(i).path(id);
            JsonNode itemScore = items.get(i).path(score);
            if (!itemScore.isNumber()
                    || !Float.isFinite(itemScore.floatValue())
                    || (numbers ? !itemId.canConvertToLong() : !itemId.isTextual())) {
                throw new IllegalArgumentException(
                        "item " + i + " has no '" + id + "' like the first, or no '" + score + "'");
            }
            if (numbers) {
                ids[i] = itemId.longValue();
            } else {
                texts[i] = itemId.textValue();
            }
            scores[i] = itemScore.floatValue();
        }
        return numbers ? Items.ofNumbers(ids, scores) : Items.ofTexts(texts, scores);
    }
}
