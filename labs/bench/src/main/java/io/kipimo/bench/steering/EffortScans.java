package io.kipimo.bench.steering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kipimo.bench.report.Context;
import io.kipimo.examples.search.corpus.Corpus;
import io.kipimo.examples.search.corpus.CorpusDocument;
import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.harness.opensearch.OpenSearchCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * OpenSearch's {@code terminate_after}, the documents that a shard's search collects at most. The index is sorted by
 * the documents' popularity, which the score has a part of, so that popular documents are seen first. Without such an
 * order a scan that ends early loses in proportion.
 */
final class EffortScans implements EffortService {
    private static final String DISTRIBUTION = "kipimo.opensearch";

    /** 0: no end. */
    private static final int[] COLLECTED = {0, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200};

    private static final int SHARDS = 4;

    /** Words of a query that is a part of a text. */
    private static final int PASSAGE = 6;

    private static final int BATCH = 5_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public String name() {
        return "opensearch";
    }

    @Override
    public Optional<String> whyNot() {
        if (distribution().isEmpty()) {
            return Optional.of(
                    "needs OpenSearch unpacked: mvn -Pfull -pl itests/engines -am pre-integration-test, and ./kipimo of the source tree");
        }
        return OpenSearchCluster.whyNot();
    }

    private static Optional<Path> distribution() {
        String directory = System.getProperty(DISTRIBUTION);
        if (directory == null || !Files.isDirectory(Path.of(directory))) {
            return Optional.empty();
        }
        try (var found = Files.list(Path.of(directory))) {
            return found.filter(Files::isDirectory).findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public EffortSamples measure(Context context, SteeringSettings settings, Corpus corpus, PartitionedIndex index)
            throws IOException, InterruptedException {
        int count = context.choose(40, 400, 1_000);
        SplittableRandom random = new SplittableRandom(settings.seed());
        List<String> queries = Stream.concat(
                        EffortRerank.queries(index, settings.mixes().get(0).at(0), count / 2, settings).stream(),
                        random.ints(count / 2, 0, corpus.documents().size())
                                .mapToObj(i -> passage(corpus.documents().get(i), random)))
                .sorted(Comparator.comparingDouble(index.forecast()::cost))
                .toList();
        context.say("%s: starting, indexing", name());
        try (OpenSearchCluster engine = OpenSearchCluster.start(distribution().orElseThrow(), 1, 1, 0)) {
            ScanEngine asking = new ScanEngine(engine, settings.topK());
            asking.index(corpus, context.choose(2_000, 140_000, 140_000), settings.seed());
            return new EffortBlocks<>(asking, COLLECTED.length)
                    .measure(
                            name(),
                            Arrays.stream(COLLECTED)
                                    .mapToObj(n -> n == 0 ? "no end" : "end " + n)
                                    .toList(),
                            EffortBlocks.groups(queries, EffortRerank.GROUPS),
                            context.choose(1, 2, 4),
                            context);
        }
    }

    /** Neighbouring words of a document, some of them frequent, as in questions. */
    private static String passage(CorpusDocument document, SplittableRandom random) {
        String[] words = WordVectors.tokens(document.title() + " " + document.text());
        int from = random.nextInt(Math.max(1, words.length - PASSAGE));
        return String.join(" ", Arrays.copyOfRange(words, from, Math.min(words.length, from + PASSAGE)));
    }

    /** Asks the node as a client does. */
    private record ScanEngine(OpenSearchCluster engine, int topK, HttpClient http)
            implements EffortBlocks.BlockEngine<String> {
        ScanEngine(OpenSearchCluster engine, int topK) {
            this(
                    engine,
                    topK,
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
        }

        void index(Corpus corpus, int most, long seed) throws IOException, InterruptedException {
            send("PUT", "/ranked", """
                    {"settings": {"number_of_shards": %d, "number_of_replicas": 0,
                      "refresh_interval": "-1", "requests.cache.enable": false,
                      "queries.cache.enabled": false,
                      "sort.field": "popularity", "sort.order": "desc"},
                     "mappings": {"_source": {"enabled": false}, "properties": {
                      "popularity": {"type": "float"}, "text": {"type": "text"}}}}
                    """.formatted(SHARDS));
            List<CorpusDocument> all = corpus.documents();
            int step = (all.size() - 1) / most + 1;
            SplittableRandom random = new SplittableRandom(seed);
            StringBuilder batch = new StringBuilder();
            int documents = 0;
            for (int i = 0; i < all.size(); i += step) {
                CorpusDocument document = all.get(i);
                ObjectNode fields = JSON.createObjectNode();
                // Pareto's distribution with shape 1, as visits of pages.
                fields.put("popularity", 1 / (1 - random.nextDouble()));
                fields.put("text", document.title() + "\n" + document.text());
                batch.append("{\"index\":{\"_id\":\"" + document.id() + "\"}}\n");
                batch.append(fields).append('\n');
                if (++documents % BATCH == 0 || i + step >= all.size()) {
                    JsonNode answer = send("POST", "/ranked/_bulk", batch.toString());
                    if (answer.path("errors").asBoolean(true)) {
                        throw new IOException("OpenSearch does not index");
                    }
                    batch.setLength(0);
                }
            }
            send("POST", "/ranked/_refresh", "");
        }

        @Override
        public EffortBlocks.CountedAnswer ask(String text, int level) throws IOException, InterruptedException {
            ObjectNode body = JSON.createObjectNode();
            body.put("size", topK).put("track_total_hits", true);
            if (COLLECTED[level] > 0) {
                body.put("terminate_after", COLLECTED[level]);
            }
            ObjectNode score = body.putObject("query").putObject("function_score");
            score.putObject("query").putObject("match").put("text", String.join(" ", WordVectors.tokens(text)));
            score.putObject("field_value_factor").put("field", "popularity").put("modifier", "log1p");
            JsonNode hits = send("POST", "/ranked/_search", body.toString()).path("hits");
            JsonNode found = hits.path("hits");
            return new EffortBlocks.CountedAnswer(
                    IntStream.range(0, found.size())
                            .mapToObj(i -> found.path(i).path("_id").asText())
                            .toList(),
                    hits.path("total").path("value").asDouble());
        }

        private JsonNode send(String method, String path, String body) throws IOException, InterruptedException {
            HttpResponse<byte[]> response = http.send(
                    HttpRequest.newBuilder(URI.create(
                                    "http://127.0.0.1:" + engine.ports().get(0) + path))
                            .header("Content-Type", "application/json")
                            .method(method, BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new IOException("OpenSearch: " + new String(response.body(), StandardCharsets.UTF_8));
            }
            return JSON.readTree(response.body());
        }

        @Override
        public long cpuNanos() {
            return engine.cpu().toNanos();
        }
    }
}
