package io.kipimo.gateway.otlp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.schemas.quality.Items;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ranked items of a component's span, from the first of these that exists:
 *
 * <ol>
 *   <li>{@code kipimo.items.ids}, a list of texts or numbers, and {@code kipimo.items.scores};
 *   <li>{@code gen_ai.retrieval.documents}, objects with {@code id} and {@code score}, structured
 *       or as JSON text (OpenTelemetry's conventions for generative AI);
 *   <li>{@code retrieval.documents.N.document.id} and {@code .score} (OpenInference).
 * </ol>
 *
 * Identifiers are compared as texts. If some item has no finite score, all are scored by rank: 1 /
 * (1 + place). An empty list is a result without items; no list is an unknown result.
 */
final class SpanItems {
    static final String IDS = "kipimo.items.ids";
    static final String SCORES = "kipimo.items.scores";
    static final String DOCUMENTS = "gen_ai.retrieval.documents";

    private static final int MOST_ITEMS = 10_000;
    private static final int LONGEST_ID = 256;
    private static final Pattern OPENINFERENCE =
            Pattern.compile("retrieval\\.documents\\.(\\d{1,5})\\.document\\.(id|score)");
    private static final ObjectMapper JSON = new ObjectMapper();

    private SpanItems() {}

    /** NaN: the item has no score. */
    private record Item(String id, double score) {}

    /** Items by identifier with their scores; empty: the span does not tell. */
    static Optional<Map<String, Float>> of(ReceivedSpan span) {
        return list(span).filter(SpanItems::isValid).map(SpanItems::scored);
    }

    /** The items of one result. */
    static Items items(Map<String, Float> scores) {
        String[] ids = scores.keySet().toArray(new String[0]);
        float[] values = new float[ids.length];
        for (int i = 0; i < ids.length; i++) {
            values[i] = scores.get(ids[i]);
        }
        return ids.length == 0 ? Items.NONE : Items.ofTexts(ids, values).inOrder();
    }

    private static Optional<List<Item>> list(ReceivedSpan span) {
        Optional<AnyValue> ids = span.attribute(IDS);
        if (ids.isPresent()) {
            return ofIds(ids.get(), span.attribute(SCORES));
        }
        Optional<AnyValue> documents = span.attribute(DOCUMENTS);
        return documents.isPresent() ? ofDocuments(documents.get()) : ofOpenInference(span);
    }

    private static Optional<List<Item>> ofIds(AnyValue ids, Optional<AnyValue> scores) {
        if (!ids.hasArrayValue()) {
            return Optional.empty();
        }
        List<AnyValue> values = ids.getArrayValue().getValuesList();
        List<AnyValue> given = scores.map(s -> s.getArrayValue().getValuesList()).orElse(List.of());
        List<Item> items = new ArrayList<>(values.size());
        for (int i = 0; i < values.size(); i++) {
            items.add(
                    new Item(
                            ReceivedSpan.text(values.get(i)).orElse(""),
                            // Scores of other items would be worse than none.
                            given.size() == values.size() ? number(given.get(i)) : Double.NaN));
        }
        return Optional.of(items);
    }

    private static Optional<List<Item>> ofDocuments(AnyValue documents) {
        if (documents.hasStringValue()) {
            return ofJson(documents.getStringValue());
        }
        if (!documents.hasArrayValue()) {
            return Optional.empty();
        }
        List<Item> items = new ArrayList<>();
        for (AnyValue document : documents.getArrayValue().getValuesList()) {
            String id = "";
            double score = Double.NaN;
            for (KeyValue field : document.getKvlistValue().getValuesList()) {
                if (field.getKey().equals("id")) {
                    id = ReceivedSpan.text(field.getValue()).orElse("");
                } else if (field.getKey().equals("score")) {
                    score = number(field.getValue());
                }
            }
            items.add(new Item(id, score));
        }
        return Optional.of(items);
    }

    private static Optional<List<Item>> ofJson(String text) {
        JsonNode documents;
        try {
            documents = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
        if (!documents.isArray()) {
            return Optional.empty();
        }
        List<Item> items = new ArrayList<>();
        for (JsonNode document : documents) {
            items.add(
                    new Item(
                            document.path("id").asText(""),
                            document.path("score").isNumber()
                                    ? document.path("score").doubleValue()
                                    : Double.NaN));
        }
        return Optional.of(items);
    }

    private static Optional<List<Item>> ofOpenInference(ReceivedSpan span) {
        Map<Integer, Item> items = new TreeMap<>();
        for (KeyValue attribute : span.span().getAttributesList()) {
            Matcher form = OPENINFERENCE.matcher(attribute.getKey());
            if (form.matches()) {
                items.merge(
                        Integer.parseInt(form.group(1)),
                        form.group(2).equals("id")
                                ? new Item(
                                        ReceivedSpan.text(attribute.getValue()).orElse(""),
                                        Double.NaN)
                                : new Item("", number(attribute.getValue())),
                        (a, b) ->
                                new Item(
                                        a.id().isEmpty() ? b.id() : a.id(),
                                        Double.isNaN(a.score()) ? b.score() : a.score()));
            }
        }
        return items.isEmpty() ? Optional.empty() : Optional.of(List.copyOf(items.values()));
    }

    private static double number(AnyValue value) {
        return switch (value.getValueCase()) {
            case DOUBLE_VALUE -> value.getDoubleValue();
            case INT_VALUE -> value.getIntValue();
            default -> Double.NaN;
        };
    }

    private static boolean isValid(List<Item> items) {
        return items.size() <= MOST_ITEMS
                && items.stream()
                        .allMatch(
                                item ->
                                        !item.id().isEmpty()
                                                && item.id().length() <= LONGEST_ID
                                                && item.id()
                                                        .chars()
                                                        .noneMatch(Character::isISOControl));
    }

    private static Map<String, Float> scored(List<Item> items) {
        boolean areScored = items.stream().allMatch(i -> Float.isFinite((float) i.score()));
        Map<String, Float> scores = new LinkedHashMap<>();
        for (int i = 0; i < items.size(); i++) {
            scores.merge(
                    items.get(i).id(),
                    areScored ? (float) items.get(i).score() : 1f / (i + 1),
                    Math::max);
        }
        return scores;
    }
}
