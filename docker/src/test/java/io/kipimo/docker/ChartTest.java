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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.client.program.StreamContextEnvironment;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.DefaultExecutorServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Renders the chart with its defaults, and with everything that is off by default; checks the manifests against the
 * schemas of Kubernetes, Flink's operator and Prometheus' operator, without a cluster.
 */
class ChartTest {
    private static final Path CHART = Repository.DOCKER.resolve("helm/kipimo");
    private static final String ALL = CHART.resolve("ci/all-values.yaml").toString();
    private static final ExternalTool HELM = new ExternalTool("helm");
    private static final JsonSchema FLINK = schema("flinkdeployment.json");
    private static final JsonSchema KUBERNETES = schema("kubernetes.json");

    private static JsonSchema schema(String name) {
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(ChartTest.class.getResourceAsStream("/schemas/" + name));
    }

    /** Where a manifest does not fit its schema. */
    static List<String> problems(JsonNode manifest) {
        JsonSchema schema = manifest.path("kind").asText().equals("FlinkDeployment") ? FLINK : KUBERNETES;
        return schema.validate(manifest).stream().map(Object::toString).toList();
    }

    /** Some builds of Helm assume an old Kubernetes. */
    private static List<JsonNode> manifests(String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of("template", "kipimo", CHART.toString(), "--kube-version=1.33.0"));
        words.addAll(List.of(more));
        return Repository.yaml(HELM.output(words.toArray(String[]::new)));
    }

    private static List<JsonNode> ofKind(String kind, List<JsonNode> manifests) {
        return manifests.stream()
                .filter(m -> m.path("kind").asText().equals(kind))
                .toList();
    }

    @Test
    void helmFindsNoFault() throws Exception {
        HELM.output("lint", "--strict", CHART.toString());
        HELM.output("lint", "--strict", CHART.toString(), "--values", ALL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kafka.bootstrapServers=kafka",
                "jobs.clusters.qualty.redis=false",
                "gateway.replicas=0",
                "console.publicUrl=kipimo.example.org",
                "jobs.podSpec.containers[0].name=flink-main-container",
                "jobs.env[0].value=nameless",
                "frobnicate=1"
            })
    void wrongValuesAreRefusedByName(String value) throws Exception {
        ExternalTool.Result result = HELM.run("template", "kipimo", CHART.toString(), "--set", value);

        assertThat(result.exitCode()).isNotZero();
        assertThat(result.output())
                .contains("values don't meet the specifications of the schema")
                .contains(value.substring(0, value.indexOf('=')).split("\\.")[0]);
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
        JsonNode webhook = Repository.yaml(gates.resolve("flagger.yaml")).get(0).at("/spec/analysis/webhooks/0");
        assertThat(webhook.path("url").asText()).isEqualTo("http://kipimo-console:8080/api/v1/flagger");
        assertThat(webhook.path("metadata")).allMatch(JsonNode::isTextual);
    }

    @Test
    void everyManifestFitsItsSchema() throws Exception {
        assertThat(manifests())
                .hasSizeGreaterThan(2 * KipimoJob.values().length + 5)
                .allSatisfy(manifest -> assertThat(problems(manifest)).isEmpty());
        List<JsonNode> all = manifests("--values", ALL);
        assertThat(all).allSatisfy(manifest -> assertThat(problems(manifest)).isEmpty());
        assertThat(all)
                .extracting(manifest -> manifest.path("kind").asText())
                .contains("PodDisruptionBudget", "NetworkPolicy", "ServiceMonitor", "PodMonitor", "PrometheusRule");
    }

    /** A schema that accepts everything would prove nothing. */
    @Test
    void misspeltKeysAndWrongTypesAreFound() throws Exception {
        for (JsonNode manifest : manifests("--values", ALL)) {
            ((ObjectNode) manifest).put("frobnicate", 1);
            assertThat(problems(manifest)).as("%s", manifest).isNotEmpty();
            ((ObjectNode) manifest).remove("frobnicate");
            if (manifest.has("spec")) {
                ((ObjectNode) manifest.path("spec")).put("frobnicate", 1);
                assertThat(problems(manifest)).as("%s", manifest).isNotEmpty();
            }
        }
    }

    /** The file of options that a job's cluster mounts. */
    private static String options(JsonNode cluster, List<JsonNode> manifests) {
        String name =
                cluster.at("/spec/podTemplate/spec/volumes/0/configMap/name").asText();
        return ofKind("ConfigMap", manifests).stream()
                .filter(map -> map.at("/metadata/name").asText().equals(name))
                .map(map -> map.path("data").path("job.properties").asText())
                .findFirst()
                .orElseThrow();
    }

    /** What the job's main method makes of its arguments. */
    private static Submission submission(JsonNode cluster, String options, Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("job.properties"), options);
        List<String> arguments = new ArrayList<>();
        for (JsonNode argument : cluster.at("/spec/job/args")) {
            arguments.add(argument.asText().replace("/etc/kipimo/job.properties", file.toString()));
        }
        return Submission.of(arguments);
    }

    /** The cluster's Flink configuration is above Kipimo's defaults, the job's options above it. */
    @Test
    void everyJobObeysTheUsersFlinkConfiguration(@TempDir Path directory) throws Exception {
        Path values = Files.writeString(directory.resolve("values.yaml"), """
                        jobs:
                          flinkConfiguration:
                            execution.checkpointing.interval: 45s
                            restart-strategy.type: fixed-delay
                            taskmanager.numberOfTaskSlots: 3
                            restart-strategy.fixed-delay.attempts: 12000000
                          options:
                            execution.checkpointing.min-pause: 3s
                            pipeline.name: of the shop
                          clusters:
                            tails: {redis: false, flinkConfiguration: {execution.checkpointing.interval: 20s}}
                        """);
        List<JsonNode> manifests = manifests("--values", values.toString());
        List<JsonNode> clusters = ofKind("FlinkDeployment", manifests);
        assertThat(clusters).hasSameSizeAs(KipimoJob.values());
        for (JsonNode cluster : clusters) {
            Map<String, String> flink = new HashMap<>();
            cluster.at("/spec/flinkConfiguration")
                    .properties()
                    .forEach(entry -> flink.put(entry.getKey(), entry.getValue().asText()));
            assertThat(flink).containsEntry("taskmanager.numberOfTaskSlots", "3");
            Submission submission = submission(cluster, options(cluster, manifests), directory);

            Configuration config = effective(submission, Configuration.fromMap(flink));

            boolean isTails = submission.job() == KipimoJob.TAILS;
            assertThat(config.get(CheckpointingOptions.CHECKPOINTING_INTERVAL))
                    .isEqualTo(Duration.ofSeconds(isTails ? 20 : 45));
            assertThat(config.get(RestartStrategyOptions.RESTART_STRATEGY)).isEqualTo("fixed-delay");
            assertThat(config.get(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS))
                    .isEqualTo(12_000_000);
            assertThat(config.get(CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS))
                    .isEqualTo(Duration.ofSeconds(3));
            assertThat(config.get(PipelineOptions.NAME)).isEqualTo("of the shop");
            assertThat(config.get(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS))
                    .as("Kipimo's default")
                    .isEqualTo(3);
            assertThat(config.get(PipelineOptions.MAX_PARALLELISM)).isEqualTo(128);
        }
    }

    /** As in application mode: Flink starts the main method with the cluster's configuration. */
    private static Configuration effective(Submission submission, Configuration cluster) {
        StreamContextEnvironment.setAsContext(
                new DefaultExecutorServiceLoader(), cluster, ChartTest.class.getClassLoader(), true, false);
        try {
            return Configuration.fromMap(
                    submission.environment().getConfiguration().toMap());
        } finally {
            StreamContextEnvironment.unsetAsContext();
        }
    }

    /** Each job starts with the options of its ConfigMap. */
    @Test
    void everyJobsOptionsAreRight(@TempDir Path directory) throws Exception {
        List<JsonNode> manifests = manifests();
        List<KipimoJob> started = new ArrayList<>();
        for (JsonNode cluster : ofKind("FlinkDeployment", manifests)) {
            String options = options(cluster, manifests);
            KipimoJob job = submission(cluster, options, directory).job();
            assertThat(options.contains("redis.host="))
                    .as("%s writes to Redis", job)
                    .isEqualTo(job.options().options().stream()
                            .anyMatch(o -> o.key().startsWith("redis.")));
            started.add(job);
        }
        assertThat(started).containsExactlyInAnyOrder(KipimoJob.values());
    }

    @Test
    void theAlertRulesAreInAPrometheusRule() throws Exception {
        List<JsonNode> rules = ofKind("PrometheusRule", manifests("--values", ALL));

        assertThat(rules).hasSize(1);
        assertThat(rules.get(0).path("spec"))
                .isEqualTo(Repository.yaml(Repository.DOCKER.resolve("prometheus/alerts.yml"))
                        .get(0));
        assertThat(rules.get(0).at("/metadata/labels/release").asText()).isEqualTo("prometheus");
        assertThat(ofKind("PrometheusRule", manifests("--values", ALL, "--set", "monitoring.rules=false")))
                .isEmpty();
    }

    /** Tolerations, environment and the operator's keys reach every job. */
    @Test
    void thePodsOfTheJobsAreTheUsers() throws Exception {
        assertThat(ofKind("FlinkDeployment", manifests("--values", ALL)))
                .isNotEmpty()
                .allSatisfy(cluster -> {
                    JsonNode pod = cluster.at("/spec/podTemplate/spec");
                    assertThat(pod.at("/tolerations/0/key").asText()).isEqualTo("flink");
                    assertThat(pod.at("/nodeSelector/pool").asText()).isEqualTo("flink");
                    assertThat(pod.at("/securityContext/runAsNonRoot").booleanValue())
                            .isTrue();
                    assertThat(pod.at("/containers/0/env/0/name").asText()).isEqualTo("AWS_REGION");
                    assertThat(cluster.at("/spec/flinkConfiguration"))
                            .anyMatch(value -> value.asText().equals("6h"));
                });
    }

    /** Flink's REST interface has no login. */
    @Test
    void nobodySubmitsCodeAndOnlySomeReachThePods() throws Exception {
        List<JsonNode> manifests = manifests();
        assertThat(ofKind("FlinkDeployment", manifests)).isNotEmpty().allSatisfy(cluster -> assertThat(
                        cluster.at("/spec/flinkConfiguration")
                                .path("web.submit.enable")
                                .asText())
                .isEqualTo("false"));
        assertThat(ofKind("NetworkPolicy", manifests))
                .extracting(policy -> policy.at("/metadata/name").asText())
                .containsExactlyInAnyOrder("kipimo-jobs", "kipimo-gateway", "kipimo-console");
        assertThat(ofKind("NetworkPolicy", manifests("--set", "networkPolicy.enabled=false")))
                .isEmpty();
    }

    @Test
    void aJobThatIsNullDoesNotRun() throws Exception {
        assertThat(ofKind("FlinkDeployment", manifests("--values", ALL)))
                .extracting(cluster -> cluster.at("/metadata/name").asText())
                .contains("kipimo-quality")
                .doesNotContain("kipimo-rating");
    }

    /** Monitors, policies and services select pods of the chart, by ports that these have. */
    @Test
    void selectorsMatchPods() throws Exception {
        List<JsonNode> manifests = manifests("--values", ALL);
        List<JsonNode> pods = new ArrayList<>();
        ofKind("Deployment", manifests).forEach(d -> pods.add(d.at("/spec/template")));
        ofKind("FlinkDeployment", manifests).forEach(d -> pods.add(d.at("/spec/podTemplate")));
        for (JsonNode manifest : manifests) {
            for (String place : List.of("/spec/selector/matchLabels", "/spec/podSelector/matchLabels")) {
                JsonNode labels = manifest.at(place);
                if (!labels.isMissingNode()) {
                    assertThat(pods)
                            .as("%s %s", manifest.path("kind"), manifest.at("/metadata/name"))
                            .anyMatch(pod -> hasLabels(pod, labels));
                }
            }
        }
        for (JsonNode service : ofKind("Service", manifests)) {
            assertThat(pods)
                    .anyMatch(pod -> hasLabels(pod, service.at("/spec/selector"))
                            && pod.findValuesAsText("name")
                                    .containsAll(service.path("spec").findValuesAsText("targetPort")));
        }
    }

    private static boolean hasLabels(JsonNode pod, JsonNode labels) {
        JsonNode own = pod.at("/metadata/labels");
        return !labels.isEmpty()
                && labels.properties().stream()
                        .allMatch(label -> label.getValue().equals(own.path(label.getKey())));
    }
}
