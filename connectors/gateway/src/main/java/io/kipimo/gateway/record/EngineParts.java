package io.kipimo.gateway.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.gateway.config.Engine;
import io.kipimo.gateway.record.CutSigns.FoundSigns;
import io.kipimo.gateway.record.CutSigns.Says;
import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.quality.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads from an engine's answer which parts answered. The engine itself is the first part. A shard is named only if it
 * failed or was late.
 */
final class EngineParts {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Greatest number of missing shards that are named. */
    private static final int MOST_PARTS = 200;

    /**
     * Solr's address of a shard: {@code http://host:8983/solr/docs_shard1_replica_n1/}, or several with bars between
     * them.
     */
    private static final Pattern SOLR_CORE = Pattern.compile("[^|]*?/([^/|]+?)(?:_replica_[a-z]*\\d+)?/?(?:\\|.*)?");

    private static final Pattern SOLR_LATE_SHARD = Pattern.compile("\\[Shard:([^\\]\\s]+)]");

    private EngineParts() {}

    /** A part of an engine. */
    record EnginePart(String component, Outcome outcome) {}

    /**
     * The parts that an answer tells of, the engine first.
     *
     * @param found signs of the answer
     * @param answer a JSON document
     */
    static List<EnginePart> of(Engine engine, FoundSigns found, byte[] answer) throws IOException {
        if (!found.isPartial()) {
            return List.of(new EnginePart(engine.component(), Outcome.IN_TIME));
        }
        MissingShards missing = new MissingShards();
        Outcome whole =
                switch (engine.shards()) {
                    case HITS -> hits(JSON.readTree(answer), missing);
                    case SOLR -> solr(JSON.readTree(answer), missing);
                    case UNNAMED -> found.said().contains(Says.LIMITED) ? Outcome.TIMED_OUT : Outcome.FAILED;
                };
        List<EnginePart> parts = new ArrayList<>();
        parts.add(new EnginePart(engine.component(), whole));
        missing.outcomes.forEach((shard, outcome) -> parts.add(new EnginePart(shard, outcome)));
        return parts;
    }

    /** Share of the shards that answered, 0..1; empty: the answer does not tell, or all did. */
    static OptionalDouble answered(Engine engine, FoundSigns found, byte[] answer) throws IOException {
        if (engine.shards() != Engine.Shards.SOLR || !found.isPartial()) {
            return found.answered();
        }
        JsonNode shards = JSON.readTree(answer).path("shards.info");
        long failed = shards.properties().stream()
                .filter(shard -> shard.getValue().has("error"))
                .count();
        return failed == 0 ? OptionalDouble.empty() : OptionalDouble.of(1 - (double) failed / shards.size());
    }

    /** Outcomes of the missing shards, by name. */
    private static final class MissingShards {
        final Map<String, Outcome> outcomes = new LinkedHashMap<>();

        void add(String shard, Outcome outcome) {
            String name = Names.cleaned(shard);
            if (!name.isBlank() && outcomes.size() < MOST_PARTS) {
                outcomes.putIfAbsent(name, outcome);
            }
        }
    }

    /**
     * Outcome of OpenSearch or Elasticsearch as a whole. Adds the missing shards and clusters that the answer names.
     * Elasticsearch names only one of several shards that failed in the same way. No answer names shards without a live
     * copy, and OpenSearch does not name clusters.
     */
    private static Outcome hits(JsonNode document, MissingShards missing) {
        JsonNode answer = document.has("response") ? document.path("response") : document;
        JsonNode shards = answer.path("_shards");
        for (JsonNode failure : shards.path("failures")) {
            missing.add(
                    failure.path("index").asText("shard")
                            + '['
                            + failure.path("shard").asText("?")
                            + ']',
                    Outcome.FAILED);
        }
        int failed = shards.path("total").asInt() - shards.path("successful").asInt();
        boolean hasNameless = Math.max(failed, shards.path("failed").asInt()) > missing.outcomes.size();
        JsonNode clusters = answer.path("_clusters");
        int named = missing.outcomes.size();
        clusters.path("details").properties().forEach(cluster -> {
            String status = cluster.getValue().path("status").asText();
            if (status.equals("skipped") || status.equals("failed")) {
                missing.add(cluster.getKey(), Outcome.FAILED);
            }
        });
        int gone = clusters.path("skipped").asInt() + clusters.path("failed").asInt();
        if (hasNameless || gone > missing.outcomes.size() - named) {
            return Outcome.FAILED;
        }
        return missing.outcomes.isEmpty()
                        || answer.path("timed_out").asBoolean()
                        || answer.path("terminated_early").asBoolean()
                ? Outcome.TIMED_OUT
                : Outcome.IN_TIME;
    }

    /**
     * Outcome of Solr as a whole. Adds the missing shards that the answer names: with {@code shards.info=true} those
     * that failed, and in the details the first one that exceeded a limit.
     */
    private static Outcome solr(JsonNode answer, MissingShards missing) {
        JsonNode header = answer.path("responseHeader");
        answer.path("shards.info").properties().forEach(shard -> {
            if (shard.getValue().has("error")) {
                missing.add(core(shard.getKey()), Outcome.FAILED);
            }
        });
        boolean failed = !missing.outcomes.isEmpty();
        JsonNode details = header.path("partialResultsDetails");
        Matcher late = SOLR_LATE_SHARD.matcher(details.isTextual() ? details.asText() : "");
        while (late.find()) {
            missing.add(core(late.group(1)), Outcome.TIMED_OUT);
        }
        if (!details.isMissingNode()
                || header.path("segmentTerminatedEarly").asBoolean()
                || header.path("maxHitsTerminatedEarly").asBoolean()) {
            return Outcome.TIMED_OUT;
        }
        // Without details no limit was exceeded: shards failed, with names or without.
        return failed ? Outcome.IN_TIME : Outcome.FAILED;
    }

    private static String core(String shard) {
        Matcher form = SOLR_CORE.matcher(shard);
        return form.matches() ? form.group(1) : shard;
    }
}
