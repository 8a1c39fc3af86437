package io.kipimo.harness.opensearch;

import io.kipimo.embedded.process.ChildProcess;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.embedded.process.Programs;
import io.kipimo.embedded.process.ScratchDirectory;
import io.kipimo.harness.corpus.GeneratedCorpus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A real cluster of OpenSearch, or of Elasticsearch, its ancestor. Each node is a process. There is one index,
 * {@code docs}, without replicas.
 *
 * <p>Both engines refuse to run as root. So as root, the nodes run as user {@value #NOBODY}, on a copy of the
 * distribution that this user may read. If {@code setpriv} is installed, they end with this JVM, even if it is killed.
 */
public final class OpenSearchCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int PAUSE_MILLIS = 100;
    private static final int GRACE_SECONDS = 10;
    private static final int BATCH = 5_000;
    private static final long SEED = 11;

    /** Options of each node's JVM. Three nodes share the cores with Flink, and do not live long enough for more. */
    private static final List<String> JVM_OPTIONS =
            List.of("-Xms384m", "-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** The user id of nobody. */
    private static final String NOBODY = "65534";

    /** The engines that a cluster can consist of. */
    public enum EngineKind {
        OPENSEARCH,
        ELASTICSEARCH;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final ScratchDirectory directory = ScratchDirectory.create("opensearch");
    private final EngineKind engine;
    private final String name;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Process> nodes = new ArrayList<>();
    private final int[] ports;
    private final int[] transportPorts;

    private OpenSearchCluster(EngineKind engine, Path distribution, String name, int nodes, int shards, int documents)
            throws IOException, InterruptedException {
        this.engine = engine;
        this.name = name;
        ports = FreePorts.distinct(nodes);
        transportPorts = FreePorts.distinct(nodes);
        try {
            Path home = copy(distribution);
            for (int node = 0; node < nodes; node++) {
                configure(node);
            }
            if (isRoot()) {
                run(List.of(
                        "chown", "-R", NOBODY + ":" + NOBODY, directory.path().toString()));
            }
            for (int node = 0; node < nodes; node++) {
                this.nodes.add(start(node, home));
            }
            await("/_cluster/health?wait_for_nodes=" + nodes + "&timeout=1s");
            create(shards, documents);
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** The reason why no cluster can be started here; empty if one can. */
    public static Optional<String> whyNot() {
        if (!isRoot()) {
            return Optional.empty();
        }
        if (Programs.find("setpriv").isEmpty()) {
            return Optional.of("OpenSearch refuses to run as root, and there is no setpriv");
        }
        try {
            run(Stream.concat(asNobody().stream(), Stream.of(java().toString(), "-version"))
                    .toList());
            return Optional.empty();
        } catch (IOException | InterruptedException e) {
            return Optional.of("OpenSearch refuses to run as root, and nobody else can run Java: " + e);
        }
    }

    /**
     * Starts a cluster. When this method returns, all generated documents can be found.
     *
     * @param distribution OpenSearch's unpacked archive
     * @throws IOException if there is no archive, or OpenSearch does not start
     */
    public static OpenSearchCluster start(Path distribution, int nodes, int shards, int documents)
            throws IOException, InterruptedException {
        return start(EngineKind.OPENSEARCH, distribution, "bed", nodes, shards, documents);
    }

    /**
     * Starts a cluster of either engine, like {@link #start(Path, int, int, int)}.
     *
     * @param name of the cluster
     */
    public static OpenSearchCluster start(
            EngineKind engine, Path distribution, String name, int nodes, int shards, int documents)
            throws IOException, InterruptedException {
        return new OpenSearchCluster(engine, distribution, name, nodes, shards, documents);
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    private static List<String> asNobody() {
        return List.of("setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups");
    }

    private Path copy(Path distribution) throws IOException {
        Path home = directory.path().resolve("home");
        try (Stream<Path> files = Files.walk(distribution)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, home.resolve(distribution.relativize(file)));
            }
        }
        return home;
    }

    private Path of(int node) {
        return directory.path().resolve("n" + node);
    }

    private void configure(int node) throws IOException {
        Path config = Files.createDirectories(of(node).resolve("config"));
        Files.createDirectory(of(node).resolve("tmp"));
        Files.writeString(
                config.resolve(engine.label() + ".yml"),
                """
                cluster.name: %s
                node.name: n%d
                network.host: 127.0.0.1
                http.port: %d
                transport.port: %d
                discovery.seed_hosts: [%s]
                cluster.initial_%s_nodes: [n0]
                cluster.routing.allocation.disk.threshold_enabled: false
                path: {data: '%s', logs: '%s'}
                """.formatted(
                                        name,
                                        node,
                                        ports[node],
                                        transportPorts[node],
                                        Arrays.stream(transportPorts)
                                                .mapToObj(port -> "'127.0.0.1:" + port + "'")
                                                .collect(Collectors.joining(", ")),
                                        engine == EngineKind.OPENSEARCH ? "cluster_manager" : "master",
                                        of(node).resolve("data"),
                                        of(node).resolve("logs"))
                        + (engine == EngineKind.OPENSEARCH
                                ? ""
                                : "xpack.security.enabled: false\nxpack.ml.enabled: false\n"));
        // Elasticsearch's launcher insists on the file.
        Files.writeString(config.resolve("jvm.options"), "");
        Files.writeString(config.resolve("log4j2.properties"), """
                appender.out.type = Console
                appender.out.name = out
                appender.out.layout.type = PatternLayout
                appender.out.layout.pattern = %d %p %c{1} %m%n
                rootLogger.level = warn
                rootLogger.appenderRef.out.ref = out
                """);
    }

    private Process start(int node, Path home) throws IOException {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(asNobody());
        } else if (Programs.find("setpriv").isPresent()) {
            command.add("setpriv");
        }
        if (!command.isEmpty()) {
            command.addAll(List.of("--pdeathsig", "KILL"));
        }
        if (engine == EngineKind.ELASTICSEARCH) {
            command.add(home.resolve("bin").resolve("elasticsearch").toString());
            ProcessBuilder launcher = new ProcessBuilder(command);
            launcher.environment().put("ES_JAVA_HOME", System.getProperty("java.home"));
            launcher.environment()
                    .put("ES_PATH_CONF", of(node).resolve("config").toString());
            Path tmp = of(node).resolve("tmp");
            launcher.environment().put("ES_TMPDIR", tmp.toString());
            // What is in the JVM's directory for temporary files may be written, so Elasticsearch's own must not be
            // there.
            launcher.environment().put("ES_JAVA_OPTS", String.join(" ", JVM_OPTIONS) + " -Djava.io.tmpdir=" + tmp);
            return started(launcher, node);
        }
        command.add(java().toString());
        command.addAll(JVM_OPTIONS);
        command.addAll(List.of(
                "-Djava.security.manager=allow",
                "-Djava.io.tmpdir=" + of(node).resolve("tmp"),
                "-Dopensearch.path.home=" + home,
                "-Dopensearch.path.conf=" + of(node).resolve("config"),
                "-Dopensearch.distribution.type=zip",
                "-Dlog4j2.disable.jmx=true",
                "-Dlog4j.shutdownHookEnabled=false",
                "-cp",
                home.resolve("lib") + "/*",
                "org.opensearch.bootstrap.OpenSearch"));
        return started(new ProcessBuilder(command), node);
    }

    private Process started(ProcessBuilder command, int node) throws IOException {
        return command.redirectErrorStream(true)
                .redirectOutput(log(node).toFile())
                .start();
    }

    private Path log(int node) {
        return directory.path().resolve("n" + node + ".log");
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + " failed: " + output);
        }
    }

    /** Repeats a request until the answer is 200. */
    private void await(String target) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        String last = "";
        while (System.nanoTime() < deadline && nodes.stream().allMatch(Process::isAlive)) {
            try {
                HttpResponse<String> response = http.send(node(target).build(), BodyHandlers.ofString());
                if (response.statusCode() == 200) {
                    return;
                }
                last = response.body();
            } catch (ConnectException e) {
                last = e.toString();
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        throw new IOException(engine + " does not start: " + last + logs());
    }

    private String logs() {
        return IntStream.range(0, nodes.size())
                .mapToObj(node -> {
                    try {
                        return "\n" + Files.readString(log(node));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .collect(Collectors.joining());
    }

    private void create(int shards, int documents) throws IOException, InterruptedException {
        String settings = """
                {"settings": {"number_of_shards": %d, "number_of_replicas": 0, "refresh_interval": "-1"},
                 "mappings": {"properties": {"title": {"type": "keyword"}, "text": {"type": "text"},
                                             "updates": {"type": "long"}}}}
                """.formatted(shards);
        var unused = send(json(node("/docs")).PUT(BodyPublishers.ofString(settings)));
        GeneratedCorpus corpus = new GeneratedCorpus(SEED);
        StringBuilder batch = new StringBuilder();
        for (int i = 0; i < documents; i++) {
            batch.append("{\"index\":{\"_id\":\"d%d\"}}\n".formatted(i));
            batch.append("{\"title\":\"%s\",".formatted(corpus.title()));
            batch.append("\"text\":\"%s\"}\n".formatted(corpus.text()));
            if ((i + 1) % BATCH == 0 || i == documents - 1) {
                index(batch.toString());
                batch.setLength(0);
            }
        }
        var refreshed = send(node("/docs/_refresh").POST(BodyPublishers.noBody()));
    }

    private void index(String batch) throws IOException, InterruptedException {
        String answer = send(json(node("/docs/_bulk")).POST(BodyPublishers.ofString(batch)));
        if (!answer.contains("\"errors\":false")) {
            throw new IOException(engine + " does not index: " + answer);
        }
    }

    /** The nodes' ports. */
    public List<Integer> ports() {
        return Arrays.stream(ports).boxed().toList();
    }

    /** Processor time of all nodes since they started. It is right only if OpenSearch is their engine. */
    public Duration cpu() {
        return nodes.stream().map(node -> ChildProcess.cpu(node.toHandle())).reduce(Duration.ZERO, Duration::plus);
    }

    /** Kills a node, and with it the only copy of its shards. Returns when the other nodes know. */
    public void stop(int node) throws IOException, InterruptedException {
        kill(nodes.remove(node));
        await("/_cluster/health?wait_for_nodes=" + nodes.size() + "&timeout=1s");
    }

    /** Kills all nodes. */
    public void kill() throws InterruptedException {
        while (!nodes.isEmpty()) {
            kill(nodes.remove(0));
        }
    }

    /**
     * Kills a node with its child processes. A launcher's child would otherwise notice the launcher's end only later.
     */
    private static void kill(Process node) throws InterruptedException {
        node.descendants().forEach(ProcessHandle::destroyForcibly);
        node.destroyForcibly().waitFor();
    }

    /** Lets queries ask another cluster by an alias. If that cluster is gone, queries go on without it. */
    public void connect(String alias, OpenSearchCluster remote) throws IOException, InterruptedException {
        String settings = """
                {"persistent": {"cluster.remote.%s.seeds": ["127.0.0.1:%d"],
                                "cluster.remote.%s.skip_unavailable": true}}
                """.formatted(alias, remote.transportPorts[0], alias);
        var unused = send(json(node("/_cluster/settings")).PUT(BodyPublishers.ofString(settings)));
    }

    private HttpRequest.Builder node(String target) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports[0] + target));
    }

    private static HttpRequest.Builder json(HttpRequest.Builder request) {
        return request.header("Content-Type", "application/json");
    }

    /** The response of a node as text. The request goes to the node without the gateway. */
    public String get(String target) throws IOException, InterruptedException {
        return send(node(target));
    }

    private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(engine + ": " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }

    @Override
    public void close() {
        nodes.forEach(Process::destroy);
        for (Process node : nodes) {
            try {
                if (!node.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                    node.destroyForcibly().waitFor();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                node.destroyForcibly();
            }
        }
        directory.close();
    }
}
