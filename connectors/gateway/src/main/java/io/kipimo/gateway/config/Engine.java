package io.kipimo.gateway.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.kipimo.gateway.config.ItemsConfig.Order;
import io.kipimo.gateway.config.ReplayConfig.When;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A search engine whose answers say of themselves whether they are whole. A preset knows where the
 * items are, how a cut shows, and how to ask once more without the limit.
 */
// Its parts are records of lists that nobody changes.
@SuppressWarnings("ImmutableEnumChecker")
public enum Engine {
    OPENSEARCH(
            List.of("*/_search"),
            hits(List.of()),
            replay(
                    When.CUT,
                    List.of("timeout", "terminate_after", "cancel_after_time_interval", "scroll"),
                    Map.of(),
                    List.of("/timeout", "/terminate_after"),
                    Map.of())),
    ELASTICSEARCH(
            List.of("*/_search"),
            hits(
                    List.of(
                            "/_clusters/skipped > 0",
                            "/_clusters/partial > 0",
                            "/_clusters/failed > 0")),
            replay(
                    When.CUT,
                    List.of("timeout", "terminate_after", "scroll"),
                    Map.of(),
                    List.of("/timeout", "/terminate_after"),
                    Map.of())),
    SOLR(
            List.of("*/select", "*/query"),
            ItemsConfigBuilder.builder()
                    .reader(ItemsConfig.JSON)
                    .arrays(List.of("/response/docs"))
                    .ids(List.of("id"))
                    .score("score")
                    .cutWhen(
                            signs(
                                    List.of(
                                            "/responseHeader/partialResults",
                                            "/responseHeader/segmentTerminatedEarly",
                                            "/responseHeader/maxHitsTerminatedEarly")))
                    // omitHeader=true takes away the only place where a cut shows.
                    .needs(List.of("/responseHeader/status"))
                    .order(Order.PLACE)
                    // A query that is cut before it begins has no list.
                    .emptyWith("/responseHeader/partialResults")
                    .notWith("")
                    .build(),
            replay(
                    When.CUT,
                    List.of("cpuAllowed", "memAllowed", "maxHitsAllowed", "segmentTerminateEarly"),
                    // A handler's defaults may hold a limit, too.
                    Map.of("timeAllowed", "-1"),
                    List.of(
                            "/params/timeAllowed",
                            "/params/cpuAllowed",
                            "/params/memAllowed",
                            "/params/maxHitsAllowed",
                            "/params/segmentTerminateEarly"),
                    Map.of())),
    VESPA(
            List.of("/search/"),
            ItemsConfigBuilder.builder()
                    .reader(ItemsConfig.JSON)
                    .arrays(List.of("/root/children"))
                    .ids(List.of("id"))
                    // index:CLUSTER/NODE/GID, of a summary in memory: the replicas of one document
                    // have different nodes.
                    .notInIds("(?<=^index:[^/]{1,200}/)\\d+/")
                    .score("relevance")
                    .cutWhen(
                            signs(
                                    List.of(
                                            "/root/coverage/coverage < 100",
                                            // The percentage is rounded.
                                            "/root/coverage/full < 1",
                                            "/root/coverage/resultsFull < /root/coverage/results",
                                            // There only for a reason, known here or not.
                                            "/root/coverage/degraded",
                                            "/root/errors")))
                    .needs(List.of("/root/coverage/coverage"))
                    .order(Order.PLACE)
                    .emptyWith("/root/fields/totalCount")
                    // Groups stand beside the hits.
                    .notWith("children")
                    .build(),
            replay(
                    When.CUT,
                    List.of("ranking.matchPhase.maxHits", "ranking.matchPhase.attribute"),
                    Map.of("timeout", "10s", "ranking.softtimeout.enable", "false"),
                    List.of("/ranking.matchPhase.maxHits", "/ranking/matchPhase"),
                    Map.of(
                            "/timeout",
                            TextNode.valueOf("10s"),
                            "/ranking.softtimeout.enable",
                            BooleanNode.FALSE))),
    QDRANT(
            List.of("/collections/*/points/search", "/collections/*/points/query"),
            ItemsConfigBuilder.builder()
                    .reader(ItemsConfig.JSON)
                    .arrays(List.of("/result/points", "/result"))
                    .ids(List.of("id"))
                    .score("score")
                    .needs(List.of("/status"))
                    .order(Order.PLACE)
                    .emptyWith("")
                    .notWith("")
                    .build(),
            // Its search is approximate and never says that it left something out.
            replay(
                    When.ALWAYS,
                    List.of("timeout"),
                    Map.of(),
                    List.of(),
                    Map.of("/params/exact", BooleanNode.TRUE))),
    /** Any other: the configuration says all of it. */
    JSON(
            List.of(),
            ItemsConfigBuilder.builder()
                    .reader(ItemsConfig.JSON)
                    .arrays(List.of(""))
                    .ids(List.of("id"))
                    .score("score")
                    .order(Order.PLACE)
                    .emptyWith("")
                    .notWith("")
                    .build(),
            replay(When.CUT, List.of(), Map.of(), List.of(), Map.of()));

    private final List<PathRule> only;
    private final ItemsConfig items;
    private final ReplayConfig replay;

    Engine(List<String> only, ItemsConfig items, ReplayConfig replay) {
        this.only = only.stream().map(PathRule::new).toList();
        this.items = items;
        this.replay = replay;
    }

    /** OpenSearch and its ancestor. Two indices may have documents of the same {@code _id}. */
    private static ItemsConfig hits(List<String> furtherSigns) {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "/timed_out",
                                "/terminated_early",
                                "/_shards/failed > 0",
                                // A shard of a node that is gone is not asked: neither successful
                                // nor failed. Skipped ones are successful.
                                "/_shards/successful < /_shards/total"));
        all.addAll(furtherSigns);
        return ItemsConfigBuilder.builder()
                .reader(ItemsConfig.JSON)
                .arrays(List.of("/hits/hits"))
                .ids(List.of("_index", "_id"))
                .score("_score")
                .cutWhen(signs(all))
                // filter_path can take away what shows a cut.
                .needs(
                        List.of(
                                "/timed_out",
                                "/_shards/failed",
                                "/_shards/successful",
                                "/_shards/total"))
                .order(Order.PLACE)
                .emptyWith("")
                .notWith("")
                .build();
    }

    private static List<CutSign> signs(List<String> texts) {
        return texts.stream().map(text -> CutSign.parse(text).orElseThrow()).toList();
    }

    private static ReplayConfig replay(
            When when,
            List<String> withoutParameters,
            Map<String, String> setParameters,
            List<String> withoutFields,
            Map<String, JsonNode> setFields) {
        return new ReplayConfig(
                when,
                when == When.ALWAYS ? 1 : 0,
                ReplayConfig.DEFAULT_BUDGET,
                ReplayConfig.DEFAULT_CONCURRENCY,
                ReplayConfig.DEFAULT_TIMEOUT_MILLIS,
                withoutParameters,
                setParameters,
                withoutFields,
                setFields);
    }

    /** The component that stands for the engine as a whole in measurements. */
    public String component() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Paths of queries. */
    public List<PathRule> only() {
        return only;
    }

    public ItemsConfig items() {
        return items;
    }

    public ReplayConfig replay() {
        return replay;
    }
}
