package io.kipimo.gateway.record;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.gateway.config.ItemsConfig;
import io.kipimo.gateway.config.ItemsConfig.Order;
import io.kipimo.schemas.quality.Items;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Items of a JSON document: a list of objects with an identifier and a score, or a list of identifiers. */
final class JsonItems implements ItemReader {
    private static final int MOST_ITEMS = 10_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<JsonPointer> arrays;
    private final List<JsonField> ids;
    private final Pattern notInIds;
    private final JsonField score;
    private final Order order;

    private final String notWith;

    /** Pointer to a value that shows that a response without a list has no items; null: every response has a list. */
    private final JsonPointer emptyWith;

    public JsonItems(ItemsConfig config) {
        this.arrays = config.arrays().stream().map(JsonPointer::compile).toList();
        this.ids = config.ids().stream().map(JsonField::of).toList();
        this.notInIds = Pattern.compile(config.notInIds());
        this.score = JsonField.of(config.score());
        this.order = config.order();
        this.notWith = config.notWith();
        this.emptyWith = config.emptyWith().isEmpty() ? null : JsonPointer.compile(config.emptyWith());
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
        String[] texts = new String[items.size()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = text(items.get(i), i);
        }
        // Engines may have numbers and texts in one list, so all their ids are read as texts.
        return order == Order.SCORE && items.stream().allMatch(this::isNumber)
                ? Items.ofNumbers(
                        Arrays.stream(texts).mapToLong(Long::parseUnsignedLong).toArray(), scores)
                : Items.ofTexts(texts, scores);
    }

    /** Whether the item's only identifier is an unsigned number of 64 bits. */
    private boolean isNumber(JsonNode item) {
        JsonNode id = id(item, ids.get(0));
        return ids.size() == 1
                && id.isIntegralNumber()
                && id.bigIntegerValue().signum() >= 0
                && id.bigIntegerValue().bitLength() <= Long.SIZE;
    }

    private static JsonNode id(JsonNode item, JsonField field) {
        return item.isValueNode() ? item : field.of(item);
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

    /** The value at a pointer. At the end of the pointer, {@code *} stands for the only field. */
    private static JsonNode at(JsonNode document, JsonPointer array) {
        JsonNode parent = document.at(array.matches() ? array : array.head());
        return !array.matches() && "*".equals(array.last().getMatchingProperty()) && parent.size() == 1
                ? parent.iterator().next()
                : document.at(array);
    }

    private String text(JsonNode item, int index) {
        StringBuilder text = new StringBuilder();
        for (JsonField field : ids) {
            JsonNode id = id(item, field);
            if ((!id.isTextual() && !id.isNumber()) || id.asText().isEmpty()) {
                throw new IllegalArgumentException("item " + index + " has " + kind(id) + " as '" + field.name() + "'");
            }
            text.append(text.isEmpty() ? "" : "/").append(id.asText());
        }
        return notInIds.matcher(text).replaceFirst("");
    }

    private static String kind(JsonNode id) {
        return switch (id.getNodeType()) {
            case MISSING -> "nothing";
            case STRING -> "an empty text";
            default -> "a value of type " + id.getNodeType().name().toLowerCase(Locale.ROOT);
        };
    }

    private float[] scores(List<JsonNode> items) {
        float[] scores = new float[items.size()];
        boolean areSorted = true;
        for (int i = 0; i < scores.length; i++) {
            JsonNode itemScore = score.of(items.get(i));
            boolean isScore = itemScore.isNumber() && Float.isFinite(itemScore.floatValue());
            if (order == Order.SCORE && !isScore) {
                throw new IllegalArgumentException("item " + i + " has no number as '" + score.name() + "'");
            }
            scores[i] = itemScore.floatValue();
            areSorted &= isScore && (i == 0 || scores[i] <= scores[i - 1]);
        }
        return order == Order.PLACE && !areSorted ? Items.byPlace(scores.length) : scores;
    }
}
