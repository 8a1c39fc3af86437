package io.kipimo.engines;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.harness.process.ChildProcess;
import io.kipimo.harness.process.FreePorts;
import io.kipimo.harness.process.ScratchDirectory;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * A real SolrCloud of generated documents in a JVM of its own, whose module is {@code itests/solr}.
 */
final class SolrCloud implements AutoCloseable {
    static final int NODES = 3;
    static final int SHARDS = 6;
    static final int DOCUMENTS = 50_000;

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ScratchDirectory directory = ScratchDirectory.create("solr");
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int controlPort = FreePorts.one();
    private final ChildProcess process;
    private final List<Integer> ports;

    private SolrCloud() throws IOException, InterruptedException {
        // Beside this module; the build wrote its class path.
        Path target = Path.of("..", "solr", "target").toAbsolutePath().normalize();
        String classPath =
                String.join(
                        File.pathSeparator,
                        target.resolve("test-classes").toString(),
                        placeOf(ChildProcess.class),
                        Files.readString(target.resolve("classpath.txt")).strip());
        process =
                ChildProcess.start(
                        "io.kipimo.solr.SolrBed",
                        classPath,
                        // HTTP/1.1 between coordinator and shards.
                        List.of("-Xmx768m", "-Dsolr.http1=true"),
                        List.of(
                                directory.path().resolve("bed").toString(),
                                Integer.toString(controlPort),
                                Integer.toString(NODES),
                                Integer.toString(SHARDS),
                                Integer.toString(DOCUMENTS)),
                        directory.path().resolve("log"));
        try {
            await("Solr with " + DOCUMENTS + " documents")
                    .atMost(PATIENCE)
                    .failFast("Solr has ended", () -> !process.isAlive())
                    .until(() -> process.output().contains("\nready\n"));
            ports =
                    Arrays.stream(send(control("/nodes").GET()).split(" "))
                            .map(Integer::valueOf)
                            .toList();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Starts it; all documents can be found when this returns. */
    static SolrCloud start() throws IOException, InterruptedException {
        return new SolrCloud();
    }

    private static String placeOf(Class<?> type) {
        return Path.of(
                        URI.create(
                                type.getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toString()))
                .toString();
    }

    /** The nodes' ports. */
    List<Integer> ports() {
        return ports;
    }

    /** Stops a node; its shards have no other replica. */
    void stop(int node) {
        send(control("/stop/" + node).POST(BodyPublishers.noBody()));
    }

    private HttpRequest.Builder control(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + controlPort + path));
    }

    /** What a node answers to a request without the gateway. */
    JsonNode get(String target) throws IOException {
        return JSON.readTree(
                send(
                        HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + ports.get(0) + target))));
    }

    private String send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IllegalStateException(response.statusCode() + ": " + response.body());
            }
            return response.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        process.close();
        directory.close();
    }
}
