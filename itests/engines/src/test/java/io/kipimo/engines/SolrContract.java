package io.kipimo.engines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.kipimo.gateway.Gateway;
import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.harness.solr.SolrCloud;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** SolrCloud, which cuts its work by {@code timeAllowed} and {@code maxHitsAllowed}. */
abstract class SolrContract extends EngineContract {
    /** Where the build put Solr. */
    private static final Path BED = Path.of("..", "solr", "target").toAbsolutePath().normalize();

    private static final String SELECT = "/solr/docs/select";

    private record Bed(SolrCloud solr) implements EngineBed {
        @Override
        public List<Integer> ports() {
            return solr.ports();
        }

        @Override
        public void stop(int node) throws IOException, InterruptedException {
            solr.stop(node);
        }

        @Override
        public void close() {
            solr.close();
        }
    }

    @Override
    String engine() {
        return "solr";
    }

    @Override
    EngineBed startBed() throws Exception {
        return new Bed(SolrCloud.start(BED, NODES, SHARDS, DOCUMENTS));
    }

    @Override
    Query query(int form, String words, Limit limit, SplittableRandom random) {
        String name = limit == Limit.TIME ? "timeAllowed" : "maxHitsAllowed";
        int value = limit == Limit.TIME ? 1 : 1 + random.nextInt(200);
        String parameters =
                "rows="
                        + K
                        + "&q="
                        + encoded(words)
                        + (limit == null ? "" : "&" + name + "=" + value);
        return switch (form % 3) {
            case 0 -> Query.get(SELECT + "?" + parameters);
            case 1 -> new Query("POST", SELECT, FORM, parameters);
            default ->
                    Query.json(
                            SELECT + "?rows=" + K,
                            "{\"query\":\"%s\"".formatted(words)
                                    + (limit == null
                                            ? "}"
                                            : ",\"params\":{\"%s\":%d}}".formatted(name, value)));
        };
    }

    @Override
    Query malformed() {
        return Query.get(SELECT + "?q=" + encoded("{!bad"));
    }

    /**
     * When a shard has no replica, Solr 9.10.1 answers 500 to shards.info if it needs one pass, as
     * for {@code fl=id,score}.
     */
    @Override
    Query withoutANode(int form, String words) {
        return Query.get(
                SELECT
                        + "?rows=10&shards.tolerant=true"
                        + (form % 2 == 0 ? "" : "&shards.info=true&fl=id,score,title")
                        + "&q="
                        + encoded(words));
    }

    @Override
    void checkFailed(int form, List<String> failed) {
        if (form % 2 == 0) {
            assertThat(failed).containsExactly("solr");
        } else {
            assertThat(failed)
                    .hasSize(SHARDS / NODES)
                    .allMatch(name -> name.matches("docs_shard\\d|unknown_shard_\\d"));
        }
    }

    @Override
    boolean isCut(JsonNode answer) {
        return answer.at("/responseHeader/partialResults").asBoolean();
    }

    @Override
    List<String> ids(JsonNode answer) {
        List<String> ids = new ArrayList<>();
        answer.at("/response/docs").forEach(doc -> ids.add(doc.path("id").asText()));
        return ids;
    }

    @Override
    Query increment() {
        return Query.json(
                "/solr/docs/update?commit=true", "[{\"id\":\"once\",\"updates\":{\"inc\":1}}]");
    }

    @Override
    int increments() throws Exception {
        return direct(Query.get(SELECT + "?q=id:once&fl=updates"))
                .at("/response/docs/0/updates")
                .asInt();
    }

    /** The guide's file and query, at this test's addresses. */
    @Test
    @Order(5)
    void theGuidesFileMeasuresTheGuidesQuery() throws Exception {
        String guide = Files.readString(Path.of("..", "..", "docs", "engines", "solr.md"));
        String file = between(guide, "```yaml", "```").stripIndent();
        for (Map.Entry<String, String> place :
                Map.of(
                                "'localhost:9092'",
                                "'" + kafka().bootstrapServers() + "', topic-prefix: engines.",
                                "127.0.0.1:8080",
                                "127.0.0.1:0",
                                "127.0.0.1:8983",
                                "127.0.0.1:" + enginePort())
                        .entrySet()) {
            assertThat(file).containsOnlyOnce(place.getKey());
            file = file.replace(place.getKey(), place.getValue());
        }
        try (Gateway guided = Gateway.start(ConfigFile.read(file, "127.0.0.1:0", "gw"))) {
            int guidedPort = guided.ports().get("solr");
            send(Query.get(between(guide, "curl 'http://127.0.0.1:8080", "'")).at(guidedPort));

            assertThat(guided.metrics().lines())
                    .contains("kipimo_gateway_answers_total 1.0")
                    .anyMatch(line -> line.startsWith("kipimo_gateway_responses_cut_total{"))
                    .anyMatch(line -> line.startsWith("kipimo_gateway_replays_total "));
        }
    }

    private static String between(String text, String from, String to) {
        int start = text.indexOf(from) + from.length();
        return text.substring(start, text.indexOf(to, start));
    }
}
