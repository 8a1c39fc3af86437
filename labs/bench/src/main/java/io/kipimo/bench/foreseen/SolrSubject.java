package io.kipimo.bench.foreseen;

import io.kipimo.bench.report.Context;
import io.kipimo.examples.http.HttpServers;
import io.kipimo.examples.search.SearchService;
import io.kipimo.examples.search.corpus.Corpus;
import io.kipimo.examples.search.corpus.CorpusDocument;
import io.kipimo.examples.search.frontend.ComponentAddress;
import io.kipimo.examples.search.frontend.FrontEnd;
import io.kipimo.examples.search.index.Hits;
import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.examples.search.load.LoadGenerator;
import io.kipimo.examples.search.protocol.ComponentResult;
import io.kipimo.examples.search.workload.QueryWriter;
import io.kipimo.harness.solr.SolrCloud;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The four shards of a real SolrCloud with the same documents, asked by the example's front end as Solr's coordinator
 * asks them: each for its best, with the shard's own statistics. Requests to a shard share its processors instead of
 * waiting in a queue.
 */
record SolrSubject(Corpus corpus, PartitionedIndex index) implements Subject {
    private static final int SHARDS = 4;
    private static final int CONNECTIONS = 256;

    @Override
    public String name() {
        return "Solr";
    }

    @Override
    public Optional<String> whyNot() {
        return SolrCloud.whyNot();
    }

    @Override
    public List<Recording> record(Context context) throws IOException, InterruptedException {
        int documents = context.choose(5_000, Integer.MAX_VALUE, Integer.MAX_VALUE);
        context.say("%s: starting, indexing", name());
        Vertx vertx = Vertx.vertx();
        LiveRecorder recorder = new LiveRecorder();
        try (SolrCloud solr = SolrCloud.start(SolrCloud.module(), 1, SHARDS, 0, List.of("-Xmx1536m"));
                LoadGenerator generator = new LoadGenerator()) {
            index(solr, corpus.documents().stream().limit(documents).toList());
            List<ComponentAddress> shards = new ArrayList<>();
            for (Map.Entry<String, String> core : solr.cores("docs").entrySet()) {
                HttpServer shard = await(shard(vertx, solr.ports().get(0), core.getValue()));
                shards.add(new ComponentAddress(core.getKey(), shard.actualPort()));
            }
            FrontEnd frontEnd = await(FrontEnd.start(
                    vertx,
                    LiveRecorder.settings(),
                    new FrontEnd.QueryClassPort(SearchService.HIGH, 0, false),
                    shards,
                    index.forecast(),
                    recorder));
            return recorder.record(context, name(), frontEnd.port(), new QueryWriter(index.vocabulary()), generator);
        } finally {
            await(vertx.close());
        }
    }

    private static void index(SolrCloud solr, List<CorpusDocument> documents) throws IOException, InterruptedException {
        solr.index(documents, (document, json) -> json.put("id", Long.toString(document.id()))
                .put("text", document.title() + " " + document.text()));
    }

    /** A server with the example's protocol for components that asks a shard. */
    private static Future<HttpServer> shard(Vertx vertx, int port, String core) {
        HttpClient client = vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(CONNECTIONS));
        return vertx.createHttpServer(HttpServers.onLoopback(0))
                .requestHandler(request -> ask(client, port, core, request))
                .listen();
    }

    private static void ask(HttpClient client, int port, String core, HttpServerRequest request) {
        String target = "/solr/" + core + "/select?distrib=false&wt=json&rows=" + request.getParam("k") + "&q="
                + URLEncoder.encode(request.getParam("q"), StandardCharsets.UTF_8);
        client.request(HttpMethod.GET, port, "127.0.0.1", target)
                .compose(asked -> asked.send())
                .compose(reply -> reply.body())
                .map(body -> result(new JsonObject(body)).encode())
                .onSuccess(request.response()::end)
                .onFailure(error -> request.response().setStatusCode(502).end(error.toString()));
    }

    private static ComponentResult result(JsonObject reply) {
        JsonArray documents = reply.getJsonObject("response").getJsonArray("docs");
        long[] ids = new long[documents.size()];
        float[] scores = new float[ids.length];
        for (int i = 0; i < ids.length; i++) {
            JsonObject document = documents.getJsonObject(i);
            ids[i] = Long.parseLong(document.getString("id"));
            scores[i] = document.getFloat("score");
        }
        return new ComponentResult(
                1_000 * reply.getJsonObject("responseHeader").getLong("QTime"), new Hits(ids, scores));
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }
}
