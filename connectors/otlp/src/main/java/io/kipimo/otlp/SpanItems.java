package io.kipimo.otlp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kipimo.schemas.field.Names;
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
import java.util.stream.Stream;

/**
 * Reads the ranked items of a component's span, from the first of these attributes that the span has:
 *
 * <ol>
 *   <li>{@code kipimo.items.ids}, a list of texts or numbers, and {@code kipimo.items.scores};
 *   <li>{@code gen_ai.retrieval.documents}, objects with {@code id} and {@code score} (OpenTelemetry's conventions for
 *       generative AI);
 *   <li>{@code retrieval.documents.N.document.id} and {@code .score} (OpenInference), or {@code retrieval.documents} as
 *       one list;
 *   <li>{@code gen_ai.task.output} or {@code traceloop.entity.output}, JSON of an object with {@code documents} and
 *       their {@code count} (opentelemetry-instrumentation-langchain);
 *   <li>{@code output.value}, the same JSON but with an empty list of documents, because OpenInference writes no
 *       attribute for an empty list.
 * </ol>
 *
 * A list may be structured or JSON text, and numbers may be texts. Identifiers are compared as texts. A document
 * without an identifier, such as LangChain's, is identified by a digest of its content. If an item has no finite score,
 * all items are scored by rank, 1 / rank. An empty list is a result without items. Without a list, the result is
 * unknown.
 */
final class SpanItems {
    static final String IDS = "kipimo.items.ids";
    static final String SCORES = "kipimo.items.scores";
    static final String DOCUMENTS = "gen_ai.retrieval.documents";

    private static final String[] OUTPUTS = {"gen_ai.task.output", "traceloop.entity.output"};
    private static final String OPENINFERENCE = "retrieval.documents";
    private static final String OUTPUT = "output.value";
    private static final int MOST_ITEMS = 10_000;
    private static final int MOST_TOKENS = 100 * MOST_ITEMS;
    private static final int MOST_NESTING = 100;
    private static final Pattern FLATTENED =
            Pattern.compile(Pattern.quote(OPENINFERENCE) + "\\.(\\d{1,5})\\.(document\\.(?:id|score|content))");
    private static final String[] ID = {"id", "document.id"};
    private static final String[] SCORE = {"score", "document.score"};
    private static final String[] CONTENT = {"content", "document.content", "page_content", "text"};

