package io.kipimo.bench.steering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.kipimo.bench.report.Context;
import io.kipimo.examples.search.corpus.Corpus;
import io.kipimo.examples.search.corpus.CorpusDocument;
import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryTopic;
import io.kipimo.harness.solr.SolrCloud;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** SolrCloud's search by vector. The level is {@code topK}, the candidates of a shard's search; the answer has ten. */
final class EffortVectors implements EffortService {
    private static final int[] CANDIDATES = {400, 200, 100, 70, 50, 30, 20, 10};
    private static final int ROWS = 10;
    private static final int NODES = 2;
    private static final int SHARDS = 4;

    /** Groups of each kind of query, by how well its words are represented. */
    private static final int GROUPS = 4;

    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public String name() {
        return "solr";
    }

    @Override
    public Optional<String> whyNot() {
        return SolrCloud.whyNot();
    }

    @Override
    public EffortSamples measure(Context context, SteeringSettings settings, Corpus corpus, PartitionedIndex index)
            throws IOException, InterruptedException {
        int queries = context.choose(48, 360, 960);
        int documents = context.choose(2_000, 60_000, 100_000);
        List<CorpusDocument> all = corpus.documents();
        int kept = Math.min(documents, all.size() - queries);
        context.say("%s: embeddings of %d documents", name(), kept);
        List<CorpusDocument> indexed = new ArrayList<>();
        List<String> similar = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            // Evenly spread, since its sources are one after the other.
            if ((long) (i + 1) * kept / all.size() > (long) i * kept / all.size()) {
                indexed.add(all.get(i));
            } else if ((long) (i + 1) * 3 * queries / all.size() > (long) i * 3 * queries / all.size()) {
                similar.add(all.get(i).text());
            }
        }
        TextVectors vectors = new TextVectors(indexed, settings.seed());
        List<List<float[]>> groups = new ArrayList<>();
        for (List<String> texts : List.of(
                texts(index, 0, queries / 3, settings),
                texts(index, 1, queries / 3, settings),
                similar.stream().limit(queries / 3).toList())) {
            List<float[]> kind = texts.stream()
                    .map(vectors::of)
                    .filter(e -> e.represented() > 0)
                    .sorted(Comparator.comparingDouble(TextVectors.Embedding::represented))
                    .map(TextVectors.Embedding::vector)
                    .toList();
            groups.addAll(EffortBlocks.groups(kind, GROUPS));
        }
        context.say("%s: starting, indexing", name());
        try (SolrCloud solr = SolrCloud.start(SolrCloud.module(), NODES, SHARDS, 0, List.of("-Xmx1536m"))) {
            index(solr, indexed, vectors);
            return new EffortBlocks<>(new VectorEngine(solr), CANDIDATES.length)
                    .measure(
                            name(),
                            Arrays.stream(CANDIDATES).mapToObj(k -> "topK " + k).toList(),
                            groups,
                            context.choose(1, 2, 4),
                            context);
        }
    }

    /** Queries of one kind: none or all of them long. */
    private static List<String> texts(PartitionedIndex index, double heavy, int count, SteeringSettings settings) {
        return EffortRerank.queries(index, new QueryMix.MixPhase(heavy, 0, QueryTopic.ANY), count, settings);
    }

    private static void index(SolrCloud solr, List<CorpusDocument> documents, TextVectors vectors)
            throws IOException, InterruptedException {
        solr.index(documents, (document, json) -> {
            ArrayNode vector = json.put("id", Long.toString(document.id())).putArray("embedding");
            for (float value :
                    vectors.of(document.title() + " " + document.text()).vector()) {
                vector.add(value);
            }
        });
    }

    /** Asks a node as a client does. */
    private record VectorEngine(SolrCloud solr, HttpClient http) implements EffortBlocks.BlockEngine<float[]> {
        VectorEngine(SolrCloud solr) {
            this(
                    solr,
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
        }

        @Override
        public EffortBlocks.CountedAnswer ask(float[] vector, int level) throws IOException, InterruptedException {
            String query = "{!knn f=embedding topK="
                    + CANDIDATES[level]
                    + "}"
                    + Arrays.toString(vector).replace(" ", "");
            HttpResponse<byte[]> response = http.send(
                    HttpRequest.newBuilder(URI.create(
                                    "http://127.0.0.1:" + solr.ports().get(0) + "/solr/docs/select"))
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(BodyPublishers.ofString(
                                    "wt=json&rows=" + ROWS + "&q=" + URLEncoder.encode(query, StandardCharsets.UTF_8)))
                            .build(),
                    BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new IOException("Solr: " + new String(response.body(), StandardCharsets.UTF_8));
            }
            JsonNode found = JSON.readTree(response.body()).path("response");
            JsonNode documents = found.path("docs");
            return new EffortBlocks.CountedAnswer(
                    IntStream.range(0, documents.size())
                            .mapToObj(i -> documents.path(i).path("id").asText())
                            .toList(),
                    found.path("numFound").asDouble());
        }

        @Override
        public long cpuNanos() {
            return solr.cpu().toNanos();
        }
    }
}
