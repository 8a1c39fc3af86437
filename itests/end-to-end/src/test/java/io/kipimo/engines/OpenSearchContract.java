package io.kipimo.engines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.kipimo.harness.opensearch.OpenSearchCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** OpenSearch, which cuts its work by {@code timeout} and {@code terminate_after}. */
abstract class OpenSearchContract extends EngineContract {
    /** Where the build unpacked OpenSearch. */
    private static final Path UNPACKED = Path.of("target", "opensearch").toAbsolutePath();

    private static final String SEARCH = "/docs/_search";

    private record Bed(OpenSearchCluster cluster) implements EngineBed {
        @Override
        public List<Integer> ports() {
            return cluster.ports();
        }

        @Override
        public void stop(int node) throws IOException, InterruptedException {
            cluster.stop(node);
        }

        @Override
        public void close() {
            cluster.close();
        }
    }

    private static Path distribution() {
        try (Stream<Path> found = Files.list(UNPACKED)) {
            return found.findFirst().orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    String engine() {
        return "opensearch";
    }

    @Override
    EngineBed startBed() throws Exception {
        Optional<String> whyNot = OpenSearchCluster.whyNot();
        whyNot.ifPresent(why -> System.err.println("SKIPPED: the tests on OpenSearch: " + why));
        Assumptions.assumeTrue(whyNot.isEmpty(), () -> whyNot.orElse(""));
        return new Bed(OpenSearchCluster.start(distribution(), NODES, SHARDS, documents()));
    }

    @Override
    Query query(int form, String words, Limit limit, SplittableRandom random) {
        String name = limit == Limit.TIME ? "timeout" : "terminate_after";
        String value = limit == Limit.TIME ? "1ms" : Integer.toString(1 + random.nextInt(200));
        String parameters = limit == null ? "" : "&" + name + "=" + value;
        String match = "{\"query\":{\"match\":{\"text\":\"" + words + "\"}}";
        return switch (form % 3) {
            case 0 -> Query.get(SEARCH + "?size=" + K + "&q=" + encoded("text:(" + words + ")") + parameters);
            case 1 -> Query.json(SEARCH + "?size=" + K + parameters, match + "}");
            default ->
                Query.json(
                        SEARCH + "?size=" + K,
                        match + (limit == null ? "}" : ",\"%s\":\"%s\"}".formatted(name, value)));
        };
    }

    @Override
    Query malformed() {
        return Query.json(SEARCH, "{\"query\":{\"nonsense\":{}}}");
    }

    @Override
    Query withoutANode(int form, String words) {
        return query(form, words, null, new SplittableRandom(form));
    }

    /** OpenSearch counts the shards that have no live copy, and does not name them. */
    @Override
    void checkFailed(int form, List<String> failed) {
        assertThat(failed).containsExactly(engine());
    }

    /** A shard may also fail because its time is over. */
    @Override
    boolean isCut(JsonNode answer) {
        return answer.path("timed_out").asBoolean()
                || answer.path("terminated_early").asBoolean()
                || answer.at("/_shards/successful").asInt()
                        < answer.at("/_shards/total").asInt();
    }

    @Override
    List<String> ids(JsonNode answer) {
        List<String> ids = new ArrayList<>();
        answer.at("/hits/hits").forEach(hit -> ids.add(hit.path("_id").asText()));
        return ids;
    }

    /** {@code create} of a new id each time that it is done. */
    @Override
    Query increment() {
        return new Query(
                "POST", "/docs/_bulk?refresh=true", "application/x-ndjson", "{\"create\":{}}\n{\"title\":\"once\"}\n");
    }

    @Override
    int increments() throws Exception {
        return direct(Query.get("/docs/_count?q=title:once")).path("count").asInt();
    }

    @Override
    String guidesAddress() {
        return "127.0.0.1:9200";
    }
}
