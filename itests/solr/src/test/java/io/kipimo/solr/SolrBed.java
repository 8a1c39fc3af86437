package io.kipimo.solr;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kipimo.harness.corpus.GeneratedCorpus;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.solr.client.solrj.SolrClient;
import org.apache.solr.client.solrj.request.CollectionAdminRequest;
import org.apache.solr.cloud.MiniSolrCloudCluster;
import org.apache.solr.common.SolrInputDocument;
import org.apache.solr.embedded.JettySolrRunner;

/**
 * A SolrCloud with one collection, {@code docs}, of one replica a shard. {@code GET /nodes} at its own port lists the
 * nodes' ports; {@code POST /stop/N} stops one, and returns when all others know.
 *
 * <p>Arguments: a directory, the port, nodes, shards, documents.
 */
public final class SolrBed {
    private static final int BATCH = 1_000;
    private static final long SEED = 11;
    private static final int PATIENCE_SECONDS = 60;

    private SolrBed() {}

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        int nodes = Integer.parseInt(args[2]);
        int shards = Integer.parseInt(args[3]);
        int documents = Integer.parseInt(args[4]);
        Path conf = Files.createDirectories(directory.resolve("conf"));
        for (String file : List.of("solrconfig.xml", "schema.xml")) {
            try (InputStream in = SolrBed.class.getResourceAsStream("/conf/" + file)) {
                Files.copy(in, conf.resolve(file));
            }
        }
        MiniSolrCloudCluster cluster = new MiniSolrCloudCluster.Builder(nodes, directory.resolve("cluster"))
                .addConfig("docs", conf)
                // As without a test cluster: a tracer of its own, or X-Trace-Id.
                .withTraceIdGenerationDisabled()
                .configure();
        CollectionAdminRequest.createCollection("docs", "docs", shards, 1).process(cluster.getSolrClient());
        cluster.waitForActiveCollection("docs", shards, shards);
        index(cluster.getSolrClient(), documents);
        List<JettySolrRunner> runners = List.copyOf(cluster.getJettySolrRunners());
        HttpServer control = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1])), 0);
        control.createContext(
                "/nodes",
                exchange -> answer(
                        exchange,
                        String.join(
                                " ",
                                runners.stream()
                                        .map(r -> Integer.toString(r.getLocalPort()))
                                        .toList())));
        control.createContext("/stop/", exchange -> stop(cluster, runners, exchange));
        control.start();
        System.out.println("ready");
    }

    private static void index(SolrClient client, int documents) throws Exception {
        GeneratedCorpus corpus = new GeneratedCorpus(SEED);
        List<SolrInputDocument> batch = new ArrayList<>();
        for (int i = 0; i < documents; i++) {
            SolrInputDocument document = new SolrInputDocument();
            document.addField("id", "d" + i);
            document.addField("title", corpus.title());
            document.addField("text", corpus.text());
            batch.add(document);
            if (batch.size() == BATCH || i == documents - 1) {
                client.add("docs", batch);
                batch.clear();
            }
        }
        client.commit("docs");
    }

    private static void stop(MiniSolrCloudCluster cluster, List<JettySolrRunner> runners, HttpExchange exchange)
            throws IOException {
        String path = exchange.getRequestURI().getPath();
        JettySolrRunner runner = runners.get(Integer.parseInt(path.substring(path.lastIndexOf('/') + 1)));
        String name = runner.getNodeName();
        try {
            cluster.stopJettySolrRunner(runner);
            // A coordinator still asks the node until its view of the cluster has changed.
            for (JettySolrRunner other : runners) {
                if (other.isRunning()) {
                    other.getCoreContainer()
                            .getZkController()
                            .getZkStateReader()
                            .waitForLiveNodes(PATIENCE_SECONDS, TimeUnit.SECONDS, (before, now) -> !now.contains(name));
                }
            }
            answer(exchange, "stopped");
        } catch (Exception e) {
            answer(exchange, 500, e.toString());
        }
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        answer(exchange, 200, text);
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
