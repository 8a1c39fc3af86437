package io.kipimo.gateway.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Unit;
import io.kipimo.schemas.field.WithBuilder;
import java.util.List;
import java.util.Map;

/**
 * Settings for running an engine's queries again without their limits.
 *
 * @param when which sampled queries are run again
 * @param ofClean share of the whole sampled answers whose queries are run again too, 0..1, to monitor approximate
 *     search; 0: none, and a whole answer has quality 1
 * @param budget most time that replays take, as a share of the time of all queries, 0..1
 * @param concurrency most replays of the listener that run at the same time, at least 1
 * @param timeoutMillis time after which a replay is given up
 * @param withoutParameters parameters that are removed from the query string, and from a form in the body
 * @param setParameters parameters that are set in the query string, instead of those of the request
 * @param withoutFields JSON pointers to fields that are removed from the body
 * @param setFields values that are set in the body, by JSON pointer
 */
@WithBuilder
public record ReplayConfig(
        When when,
        @Range(most = 1) double ofClean,
        @Range(most = 1) double budget,
        @Range(least = 1, most = 100) int concurrency,

        @Unit(Unit.Of.MILLIS) @Range(least = 1, most = Range.HOUR_MILLIS)
        long timeoutMillis,

        List<String> withoutParameters,
        Map<String, String> setParameters,
        List<String> withoutFields,
        Map<String, JsonNode> setFields) {
    /** Choice of the sampled queries that are run again. */
    public enum When {
        /** Queries whose answers are cut or lack a shard, and a share {@code ofClean} of the others. */
        CUT,
        /** All sampled queries, as with {@code ofClean} 1. */
        ALWAYS,
        /** No queries. */
        NEVER
    }

    static final ReplayConfig DEFAULT =
            new ReplayConfig(When.CUT, 0, 0.05, 4, 5_000, List.of(), Map.of(), List.of(), Map.of());

    public ReplayConfig {
        withoutParameters = List.copyOf(withoutParameters);
        setParameters = Map.copyOf(setParameters);
        withoutFields = List.copyOf(withoutFields);
        setFields = Map.copyOf(setFields);
    }

    /** Whether a sampled query is run again although its answer is whole. */
    public boolean draws(String queryId) {
        // Another text than the id: the draw is independent of sampling and admission.
        return ConsistentSampling.isSampled("clean " + queryId, ofClean);
    }
}
