package io.kipimo.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kipimo.embedded.process.ForeignProcess;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.schemas.topics.Topic;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real schema registry takes the messages of all topics, as docs/wire.md says, and refuses what would break readers.
 */
class RegistryITCase {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path REGISTRY = Path.of("target/registry").toAbsolutePath();
    private static final Path PROTOS = Path.of("../../schemas/src/main/proto");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import \"(kipimo/[^\"]+)\";");

    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, String> files = new LinkedHashMap<>();

    @TempDir
    private Path directory;

    private String root;

    @Test
    void theSubjectOfEachTopicIsTakenAndItsNextVersionChecked() throws Exception {
        if (!Files.isDirectory(REGISTRY)) {
            System.err.println("SKIPPED: no schema registry (mvn -Pregistry)");
        }
        assumeTrue(Files.isDirectory(REGISTRY), "no schema registry (mvn -Pregistry)");
        readFiles();
        int port = FreePorts.one();
        root = "http://127.0.0.1:" + port + "/apis/ccompat/v7";
        try (ForeignProcess registry = ForeignProcess.start(java(port), port, directory.resolve("registry.log"))) {
            assertThat(registry.pid()).isPositive();
            assertThat(send("PUT", "/config", JSON.createObjectNode().put("compatibility", "FULL_TRANSITIVE"))
                            .statusCode())
                    .isEqualTo(200);
            for (String file : files.keySet()) {
                register(file, file, files.get(file), 200);
            }
            for (Topic topic : Topic.values()) {
                String file = fileOf(topic.message());
                String text = files.get(file);
                String subject = topic.name(Topic.DEFAULT_PREFIX) + "-value";
                register(subject, file, text, 200);

                String begin = "message " + topic.message() + " {";
                register(subject, file, text.replace(begin, begin + " string of_a_later_version = 9000;"), 200);
                Matcher field = Pattern.compile(
                                Pattern.quote(begin) + ".*?\\n  (?:optional )?(string|int64) (\\w+ = \\d+;)",
                                Pattern.DOTALL)
                        .matcher(text);
                assertThat(field.find()).as(topic.message()).isTrue();
                String other = text.substring(0, field.start(1)) + "double" + text.substring(field.end(1));
                register(subject, file, other, 409);
            }
        }
    }

    private void readFiles() throws Exception {
        try (Stream<Path> all = Files.walk(PROTOS)) {
            for (Path path :
                    all.filter(p -> p.toString().endsWith(".proto")).sorted().toList()) {
                addAfterImports(PROTOS.relativize(path).toString());
            }
        }
    }

    /** A file that is imported is registered first. */
    private void addAfterImports(String file) throws Exception {
        if (files.containsKey(file)) {
            return;
        }
        String text = Files.readString(PROTOS.resolve(file));
        Matcher imports = IMPORT.matcher(text);
        while (imports.find()) {
            addAfterImports(imports.group(1));
        }
        files.put(file, text);
    }

    private String fileOf(String message) {
        return files.keySet().stream()
                .filter(f -> files.get(f).contains("message " + message + " {"))
                .findFirst()
                .orElseThrow();
    }

    private void register(String subject, String file, String text, int expected) throws Exception {
        ObjectNode schema =
                JSON.createObjectNode().put("schemaType", "PROTOBUF").put("schema", text);
        ArrayNode references = schema.putArray("references");
        Matcher imports = IMPORT.matcher(text);
        while (imports.find()) {
            references
                    .addObject()
                    .put("name", imports.group(1))
                    .put("subject", imports.group(1))
                    .put("version", 1);
        }
        HttpResponse<String> response =
                send("POST", "/subjects/" + URLEncoder.encode(subject, UTF_8) + "/versions", schema);
        assertThat(response.statusCode())
                .as("%s by %s: %s", subject, file, response.body())
                .isEqualTo(expected);
    }

    private HttpResponse<String> send(String method, String path, JsonNode body) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create(root + path))
                        .header("Content-Type", "application/vnd.schemaregistry.v1+json")
                        .method(method, BodyPublishers.ofString(body.toString()))
                        .build(),
                BodyHandlers.ofString());
    }

    private static List<String> java(int port) throws Exception {
        try (Stream<Path> jars = Files.list(REGISTRY)) {
            return List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx512m",
                    "-Dquarkus.http.host=127.0.0.1",
                    "-Dquarkus.http.port=" + port,
                    "-jar",
                    jars.filter(p -> p.toString().endsWith("-runner.jar"))
                            .findFirst()
                            .orElseThrow()
                            .toString());
        }
    }
}
