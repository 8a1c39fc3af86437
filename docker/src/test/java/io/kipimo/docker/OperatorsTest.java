package io.kipimo.docker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.jobs.submission.Submission;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Examples for operators beside the chart: names that they take from Kipimo are there. */
class OperatorsTest {
    private static final Path DIRECTORY = Repository.DOCKER.resolve("operators");
    private static final Path CHART = Repository.DOCKER.resolve("helm/kipimo");

    private static JsonNode example(String file) {
        List<JsonNode> documents = Repository.yaml(DIRECTORY.resolve(file));
        assertThat(documents).hasSize(1);
        return documents.get(0);
    }

    private static List<String> queries() {
        List<String> queries = new ArrayList<>();
        for (JsonNode trigger : example("keda.yaml").at("/spec/triggers")) {
            // KEDA reads texts only.
            assertThat(trigger.path("metadata")).allMatch(JsonNode::isTextual);
            queries.add(trigger.at("/metadata/query").asText());
        }
        assertThat(queries).hasSize(2);
        return queries;
    }

    @Test
    void aServiceIsScaledByMetricsThatTheGatewayHas() throws Exception {
        MetricNames names = new MetricNames();
        assertThat(queries()).allSatisfy(query -> assertThat(MetricNames.in(query))
                .isNotEmpty()
                .allMatch(name -> name.startsWith("kipimo_gateway_"))
                .allMatch(names::exists));
    }

    /** By Prometheus itself, for a gateway that admits all, one that sheds, and none. */
    @Test
    void sheddingAsksForMoreReplicas(@TempDir Path directory) throws Exception {
        String labels = "{job=\"kipimo-gateway\", pod=\"%s\", class=\"low\"}";
        String wanted = queries().get(0).replace("'", "''");
        Files.writeString(
                directory.resolve("rules.yml"),
                "groups: [{name: keda, rules: [{record: 'wanted', expr: '" + wanted + "'}]}]");
        StringBuilder tests = new StringBuilder("rule_files: [rules.yml]\ntests:\n");
        String[][] cases = {{"1", "1", "0"}, {"0.5", "1", "2"}, {"0.01", "0.01", "10"}};
        for (String[] each : cases) {
            tests.append("- interval: 1m\n  input_series:\n");
            for (int pod = 0; pod < 2; pod++) {
                tests.append("  - series: 'kipimo_gateway_admitted_fraction")
                        .append(labels.formatted(pod))
                        .append("'\n    values: '")
                        .append(each[pod])
                        .append("'\n");
            }
            tests.append("  promql_expr_test:\n  - expr: 'round(wanted, 0.001)'\n")
                    .append("    eval_time: 0m\n    exp_samples: [{labels: '{}', value: ")
                    .append(each[2])
                    .append("}]\n");
        }
        tests.append("- interval: 1m\n  input_series: []\n  promql_expr_test:\n")
                .append("  - {expr: wanted, eval_time: 0m, exp_samples: []}\n");
        Path file = Files.writeString(directory.resolve("test.yml"), tests.toString());
        AlertsTest.PROMTOOL.output("test", "rules", file.toString());
    }

    @Test
    void aSnapshotIsOfAJobOfTheChart() throws Exception {
        JsonNode snapshot = example("state-snapshot.yaml");
        assertThat(snapshot.path("kind").asText()).isEqualTo("FlinkStateSnapshot");
        JsonNode reference = snapshot.at("/spec/jobReference");
        assertThat(manifests())
                .anyMatch(manifest -> manifest.path("kind").equals(reference.path("kind"))
                        && manifest.at("/metadata/name").equals(reference.path("name"))
                        && manifest.path("apiVersion").equals(snapshot.path("apiVersion")));
    }

    private static List<JsonNode> manifests() throws Exception {
        return Repository.yaml(
                new ExternalTool("helm").output("template", "kipimo", CHART.toString(), "--kube-version=1.33.0"));
    }

    /** The schema of FlinkBlueGreenDeployment has that of FlinkDeployment in its template. */
    @Test
    void blueAndGreenAreTheChartsJobWithOptionsAsArguments() throws Exception {
        JsonNode both = example("blue-green.yaml");
        assertThat(both.path("spec").fieldNames()).toIterable().containsExactly("configuration", "template");
        ObjectNode one = ((ObjectNode) both.at("/spec/template")).deepCopy();
        one.setAll(Map.of(
                "apiVersion",
                both.path("apiVersion"),
                "kind",
                TextNode.valueOf("FlinkDeployment"),
                "metadata",
                both.path("metadata")));
        assertThat(ChartTest.problems(one)).isEmpty();
        assertThat(manifests())
                .filteredOn(manifest -> manifest.path("kind").equals(one.path("kind")))
                .filteredOn(manifest -> manifest.at("/metadata/name").equals(both.at("/metadata/name")))
                .hasSize(1)
                .allSatisfy(chart -> {
                    for (String same : List.of("image", "flinkVersion", "flinkConfiguration", "taskManager")) {
                        assertThat(one.path("spec").path(same))
                                .isEqualTo(chart.path("spec").path(same));
                    }
                });
        List<String> arguments = new ArrayList<>();
        one.at("/spec/job/args").forEach(argument -> arguments.add(argument.asText()));
        assertThat(Submission.of(arguments).job()).isEqualTo(KipimoJob.QUALITY);
        assertThat(arguments).anyMatch(argument -> argument.startsWith("-Dsource.group-id="));
    }
}
