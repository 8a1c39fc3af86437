package io.kipimo.gateway.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.gateway.config.Engine;
import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.quality.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an engine's answer says of its parts. The engine itself is the first; a shard is named only
 * if it failed or was late.
 */
final class EngineParts {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** More shards than this fail alike. */
    private static final int MOST_PARTS = 200;

    /** {@code http://host:8983/solr/docs_shard1_replica_n1/}, or several behind bars. */
    private static final Pattern SOLR_CORE =
            Pattern.compile("[^|]*?/([^/|]+?)(?:_replica_[a-z]*\\d+)?/?(?:\\|.*)?");

    private static final Pattern SOLR_LATE_SHARD = Pattern.compile("\\[Shard:([^\\]\\s]+)]");

    private EngineParts() {}

    /** A part of an engine. */
    record Part(String component, Outcome outcome) {}

    /**
     * The parts.
     *
     * @param isCut whether the answer has a sign that something is missing
     * @param answer a JSON document
     */
    static List<Part> of(Engine engine, boolean isCut, byte[] answer) {
        if (!isCut) {
            return List.of(new Part(engine.component(), Outcome.IN_TIME));
        }
        JsonNode tree;
        try {
            tree = JSON.readTree(answer);
        } catch (IOException e) {
            throw new IllegalArgumentException("the response is not JSON", e);
        }
        Missing missing = new Missing();
        Outcome whole =
                switch (engine) {
                    case OPENSEARCH, ELASTICSEARCH -> hits(tree, missing);
                    case SOLR -> solr(tree, missing);
                    case VESPA -> vespa(tree);
                    case QDRANT, JSON -> Outcome.TIMED_OUT;
                };
        List<Part> parts = new ArrayList<>();
        parts.add(new Part(engine.component(), whole));
        missing.outcomes.forEach((shard, outcome) -> parts.add(new Part(shard, outcome)));
        return parts;
    }

    /** Shards by their names. */
    private static final class Missing {
        final Map<String, Outcome> outcomes = new LinkedHashMap<>();

        void add(String shard, Outcome outcome) {
            String name = Names.cleaned(shard);
            if (!name.isBlank() && outcomes.size() < MOST_PARTS) {
                outcomes.putIfAbsent(name, outcome);
            }
        }
    }

    /**
     * Elasticsearch lists one of several shards that failed alike, and no list has the shards that
     * have no live copy: those have no name.
     */
    private static Outcome hits(JsonNode answer, Missing missing) {
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
        if (Math.max(failed, shards.path("failed").asInt()) > missing.outcomes.size()) {
            return Outcome.FAILED;
        }
        return missing.outcomes.isEmpty()
                        || answer.path("timed_out").asBoolean()
                        || answer.path("terminated_early").asBoolean()
                ? Outcome.TIMED_OUT
                : Outcome.IN_TIME;
    }

    /**
     * {@code shards.info=true} names the shards that failed; details name the first one that
     * exceeded a limit.
     */
    private static Outcome solr(JsonNode answer, Missing missing) {
        JsonNode header = answer.path("responseHeader");
        answer.path("shards.info")
                .properties()
                .forEach(
                        shard -> {
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

    /** Nodes that are down make the state less than ideal; all other reasons are limits. */
    private static Outcome vespa(JsonNode answer) {
        JsonNode root = answer.path("root");
        JsonNode degraded = root.path("coverage").path("degraded");
        boolean isLimited =
                degraded.path("match-phase").asBoolean()
                        || degraded.path("timeout").asBoolean()
                        || degraded.path("adaptive-timeout").asBoolean();
        return isLimited ? Outcome.TIMED_OUT : Outcome.FAILED;
    }
}
