package io.kipimo.engines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.kipimo.harness.solr.SolrCloud;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** SolrCloud, which cuts its work by {@code timeAllowed} and {@code maxHitsAllowed}. */
abstract class SolrContract extends EngineContract {
    /** Where the build put Solr. */
    private static final Path BED =
            Path.of("..", "solr", "target").toAbsolutePath().normalize();

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

    int shards() {
        return SHARDS;
    }

    /** Options of the nodes' JVM. */
    List<String> options() {
        return List.of("-XX:+UseSerialGC");
    }

    /** How many nodes have the shards. */
    int nodes() {
        return NODES;
    }

    @Override
    String engine() {
        return "solr";
    }

    @Override
    EngineBed startBed() throws Exception {
        return new Bed(SolrCloud.start(BED, nodes(), shards(), documents(), options()));
    }

    @Override
    Query query(int form, String words, Limit limit, SplittableRandom random) {
        String name = limit == Limit.TIME ? "timeAllowed" : "maxHitsAllowed";
        int value = limit == Limit.TIME ? 1 : 1 + random.nextInt(200);
        String parameters = "rows=" + K + "&q=" + encoded(words) + (limit == null ? "" : "&" + name + "=" + value);
        return switch (form % 3) {
            case 0 -> Query.get(SELECT + "?" + parameters);
            case 1 -> new Query("POST", SELECT, FORM, parameters);
            default ->
                Query.json(
                        SELECT + "?rows=" + K,
                        "{\"query\":\"%s\"".formatted(words)
                                + (limit == null ? "}" : ",\"params\":{\"%s\":%d}}".formatted(name, value)));
        };
    }

    @Override
    Query malformed() {
        return Query.get(SELECT + "?q=" + encoded("{!bad"));
    }

    /**
     * When a shard has no replica, Solr 9.10.1 answers 500 to shards.info if it needs one pass, as for
     * {@code fl=id,score}.
     */
    @Override
    Query withoutANode(int form, String words) {
        return Query.get(SELECT
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
        return Query.json("/solr/docs/update?commit=true", "[{\"id\":\"once\",\"updates\":{\"inc\":1}}]");
    }

    @Override
    int increments() throws Exception {
        return direct(Query.get(SELECT + "?q=id:once&fl=updates"))
                .at("/response/docs/0/updates")
                .asInt();
    }

    @Override
    String guidesAddress() {
        return "127.0.0.1:8983";
    }
}
