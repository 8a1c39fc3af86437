package io.kipimo.harness.solr;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kipimo.embedded.process.ChildProcess;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.embedded.process.ScratchDirectory;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * A real SolrCloud in a JVM of its own. It has one collection, {@code docs}, with one replica a shard. Its code and
 * libraries come from module {@code itests/solr}, because the libraries clash with Flink's.
 */
public final class SolrCloud implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Number of documents in a request. */
    private static final int BATCH = 2_000;

    private final ScratchDirectory directory = ScratchDirectory.create("solr");
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int controlPort = FreePorts.one();
    private final ChildProcess process;
    private final List<Integer> ports;

    private SolrCloud(Path module, int nodes, int shards, int documents, List<String> options)
            throws IOException, InterruptedException {
        String classPath = String.join(
                File.pathSeparator,
                module.resolve("test-classes").toString(),
                placeOf(ChildProcess.class),
                Files.readString(module.resolve("classpath.txt")).strip());
        List<String> arguments = new ArrayList<>();
        // HTTP/1.1 between coordinator and shards.
        arguments.addAll(List.of("-Xmx768m", "-Dsolr.http1=true"));
        arguments.addAll(options);
        process = ChildProcess.start(
                "io.kipimo.solr.SolrBed",
                classPath,
                arguments,
                List.of(
                        directory.path().resolve("bed").toString(),
                        Integer.toString(controlPort),
                        Integer.toString(nodes),
                        Integer.toString(shards),
                        Integer.toString(documents)),
                directory.path().resolve("log"));
        try {
            process.awaitReady("Solr", () -> process.output().contains("\nready\n"), PATIENCE);
            ports = Arrays.stream(send(control("/nodes").GET()).split(" "))
                    .map(Integer::valueOf)
                    .toList();
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Starts Solr. When this method returns, all generated documents can be found.
     *
     * @param module the directory {@code target} of {@code itests/solr}, where the build wrote classes and class path
     * @param documents number of generated documents; 0: an empty collection
     * @throws IOException if the module is not built or Solr does not start
     */
    public static SolrCloud start(Path module, int nodes, int shards, int documents)
            throws IOException, InterruptedException {
        return start(module, nodes, shards, documents, List.of());
    }

    /**
     * Starts Solr like {@link #start(Path, int, int, int)}, with options of its JVM, such as system properties that its
     * configuration reads.
     *
     * @throws IOException if the module is not built or Solr does not start
     */
    public static SolrCloud start(Path module, int nodes, int shards, int documents, List<String> options)
            throws IOException, InterruptedException {
        return new SolrCloud(module, nodes, shards, documents, options);
    }

    private static String placeOf(Class<?> type) {
        return Path.of(URI.create(
                        type.getProtectionDomain().getCodeSource().getLocation().toString()))
                .toString();
    }

    /** The nodes' ports. */
    public List<Integer> ports() {
        return ports;
    }

    /** Processor time of all nodes since they started. */
    public Duration cpu() {
        return process.cpu();
    }

    /** Stops a node, and with it the only replica of its shards. */
    public void stop(int node) throws IOException, InterruptedException {
        var unused = send(control("/stop/" + node).POST(BodyPublishers.noBody()));
    }

    private HttpRequest.Builder control(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + controlPort + path));
    }

    /** The response of a node as text. The request goes to the node without the gateway. */
    public String get(String target) throws IOException, InterruptedException {
        return send(node(target));
    }

    /**
     * The core of each shard of a collection, by the shard's name. If a shard has several replicas, the last one in the
     * list counts.
     */
    public SortedMap<String, String> cores(String collection) throws IOException, InterruptedException {
        SortedMap<String, String> cores = new TreeMap<>();
        new ObjectMapper()
                .readTree(get("/solr/admin/collections?action=CLUSTERSTATUS&wt=json"))
                .path("cluster")
                .path("collections")
                .path(collection)
                .path("shards")
                .properties()
                .forEach(shard -> shard.getValue()
                        .path("replicas")
                        .forEach(replica ->
                                cores.put(shard.getKey(), replica.path("core").asText())));
        return cores;
    }

    /**
     * Sends documents to a node, and returns when they can be found.
     *
     * @param fields sets the fields of a document
     */
    public <D> void index(List<D> documents, BiConsumer<D, ObjectNode> fields)
            throws IOException, InterruptedException {
        for (int from = 0; from < documents.size(); from += BATCH) {
            int to = Math.min(from + BATCH, documents.size());
            ArrayNode batch = JsonNodeFactory.instance.arrayNode();
            documents.subList(from, to).forEach(document -> fields.accept(document, batch.addObject()));
            index(batch.toString(), to == documents.size());
        }
    }

    /**
     * Sends documents to a node.
     *
     * @param documents a JSON array
     * @param commit whether these documents and all earlier ones can be found when this method returns
     */
    public void index(String documents, boolean commit) throws IOException, InterruptedException {
        var unused = send(node("/solr/docs/update?commit=" + commit)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(documents)));
    }

    private HttpRequest.Builder node(String target) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports.get(0) + target));
    }

    private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("Solr: " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }

    @Override
    public void close() {
        process.close();
        directory.close();
    }
}
