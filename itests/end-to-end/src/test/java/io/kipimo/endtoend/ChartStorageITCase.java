package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.embedded.process.ForeignProcess;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.embedded.process.Programs;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.JobID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Helm chart's storage: a cluster with the Flink configuration that the chart renders keeps checkpoints and
 * savepoints in an S3 server of this machine, by the plugin that the image enables, and continues from a savepoint
 * there.
 */
@WithBackends
class ChartStorageITCase {
    private static final Path PLUGINS = Path.of("target/plugins").toAbsolutePath();
    private static final String PREFIX = "s3.";

    @TempDir
    private Path directory;

    private static void need(boolean isThere, String what) {
        if (!isThere) {
            System.err.println("SKIPPED: no " + what);
        }
        assumeTrue(isThere, "no " + what);
    }

    @Test
    void aJobContinuesFromItsSavepointInS3(Backends backends) throws Exception {
        need(Programs.find("helm").isPresent(), "helm in PATH");
        need(Programs.find("moto_server").isPresent(), "moto_server in PATH (pip: moto[server])");
        need(Files.isDirectory(PLUGINS), "S3 plugin of Flink (mvn -Ps3)");
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), PREFIX, Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(kafka, ShopPolicy.of(1, 2_000, 1_000, 500));
        Map<String, String> options = Map.of(
                "kafka.bootstrap-servers",
                backends.bootstrapServers(),
                "kafka.topic-prefix",
                PREFIX,
                "execution.checkpointing.interval",
                "1 s");
        int port = FreePorts.one();
        try (ForeignProcess s3 = ForeignProcess.start(
                        List.of(Programs.find("moto_server").orElseThrow().toString(), "-H127.0.0.1", "-p" + port),
                        port,
                        directory.resolve("s3.log"));
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer());
                TopicLog<Measurement> rows = new TopicLog<>(kafka, Topic.QUALITY, Codecs.MEASUREMENT)) {
            assertThat(s3.pid()).isPositive();
            bucket(port);
            try (FlinkCluster cluster = FlinkCluster.distribution(1, 2, flinkConfiguration(port), PLUGINS)) {
                JobID job = CommandLineRun.submit(cluster, KipimoJob.QUALITY, options, "--parallelism=1")
                        .jobId();
                String open = SubmitITCase.emitAnswer(kafka, producer, System.currentTimeMillis());
                long before = cluster.completedCheckpoints(job);
                await().atMost(PATIENCE).until(() -> cluster.completedCheckpoints(job) >= before + 2);
                String savepoint = cluster.stopWithSavepoint(job);
                assertThat(savepoint).startsWith("s3://kipimo/shop/savepoints/");
                assertThat(rows.readOn()).as("the query is open").isEmpty();

                JobID next = CommandLineRun.submit(
                                cluster, KipimoJob.QUALITY, options, "--parallelism=2", "--savepoint=" + savepoint)
                        .jobId();
                await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
                    SubmitITCase.emit(kafka, producer, System.currentTimeMillis());
                    assertThat(rows.readOn()).extracting(Measurement::queryId).contains(open);
                });
                assertThat(cluster.restarts(next)).isZero();
                cluster.cancel(next);
            }
        }
    }

    private static void bucket(int port) throws Exception {
        URI bucket = URI.create("http://127.0.0.1:" + port + "/kipimo");
        assertThat(HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(bucket)
                                        .PUT(BodyPublishers.noBody())
                                        .build(),
                                BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(200);
    }

    /** What the chart renders for the quality job, without what only Kubernetes has. */
    private Map<String, String> flinkConfiguration(int port) throws Exception {
        Path values = Files.writeString(directory.resolve("values.yaml"), """
                        jobs:
                          storage: s3://kipimo/shop
                          flinkConfiguration:
                            s3.endpoint: http://127.0.0.1:%d
                            s3.path.style.access: true
                            s3.access-key: tests
                            s3.secret-key: tests
                        """.formatted(port));
        Process helm = new ProcessBuilder(
                        Programs.find("helm").orElseThrow().toString(),
                        "template",
                        "kipimo",
                        "../../docker/helm/kipimo",
                        "--kube-version=1.33.0",
                        "--values=" + values)
                .redirectErrorStream(true)
                .start();
        String manifests = new String(helm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(helm.waitFor()).as(manifests).isZero();
        for (JsonNode manifest : new YAMLMapper()
                .readerFor(JsonNode.class)
                .<JsonNode>readValues(manifests)
                .readAll()) {
            if (manifest.path("kind").asText().equals("FlinkDeployment")
                    && manifest.at("/metadata/name").asText().equals("kipimo-quality")) {
                Map<String, String> configuration = new TreeMap<>();
                manifest.at("/spec/flinkConfiguration")
                        .properties()
                        .forEach(e -> configuration.put(e.getKey(), e.getValue().asText()));
                configuration.keySet().removeIf(key -> key.startsWith("high-availability"));
                // Jobs are submitted to this cluster.
                configuration.remove("web.submit.enable");
                return configuration;
            }
        }
        throw new AssertionError("the chart has no quality job");
    }
}
