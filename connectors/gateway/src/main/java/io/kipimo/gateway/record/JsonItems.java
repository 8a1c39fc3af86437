package io.kipimo.gateway.record;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.gateway.config.ItemsConfig;
import io.kipimo.gateway.config.ItemsConfig.Order;
import io.kipimo.schemas.quality.Items;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Items of a JSON document: a list of objects with an identifier and a score. */
public final class JsonItems implements ItemReader {
    private static final int MOST_ITEMS = 10_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<JsonPointer> arrays;
    private final List<String> ids;
    private final String score;
    private final Order order;

    private final String notWith;

    /** Null: a list is always there. */
    private final JsonPointer emptyWith;

    public JsonItems(ItemsConfig config) {
        this.arrays = config.arrays().stream().map(JsonPointer::compile).toList();
        this.ids = config.ids();
        this.score = config.score();
        this.order = config.order();
        this.notWith = config.notWith();
        this.emptyWith =
                config.emptyWith().isEmpty() ? null : JsonPointer.compile(config.emptyWith());
    }

    @Override
    public String name() {
        return ItemsConfig.JSON;
    }

    @Override
    public Items read(RecordedResponse response) {
        List<JsonNode> items;
        try {
            items = list(JSON.readTree(response.body()));
        } catch (IOException e) {
            throw new IllegalArgumentException("the response is not JSON", e);
        }
        float[] scores = scores(items);
        return items.isEmpty() || areNumbers(items)
                ? Items.ofNumbers(numbers(items), scores)
                : Items.ofTexts(texts(items), scores);
    }

    /** Engines may have numbers and texts in one list, so all their ids are read as texts. */
    private boolean areNumbers(List<JsonNode> items) {
        return order == Order.SCORE && items.get(0).path(ids.get(0)).canConvertToLong();
    }

    private long[] numbers(List<JsonNode> items) {
        long[] numbers = new long[items.size()];
        for (int i = 0; i < numbers.length; i++) {
            JsonNode id = items.get(i).path(ids.get(0));
            if (!id.canConvertToLong()) {
                throw anotherType(i);
            }
            numbers[i] = id.longValue();
        }
        return numbers;
    }

    private String[] texts(List<JsonNode> items) {
        String[] texts = new String[items.size()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = text(items.get(i), i);
            if (order == Order.SCORE && items.get(i).path(ids.get(0)).canConvertToLong()) {
                throw anotherType(i);
            }
        }
        return texts;
    }

    /** A number and a text would never count as the same item. */
    private IllegalArgumentException anotherType(int item) {
        return new IllegalArgumentException(
                "the '" + ids.get(0) + "' of item " + item + " is of another type");
    }

    private List<JsonNode> list(JsonNode document) {
        for (JsonPointer array : arrays) {
            JsonNode found = at(document, array);
            if (found.isArray() && found.size() <= MOST_ITEMS) {
                List<JsonNode> items = new ArrayList<>(found.size());
                for (JsonNode one : found) {
                    if (notWith.isEmpty() || !one.has(notWith)) {
                        items.add(one);
                    }
                }
                return items;
            }
        }
        if (emptyWith != null
                && document.at(arrays.get(0)).isMissingNode()
                && !document.at(emptyWith).isMissingNode()) {
            return List.of();
        }
        throw new IllegalArgumentException(
                "at '" + arrays.get(0) + "' there is no list of up to " + MOST_ITEMS + " items");
    }

    /** At the end of a pointer, {@code *} stands for the only field. */
    private static JsonNode at(JsonNode document, JsonPointer array) {
        JsonNode parent = document.at(array.matches() ? array : array.head());
        return !array.matches()
                        && "*".equals(array.last().getMatchingProperty())
                        && parent.size() == 1
                ? parent.iterator().next()
                : document.at(array);
    }

    private String text(JsonNode item, int index) {
        StringBuilder text = new StringBuilder();
        for (String field : ids) {
            JsonNode id = item.path(field);
            if (!id.isTextual() && !id.canConvertToLong()) {
                throw new IllegalArgumentException("item " + index + " has no '" + field + "'");
            }
            text.append(text.isEmpty() ? "" : "/").append(id.asText());
        }
        return text.toString();
    }

    private float[] scores(List<JsonNode> items) {
        float[] scores = new float[items.size()];
        boolean areSorted = true;
        for (int i = 0; i < scores.length; i++) {
            JsonNode itemScore = items.get(i).path(score);
            boolean isScore = itemScore.isNumber() && Float.isFinite(itemScore.floatValue());
            if (order == Order.SCORE && !isScore) {
                throw new IllegalArgumentException("item " + i + " has no '" + score + "'");
            }
            scores[i] = itemScore.floatValue();
            areSorted &= isScore && (i == 0 || scores[i] <= scores[i - 1]);
        }
        if (order == Order.PLACE && !areSorted) {
            for (int i = 0; i < scores.length; i++) {
                scores[i] = 1f / (i + 1);
            }
        }
        return scores;
    }
}
