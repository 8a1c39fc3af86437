package io.kipimo.cli.score;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.Plain;
import io.kipimo.core.quality.merge.ScoredDocument;
import io.kipimo.schemas.field.Decimals;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;

/**
 * Reads a run, which has the answers to queries, in one of two forms. The first character tells the form:
 *
 * <ul>
 *   <li>TREC: {@code qid Q0 docid rank score tag} on each line; rank and order of lines have no meaning.
 *   <li>JSON lines: {@code {"qid":"q1","items":[{"id":"doc-1","score":3.2}]}} for each query; a query without items has
 *       an empty answer.
 * </ul>
 */
final class RunFile {
    private static final String TREC_FORM = "qid Q0 docid rank score tag";
    private static final String JSON_FORM = "{\"qid\":\"q1\",\"items\":[{\"id\":\"doc-1\",\"score\":3.2}]}";
    private static final ObjectReader JSON = new ObjectMapper()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .readerFor(JsonNode.class)
            .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final String name;
    private final Map<String, List<ScoredDocument>> queries = new HashMap<>();
    private int line;
    private boolean isJson;

    private RunFile(String name) {
        this.name = name;
    }

    /**
     * Reads the documents of each query, in the order of the file.
     *
     * @param name name of the file, for messages
     * @throws InputException naming file, line, the problem and what is allowed
     * @throws IOException if the file cannot be read
     */
    static Map<String, List<ScoredDocument>> read(String name, BufferedReader reader) throws IOException {
        RunFile file = new RunFile(name);
        for (String text = reader.readLine(); text != null; text = reader.readLine()) {
            file.line++;
            if (text.isBlank()) {
                continue;
            }
            boolean json = text.stripLeading().startsWith("{");
            if (file.queries.isEmpty()) {
                file.isJson = json;
            } else if (file.isJson != json) {
                throw file.problem(
                        json ? "is JSON, and lines before it are TREC" : "is TREC, and lines before it are JSON",
                        "one of the two in a file");
            }
            if (json) {
                file.addJson(text);
            } else {
                file.addTrec(text);
            }
        }
        InputException.throwIf(
                file.queries.isEmpty(), name + ": has no lines; allowed: '" + TREC_FORM + "' or " + JSON_FORM);
        return file.queries;
    }

    private void addTrec(String text) {
        StringTokenizer columns = new StringTokenizer(text);
        if (columns.countTokens() != 6) {
            throw problem("has " + columns.countTokens() + " columns", "6, that is '" + TREC_FORM + "'");
        }
        String query = columns.nextToken();
        columns.nextToken();
        String document = columns.nextToken();
        columns.nextToken();
        String score = columns.nextToken();
        double number = Decimals.parse(score);
        if (Double.isNaN(number)) {
            throw problem("score is '" + score + "'", "a number");
        }
        add(query, document, number);
    }

    private void addJson(String text) {
        JsonNode tree;
        try {
            tree = JSON.readValue(text);
        } catch (JsonProcessingException e) {
            throw problem("is no JSON: " + Plain.what(e), JSON_FORM);
        }
        JsonNode query = tree.path("qid");
        if (!(query.isTextual() || query.isIntegralNumber()) || query.asText().isEmpty()) {
            throw problem("qid is " + shown(query), "a text or a whole number");
        }
        JsonNode items = tree.path("items");
        if (!items.isArray()) {
            throw problem("items is " + shown(items), "a list of {\"id\":…,\"score\":…}");
        }
        queries.computeIfAbsent(query.asText(), q -> new ArrayList<>());
        for (JsonNode item : items) {
            JsonNode id = item.path("id");
            JsonNode score = item.path("score");
            if (!(id.isTextual() || id.isIntegralNumber())) {
                throw problem("id of an item is " + shown(id), "a text or a whole number");
            }
            if (!score.isNumber()) {
                throw problem("score of item '" + id.asText() + "' is " + shown(score), "a number");
            }
            add(query.asText(), id.asText(), score.asDouble());
        }
    }

    private void add(String query, String document, double score) {
        try {
            queries.computeIfAbsent(query, q -> new ArrayList<>()).add(ScoredDocument.of(document, score));
        } catch (IllegalArgumentException e) {
            throw new InputException(name + ":" + line + ": " + e.getMessage());
        }
    }

    private InputException problem(String what, String allowed) {
        return new InputException(name + ":" + line + ": " + what + "; allowed: " + allowed);
    }

    private static String shown(JsonNode node) {
        return node.isMissingNode() ? "not there" : node.toString();
    }
}