    /** Text that OpenInference writes in place of content that it hides. */
    private static final String HIDDEN = "__REDACTED__";

    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxTokenCount(MOST_TOKENS)
                    .maxNestingDepth(MOST_NESTING)
                    .build())
            .build());

    private SpanItems() {}

    /** An item of a span. Its score is NaN if it has none. */
    private record Item(String id, double score) {}

    /** Scores of the items, by identifier; empty if the span does not tell its items. */
    static Optional<Map<String, Float>> of(ReceivedSpan span) {
        return list(span)
                .filter(items -> items.size() <= MOST_ITEMS
                        && items.stream().noneMatch(item -> item.id().isEmpty()))
                .map(SpanItems::scored);
    }

    /** Converts scores by identifier to the items of a result. */
    static Items items(Map<String, Float> scores) {
        String[] ids = scores.keySet().toArray(new String[0]);
        float[] values = new float[ids.length];
        for (int i = 0; i < ids.length; i++) {
            values[i] = scores.get(ids[i]);
        }
        return ids.length == 0 ? Items.NONE : Items.ofTexts(ids, values).inOrder();
    }

    /** Reads texts from a list, from a list as JSON text, or from a text with commas. */
    static List<String> texts(AnyValue value) {
        Optional<ArrayNode> list = list(value);
        if (list.isEmpty()) {
            return ReceivedSpan.text(value).stream()
                    .flatMap(text -> Pattern.compile(",").splitAsStream(text))
                    .map(String::strip)
                    .toList();
        }
        List<String> texts = new ArrayList<>();
        list.get().forEach(one -> texts.add(text(one)));
        return texts;
    }

    private static Optional<List<Item>> list(ReceivedSpan span) {
        Optional<AnyValue> ids = span.attribute(IDS);
        if (ids.isPresent()) {
            return list(ids.get())
                    .map(list -> ofIds(list, span.attribute(SCORES).flatMap(SpanItems::list)));
        }
        Optional<AnyValue> documents = span.attribute(DOCUMENTS).or(() -> span.attribute(OPENINFERENCE));
        return (documents.isPresent() ? list(documents.get()) : flattened(span).or(() -> ofOutput(span)))
                .flatMap(SpanItems::ofDocuments);
    }

    private static List<Item> ofIds(ArrayNode ids, Optional<ArrayNode> scores) {
        // Scores of other items would be worse than none.
        Optional<ArrayNode> own = scores.filter(given -> given.size() == ids.size());
        List<Item> items = new ArrayList<>(ids.size());
        for (int i = 0; i < ids.size(); i++) {
            int place = i;
            items.add(new Item(
                    Names.identifier(text(ids.get(i))),
                    own.map(given -> number(given.get(place))).orElse(Double.NaN)));
        }
        return items;
    }

    /** Reads the items of documents; empty if nothing distinguishes the documents. */
    private static Optional<List<Item>> ofDocuments(ArrayNode documents) {
        List<Item> items = new ArrayList<>();
        List<String> contents = new ArrayList<>();
        for (JsonNode one : documents) {
            JsonNode document = one.isTextual() ? parsed(one.textValue()) : one;
            String id = Names.identifier(text(document.isObject() ? first(document, ID) : one));
            if (id.isEmpty()) {
                String content = text(first(document, CONTENT));
                contents.add(content);
                id = content.isEmpty() || content.equals(HIDDEN) ? "" : Names.digest(content);
            }
            items.add(new Item(id, number(first(document, SCORE))));
        }
        boolean areAlike = contents.size() > 1 && contents.stream().distinct().count() == 1;
        return areAlike ? Optional.empty() : Optional.of(items);
    }

    /** Reads documents whose fields are separate attributes; empty if there are none. */
    private static Optional<ArrayNode> flattened(ReceivedSpan span) {
        Map<Integer, ObjectNode> documents = new TreeMap<>();
        for (KeyValue attribute : span.span().getAttributesList()) {
            Matcher form = FLATTENED.matcher(attribute.getKey());
            if (form.matches()) {
                documents
                        .computeIfAbsent(Integer.parseInt(form.group(1)), n -> JsonNodeFactory.instance.objectNode())
                        .set(form.group(2), json(attribute.getValue()));
            }
        }
        return documents.isEmpty()
                ? Optional.empty()
                : Optional.of(JSON.createArrayNode().addAll(documents.values()));
    }

    /**
     * Reads the documents that a task returned; empty if there is no such output, or the output has not all documents.
     */
    private static Optional<ArrayNode> ofOutput(ReceivedSpan span) {
        return Stream.of(OUTPUTS)
                .flatMap(name -> span.attribute(name).stream())
                .findFirst()
                .flatMap(SpanItems::documents)
                .or(() -> span.attribute(OUTPUT).flatMap(SpanItems::documents).filter(ArrayNode::isEmpty));
    }

    private static Optional<ArrayNode> documents(AnyValue output) {
        JsonNode json = parsed(output.getStringValue());
        return json.path("documents") instanceof ArrayNode documents
                        && json.path("count").asInt(documents.size()) == documents.size()
                ? Optional.of(documents)
                : Optional.empty();
    }

    private static Optional<ArrayNode> list(AnyValue value) {
        JsonNode node =
                value.hasStringValue() && value.getStringValue().stripLeading().startsWith("[")
                        ? parsed(value.getStringValue())
                        : json(value);
        return node instanceof ArrayNode list ? Optional.of(list) : Optional.empty();
    }

    private static JsonNode json(AnyValue value) {
        JsonNodeFactory make = JsonNodeFactory.instance;
        if (value.hasArrayValue()) {
            ArrayNode list = make.arrayNode();
            value.getArrayValue().getValuesList().forEach(one -> list.add(json(one)));
            return list;
        }
        if (value.hasKvlistValue()) {
            ObjectNode object = make.objectNode();
            value.getKvlistValue().getValuesList().forEach(field -> object.set(field.getKey(), json(field.getValue())));
            return object;
        }
        return ReceivedSpan.text(value).<JsonNode>map(make::textNode).orElse(make.nullNode());
    }

    /** Parses JSON; returns a missing node if the text is not JSON. */
    private static JsonNode parsed(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return JsonNodeFactory.instance.missingNode();
        }
    }

    private static JsonNode first(JsonNode object, String[] fields) {
        for (String field : fields) {
            if (object.hasNonNull(field)) {
                return object.get(field);
            }
        }
        return JsonNodeFactory.instance.missingNode();
    }

    /** The text of a single value; empty if it is not a single value. */
    private static String text(JsonNode value) {
        if (value.isFloatingPointNumber()) {
            return ReceivedSpan.text(value.doubleValue());
        }
        return value.isValueNode() && !value.isNull() ? value.asText() : "";
    }

    /** The number in a value; NaN if it is not a number. */
    private static double number(JsonNode value) {
        return value.isValueNode() ? value.asDouble(Double.NaN) : Double.NaN;
    }

    private static Map<String, Float> scored(List<Item> items) {
        boolean areScored = items.stream().allMatch(i -> Float.isFinite((float) i.score()));
        Map<String, Float> scores = new LinkedHashMap<>();
        for (int i = 0; i < items.size(); i++) {
            scores.merge(items.get(i).id(), areScored ? (float) items.get(i).score() : 1f / (i + 1), Math::max);
        }
        return scores;
    }
}
