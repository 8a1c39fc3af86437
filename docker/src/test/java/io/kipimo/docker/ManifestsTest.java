package io.kipimo.docker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.jobs.submission.Submission;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks manifests against the schemas of Kubernetes and of Flink's operator, without a cluster.
 */
class ManifestsTest {
    private static final Path DIRECTORY = Repository.DOCKER.resolve("kubernetes");
    private static final JsonSchema FLINK = schema("flinkdeployment.json");
    private static final JsonSchema KUBERNETES = schema("kubernetes.json");

    private static JsonSchema schema(String name) {
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(ManifestsTest.class.getResourceAsStream("/schemas/" + name));
    }

    private static List<String> problems(JsonNode manifest) {
        JsonSchema schema =
                manifest.path("kind").asText().equals("FlinkDeployment") ? FLINK : KUBERNETES;
        return schema.validate(manifest).stream().map(Object::toString).toList();
    }

    private static List<JsonNode> manifests() throws Exception {
        List<JsonNode> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            files.sorted().map(Repository::yaml).forEach(all::addAll);
        }
        return all;
    }

    @Test
    void theJobsManifestsAreUpToDate() {
        assertThat(Repository.golden(DIRECTORY.resolve("jobs.yaml"), JobManifests.yaml()))
                .as("write it anew with -Dgolden.write=true")
                .isEqualTo(JobManifests.yaml());
    }

    @Test
    void releaseGatesAskTheConsole() {
        Path gates = Repository.DOCKER.resolve("gates");
        JsonNode metric =
                Repository.yaml(gates.resolve("argo-rollouts.yaml")).get(0).at("/spec/metrics/0");
        assertThat(metric.at("/provider/web/url").asText())
                .startsWith("http://kipimo-console:8080/api/v1/gate?service=");
        assertThat(metric.at("/provider/web/jsonPath").asText()).isEqualTo("{$.verdict}");
        assertThat(metric.path("successCondition").asText()).isEqualTo("result == \"PASS\"");
        assertThat(metric.path("failureCondition").asText()).isEqualTo("result == \"FAIL\"");
        JsonNode webhook =
                Repository.yaml(gates.resolve("flagger.yaml"))
                        .get(0)
                        .at("/spec/analysis/webhooks/0");
        assertThat(webhook.path("url").asText())
                .isEqualTo("http://kipimo-console:8080/api/v1/flagger");
        assertThat(webhook.path("metadata")).allMatch(JsonNode::isTextual);
    }

    @Test
    void everyManifestFitsItsSchema() throws Exception {
        assertThat(manifests())
                .hasSizeGreaterThan(KipimoJob.values().length + 4)
                .allSatisfy(manifest -> assertThat(problems(manifest)).isEmpty());
    }

    /** A schema that accepts everything would prove nothing. */
    @Test
    void misspeltKeysAndWrongTypesAreFound() throws Exception {
        for (JsonNode manifest : manifests()) {
            ((ObjectNode) manifest).put("frobnicate", 1);
            assertThat(problems(manifest)).as("%s", manifest).isNotEmpty();
        }
        for (JsonNode manifest : manifests()) {
            if (manifest.has("spec")) {
                ((ObjectNode) manifest.path("spec")).put("frobnicate", 1);
                assertThat(problems(manifest)).as("%s", manifest).isNotEmpty();
            }
        }
    }

    /** The ConfigMap has the options with which the jobs start. */
    @Test
    void everyJobsOptionsAreRight(@TempDir Path directory) throws Exception {
        Map<String, JsonNode> configMaps = new HashMap<>();
        List<KipimoJob> started = new ArrayList<>();
        for (JsonNode manifest : manifests()) {
            if (manifest.path("kind").asText().equals("ConfigMap")) {
                configMaps.put(
                        manifest.path("metadata").path("name").asText(), manifest.path("data"));
            }
        }
        for (JsonNode manifest : manifests()) {
            if (manifest.path("kind").asText().equals("FlinkDeployment")) {
                List<String> arguments = new ArrayList<>();
                for (JsonNode argument : manifest.path("spec").path("job").path("args")) {
                    String mounted = "/etc/kipimo/";
                    String text = argument.asText();
                    if (text.startsWith(mounted)) {
                        String file = text.substring(mounted.length());
                        text =
                                Files.writeString(
                                                directory.resolve(file),
                                                configMaps.get("kipimo-jobs").path(file).asText())
                                        .toString();
                    }
                    arguments.add(text);
                }
                started.add(Submission.of(arguments).job());
            }
        }
        assertThat(started).containsExactlyInAnyOrder(KipimoJob.values());
    }
}
