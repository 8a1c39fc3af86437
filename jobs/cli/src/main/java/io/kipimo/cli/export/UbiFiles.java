package io.kipimo.cli.export;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.core.quality.join.MergedAnswers;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Score;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes answers and their quality as queries of User Behavior Insights (UBI 1, {@code ubi_queries}), and counts users'
 * clicks from its {@code ubi_events}. Kipimo and UBI use the same query ids and item ids.
 */
final class UbiFiles {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CLICK = "click";

    /** An answer with its measurement and its clicks. */
    private static final class UbiQuery {
        final Answer answer;
        final List<String> items;
        Measurement measurement;
        long clicks;

        /** Rank of the best item of the answer that was clicked, from 1; 0 if none was clicked. */
        int bestPlace;

        UbiQuery(Answer answer) {
            this.answer = answer;
            int shown = answer.topK() > 0 ? answer.topK() : answer.items().size();
            items = answer.items().isEmpty()
                    ? List.of()
                    : MergedAnswers.ofReplay(answer.items(), Items.NONE, shown).online();
        }
    }

    /** Groups answers by quality: exactly 1, below 1, or not known. */
    private enum UbiGroup {
        WHOLE,
        PART,
        UNKNOWN;

        static UbiGroup of(UbiQuery query) {
            if (query.measurement == null || query.measurement.scores().isEmpty()) {
                return UNKNOWN;
            }
            Score score = query.measurement.scores().get(0);
            return score.low() == 1 ? WHOLE : score.high() < 1 ? PART : UNKNOWN;
        }
    }

    private final Map<String, UbiQuery> byId = new LinkedHashMap<>();
    private long otherEvents;

    /** Adds an answer that a user got. All answers must be added before measurements and events. */
    void add(Answer answer) {
        if (answer.kind() == AnswerKind.ONLINE) {
            byId.putIfAbsent(key(answer.service(), answer.queryId()), new UbiQuery(answer));
        }
    }

    void add(Measurement measurement) {
        UbiQuery query = byId.get(key(measurement.service(), measurement.queryId()));
        if (query != null && measurement.completeness() != Completeness.ORPHAN) {
            query.measurement = measurement;
        }
    }

    private static String key(String service, String queryId) {
        return service + '\n' + queryId;
    }

    long queries() {
        return byId.size();
    }

    /** Writes {@code ubi_queries.ndjson}, with one query a line. */
    void write(Path directory) throws IOException {
        Files.createDirectories(directory);
        try (BufferedWriter out = Files.newBufferedWriter(directory.resolve("ubi_queries.ndjson"))) {
            for (UbiQuery query : byId.values()) {
                out.write(JSON.writeValueAsString(document(query)));
                out.write('\n');
            }
        }
    }

    private static JsonObject document(UbiQuery query) {
        Answer answer = query.answer;
        JsonObject attributes = new JsonObject().with("kipimo_class", answer.queryClass());
        if (!answer.variant().isEmpty()) {
            attributes.put("kipimo_variant", answer.variant());
        }
        if (query.measurement != null) {
            attributes.put(
                    "kipimo_completeness", query.measurement.completeness().name());
            for (Score score : query.measurement.scores()) {
                attributes.put("kipimo_" + score.metric(), List.of(score.low(), score.high()));
            }
            attributes.put(
                    "kipimo_late_components",
                    query.measurement.components().stream()
                            .filter(c -> c.outcome().isLate())
                            .map(c -> c.component())
                            .toList());
        }
        return new JsonObject()
                .with("application", answer.service())
                .with("query_id", answer.queryId())
                .with(
                        "timestamp",
                        Instant.ofEpochMilli(answer.startedAtMillis()).toString())
                .with("query_response_hit_ids", query.items)
                .with("query_attributes", attributes);
    }

    /**
     * Reads a file of {@code ubi_events}, with one event a line. Counts actions whose name contains {@code click}, such
     * as {@code item_click}.
     *
     * @throws InputException naming the first line that is not an event
     */
    void readEvents(String file) {
        Map<String, UbiQuery> queries = new HashMap<>();
        byId.values().forEach(query -> queries.put(query.answer.queryId(), query));
        InputFile.read(file, reader -> {
            long number = 0;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                if (!line.isBlank()) {
                    event(queries, file + ":" + number, line);
                }
            }
            return number;
        });
    }

    private void event(Map<String, UbiQuery> queries, String place, String line) {
        JsonNode event;
        try {
            event = JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new InputException(place + ": is no JSON; allowed: an event of ubi_events");
        }
        String id = event.path("query_id").asText();
        String action = event.path("action_name").asText();
        InputException.throwIf(
                id.isEmpty() || action.isEmpty(),
                place + ": has no query_id or action_name; allowed: an event of ubi_events");
        if (!action.toLowerCase(Locale.ROOT).contains(CLICK)) {
            return;
        }
        UbiQuery query = queries.get(id);
        if (query == null) {
            otherEvents++;
            return;
        }
        query.clicks++;
        int at = query.items.indexOf(
                event.path("event_attributes").path("object").path("object_id").asText());
        if (at >= 0 && (query.bestPlace == 0 || at + 1 < query.bestPlace)) {
            query.bestPlace = at + 1;
        }
    }

    /**
     * Summarises clicks for each group of answers: the share of queries with a click, clicks a query, and the mean
     * reciprocal rank of the best clicked item, which is 0 for a query without one.
     */
    JsonObject clicks() {
        JsonObject document = new JsonObject();
        for (UbiGroup group : UbiGroup.values()) {
            List<UbiQuery> queries = byId.values().stream()
                    .filter(query -> UbiGroup.of(query) == group)
                    .toList();
            double count = Math.max(1, queries.size());
            document.put(
                    group.name().toLowerCase(Locale.ROOT),
                    new JsonObject()
                            .with("queries", queries.size())
                            .with(
                                    "clicked",
                                    queries.stream().filter(q -> q.clicks > 0).count() / count)
                            .with(
                                    "clicks",
                                    queries.stream().mapToLong(q -> q.clicks).sum() / count)
                            .with(
                                    "meanReciprocalPlace",
                                    queries.stream()
                                                    .mapToDouble(q -> q.bestPlace == 0 ? 0 : 1.0 / q.bestPlace)
                                                    .sum()
                                            / count));
        }
        return document.with("eventsOfOtherQueries", otherEvents);
    }
}
