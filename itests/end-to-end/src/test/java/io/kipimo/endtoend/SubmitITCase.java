package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.embedded.flink.FlinkClient;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.flink.StandaloneCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.Score;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The job jar on a cluster of other JVMs without Kipimo on the class path, whose administrators have set options of
 * their own: Kipimo's values are defaults below the cluster's, and the job's own options are above both. One quality
 * job shows all this. Its similarity function is the users' own and comes in a jar that only Flink's option
 * {@code pipeline.classpaths} names; its requests are so short that a long dead letter is lost.
 * {@link QualityJobITCase} tests kills and rescaling.
 */
@WithBackends
class SubmitITCase {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String PROVIDER = """
            package outside;

            import io.kipimo.core.quality.similarity.*;
            import java.util.Optional;

            public final class Half implements SimilarityProvider {
                @Override
                public Optional<Similarity> parse(String spec) {
                    return spec.equals("half@1") ? Optional.of(new One()) : Optional.empty();
                }

                private static final class One implements Similarity {
                    @Override
                    public String name() {
                        return "half@1";
                    }

                    @Override
                    public double of(Ranking online, Ranking mature) {
                        return 0.5;
                    }
                }
            }
            """;

    @TempDir
    private static Path directory;

    private static Backends backends;
    private static KafkaSettings kafka;
    private static StandaloneCluster cluster;
    private static JobID quality;

    @BeforeAll
    static void start(Backends given) throws Exception {
        backends = given;
        cluster = FlinkCluster.distribution(
                1,
                2,
                Map.of(
                        "execution.checkpointing.interval", "45 s",
                        "execution.checkpointing.timeout", "5 min",
                        "restart-strategy.type", "fixed-delay",
                        "restart-strategy.fixed-delay.attempts", "11"));
        kafka = new KafkaSettings(backends.bootstrapServers(), "own.", Map.of());
        TopicAdmin.createMissing(kafka, 1, (short) 1);
        PolicyStore.publish(
                kafka,
                ShopPolicy.of(1, 2_000, 1_000, 500).toBuilder()
                        .metrics(List.of("half@1"))
                        .build());
        quality = submit(
                        KipimoJob.QUALITY,
                        "own.",
                        Map.of(
                                "execution.checkpointing.timeout",
                                "7 min",
                                "kafka.properties.max.request.size",
                                "5000",
                                "pipeline.classpaths",
                                jar().toUri().toString(),
                                "pipeline.name",
                                "quality of the shop"),
                        "--parallelism=1")
                .jobId();
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void theClustersOptionsAreAboveKipimosAndTheJobsOwnAboveTheClusters() throws Exception {
        JsonNode checkpoints = rest("jobs/" + quality + "/checkpoints/config");
        assertThat(checkpoints.path("interval").longValue()).isEqualTo(45_000);
        assertThat(checkpoints.path("timeout").longValue()).isEqualTo(7 * 60_000);
        // The cluster does not set it: Kipimo's default, Flink's is 1.
        assertThat(checkpoints.at("/externalization/delete_on_cancellation").booleanValue())
                .isFalse();
        assertThat(rest("jobs/" + quality + "/config")
                        .at("/execution-config/restart-strategy")
                        .asText())
                .contains("fixed", "11");
        assertThat(rest("jobs/" + quality).path("name").asText()).isEqualTo("quality of the shop");
    }

    @Test
    void aSimilarityFunctionOfTheUsersMeasuresAnswers() throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer());
                TopicLog<Measurement> rows = new TopicLog<>(kafka, Topic.QUALITY, Codecs.MEASUREMENT)) {
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
                // Later queries move event time, which ends earlier ones.
                emit(kafka, producer, System.currentTimeMillis());
                assertThat(rows.readOn())
                        .anySatisfy(row -> assertThat(row.scores()).containsExactly(new Score("half@1", 0.5, 0.5)));
            });
        }
    }

    /** As Prometheus reads them: the alert rules depend on these names. */
    @Test
    void whatAlertsAskForIsThere() throws Exception {
        String operator = "flink_taskmanager_job_task_operator_";
        String ofClass = operator + "kipimo_service_class_";
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
                emit(kafka, producer, System.currentTimeMillis());
                assertThat(cluster.metricPages().text())
                        .contains(
                                operator + "kipimo_completeQueries{",
                                operator + "kipimo_expiredQueries{",
                                operator + "kipimo_reason_rejected{",
                                ofClass + "estimated_answers{",
                                ofClass + "measurableRatio{",
                                ofClass + "metric_objective{",
                                ofClass + "metric_bound_quality{",
                                ofClass + "metric_bound_qualityLost{",
                                operator + "kipimo_verdict_budgets{",
                                operator + "watermarkLag{",
                                operator + "pendingRecords{",
                                "flink_jobmanager_job_numRestarts{",
                                "flink_jobmanager_job_numberOfFailedCheckpoints{",
                                "job_name=\"quality of the shop\"");
            });
        }
    }

    /** A dead letter of 10 kB does not fit into a request: it is lost, and the job runs on. */
    @Test
    void theDoctorSaysWhatAJobLostAndHowItRuns() throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka.forProducer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            send(kafka, producer, Topic.ANSWERS, "poison", new byte[10_000]);
        }

        await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> assertThat(doctor())
                .contains("WRONG quality of the shop: failed and left out since its start: 1 records in"
                        + " dead-letters-sink"));
        assertThat(doctor())
                .contains("OK quality of the shop: RUNNING, parallelism 1, checkpoints every 45 s")
                .noneMatch(text -> text.contains("restarted") || text.contains("no quality job"));
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "QUALITY")
    void everyOtherJobRunsFromTheJarAlone(KipimoJob job) throws Exception {
        JobID id = submit(job, "submit.", Map.of(), "--parallelism=1").jobId();
        assertThat(rest("jobs/" + id).path("name").asText()).isEqualTo(job.flinkName());
        end(id);
    }

    @Tag("full")
    @Test
    void aJobThatCannotStartIsOneLine() {
        assertOneLine(
                2,
                "kipimo: cannot ",
                submit(
                        KipimoJob.QUALITY,
                        "away.",
                        Map.of(
                                "kafka.bootstrap-servers",
                                "localhost:1",
                                "kafka.properties.default.api.timeout.ms",
                                "2000",
                                "kafka.properties.request.timeout.ms",
                                "2000")));
    }

    @Tag("full")
    @Test
    void norDoesOneStartWhoseStateIsNowhere() {
        CommandLineRun lost = submit(KipimoJob.RATING, "lost.", Map.of(), "--savepoint=file:///no/such/path");
        assertThat(lost.exitCode()).as("%s", lost).isNotZero();
        assertThat(lost.err()).contains("/no/such/path");
        assertOneLine(
                2,
                "scheme 's3'",
                submit(
                        KipimoJob.RATING,
                        "lost.",
                        Map.of("execution.checkpointing.dir", "s3://away/checkpoints"),
                        "--parallelism=1"));
    }

    @Tag("full")
    @Test
    void aJobThatWaitsForSlotsSaysSoAndStartsWhenThereAreSome() throws Exception {
        CommandLineRun wide = submit(KipimoJob.RATING, "wide.", Map.of(), "--parallelism=3", "--wait=10s");
        assertOneLine(1, "it waits for slots: it needs 3, and the cluster has 2; allowed: more", wide);
        cluster.startTaskManager();
        await().atMost(PATIENCE).until(() -> cluster.areTasksRunning(wide.id()));
        end(wide.id());
    }

    private static void end(JobID job) {
        cluster.cancel(job);
        await().atMost(PATIENCE).until(() -> cluster.status(job) == JobStatus.CANCELED);
    }

    private static void assertOneLine(int exitCode, String part, CommandLineRun run) {
        assertThat(run.exitCode()).as("%s", run).isEqualTo(exitCode);
        assertThat(run.err().lines()).singleElement().asString().contains(part);
    }

    /** As {@code flink run}: its configuration directory, its {@code -D}, then the job's own. */
    @Tag("full")
    @Test
    void theOptionsOfFlinkRunAreObeyed() throws Exception {
        Path configuration = Files.createDirectories(directory.resolve("conf"));
        Files.writeString(configuration.resolve("config.yaml"), """
                rest.address: %s
                rest.port: %d
                execution.checkpointing.interval: 31s
                execution.checkpointing.min-pause: 1s
                execution.checkpointing.timeout: 5min
                restart-strategy.type: failure-rate
                """.formatted(cluster.host(), cluster.restPort()));

        FlinkClient.run(
                cluster,
                configuration,
                List.of(
                        "run",
                        "-d",
                        "-Dexecution.checkpointing.min-pause=2s",
                        "-Dexecution.checkpointing.timeout=6min",
                        "-Dpipeline.name=tails of the shop",
                        jobJar().toString(),
                        "tails",
                        "-Dexecution.checkpointing.timeout=7min",
                        "-Dkafka.bootstrap-servers=" + backends.bootstrapServers(),
                        "-Dkafka.topic-prefix=flink-run."));

        JobID job = running(cluster, "tails of the shop");
        JsonNode checkpoints = rest("jobs/" + job + "/checkpoints/config");
        assertThat(checkpoints.path("interval").longValue()).isEqualTo(31_000);
        assertThat(checkpoints.path("min_pause").longValue()).isEqualTo(2_000);
        assertThat(checkpoints.path("timeout").longValue()).isEqualTo(7 * 60_000);
        assertThat(checkpoints.at("/externalization/delete_on_cancellation").booleanValue())
                .as("Kipimo's default")
                .isFalse();
        JsonNode config = rest("jobs/" + job + "/config").path("execution-config");
        assertThat(config.path("restart-strategy").asText()).contains("ailure rate");
        assertThat(config.at("/user-config/kipimo.job").asText()).isEqualTo("tails");
        cluster.cancel(job);
    }

    /** As the chart: one job a cluster, its options in a file, its parallelism from the cluster. */
    @Tag("full")
    @Test
    void theOptionsOfAnApplicationClusterAreObeyed() throws Exception {
        Path options = directory.resolve("job.properties");
        Files.writeString(options, """
                kafka.bootstrap-servers: %s
                kafka.topic-prefix: application.
                execution.checkpointing.timeout: 7min
                """.formatted(backends.bootstrapServers()));

        try (StandaloneCluster application = FlinkCluster.application(
                2,
                Map.of(
                        "execution.checkpointing.interval", "45s",
                        "execution.checkpointing.timeout", "5min",
                        "restart-strategy.type", "failure-rate",
                        "pipeline.name", "tails of the shop",
                        "parallelism.default", "2"),
                jobJar(),
                List.of("tails", "--config", options.toString()))) {
            JobID job = running(application, "tails of the shop");
            JsonNode checkpoints = rest(application, "jobs/" + job + "/checkpoints/config");
            assertThat(checkpoints.path("interval").longValue()).isEqualTo(45_000);
            assertThat(checkpoints.path("timeout").longValue()).isEqualTo(7 * 60_000);
            assertThat(checkpoints.at("/externalization/delete_on_cancellation").booleanValue())
                    .as("Kipimo's default")
                    .isFalse();
            JsonNode config = rest(application, "jobs/" + job + "/config").path("execution-config");
            assertThat(config.path("restart-strategy").asText()).contains("ailure rate");
            assertThat(config.path("job-parallelism").asInt()).isEqualTo(2);
        }
    }

    static Path jobJar() throws IOException {
        try (DirectoryStream<Path> jars =
                Files.newDirectoryStream(Path.of("../../jobs/streaming/target"), "kipimo-streaming-*-job.jar")) {
            return jars.iterator().next().toAbsolutePath();
        }
    }

    private static JobID running(StandaloneCluster where, String name) {
        return await().atMost(PATIENCE)
                .until(
                        () -> {
                            for (JsonNode job : rest(where, "jobs/overview").path("jobs")) {
                                if (job.path("name").asText().equals(name)
                                        && job.path("state").asText().equals("RUNNING")) {
                                    return Optional.of(
                                            JobID.fromHexString(job.path("jid").asText()));
                                }
                            }
                            return Optional.<JobID>empty();
                        },
                        Optional::isPresent)
                .orElseThrow();
    }

    private static List<String> doctor() throws Exception {
        CommandLineRun run = CommandLineRun.of(List.of(
                "doctor",
                "--json",
                "--bootstrap-servers=" + kafka.bootstrapServers(),
                "--topic-prefix=" + kafka.topicPrefix(),
                "--rest=http://" + cluster.host() + ":" + cluster.restPort()));
        List<String> jobs = new ArrayList<>();
        for (JsonNode finding : JSON.readTree(run.out()).path("findings")) {
            if (finding.path("subject").asText().equals("jobs")) {
                jobs.add(finding.path("level").asText() + " "
                        + finding.path("text").asText());
            }
        }
        return jobs;
    }

    /** A query one of whose two components was late. */
    static void emit(KafkaSettings kafka, KafkaProducer<byte[], byte[]> producer, long nowMillis) throws Exception {
        String id = emitAnswer(kafka, producer, nowMillis);
        for (Phase phase : List.of(Phase.ONLINE, Phase.MATURE)) {
            boolean isOnline = phase == Phase.ONLINE;
            PartialResult result = PartialResultBuilder.builder()
                    .service("shop")
                    .queryId(id)
                    .component(isOnline ? "bm25" : "dense")
                    .server("")
                    .phase(phase)
                    .completedAtMillis(nowMillis)
                    .latencyMicros(9_000)
                    .items(Items.ofNumbers(new long[] {isOnline ? 1 : 2}, new float[] {1}))
                    .startedAtMillis(nowMillis)
                    .build();
            send(kafka, producer, Topic.PARTIALS, id, Codecs.PARTIAL_RESULT.encode(result));
        }
    }

    /** Its answer alone; returns the query's id. */
    static String emitAnswer(KafkaSettings kafka, KafkaProducer<byte[], byte[]> producer, long nowMillis)
            throws Exception {
        String id = "q" + nowMillis;
        Answer answer = AnswerBuilder.builder()
                .service("shop")
                .queryId(id)
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(nowMillis)
                .answeredAtMillis(nowMillis)
                .deadlineMillis(50)
                .topK(1)
                .invocations(List.of(
                        new Invocation("bm25", Outcome.IN_TIME, 9_000),
                        new Invocation("dense", Outcome.TIMED_OUT, 50_000)))
                .items(Items.NONE)
                .build();
        send(kafka, producer, Topic.ANSWERS, id, Codecs.ANSWER.encode(answer));
        return id;
    }

    private static void send(
            KafkaSettings kafka, KafkaProducer<byte[], byte[]> producer, Topic topic, String key, byte[] value)
            throws Exception {
        producer.send(new ProducerRecord<>(kafka.name(topic), key.getBytes(UTF_8), value))
                .get();
    }

    private static CommandLineRun submit(KipimoJob job, String prefix, Map<String, String> own, String... more) {
        Map<String, String> options = new HashMap<>(
                Map.of("kafka.bootstrap-servers", backends.bootstrapServers(), "kafka.topic-prefix", prefix));
        options.putAll(own);
        return CommandLineRun.submit(cluster, job, options, more);
    }

    private static JsonNode rest(String path) throws Exception {
        return rest(cluster, path);
    }

    private static JsonNode rest(StandaloneCluster where, String path) throws Exception {
        URI address = URI.create("http://" + where.host() + ":" + where.restPort() + "/" + path);
        return JSON.readTree(HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
                .body());
    }

    /** A jar that a user built against Kipimo's core. */
    private static Path jar() throws IOException {
        Path source = Files.createDirectories(directory.resolve("outside")).resolve("Half.java");
        Files.writeString(source, PROVIDER);
        int problems = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-cp", System.getProperty("java.class.path"), source.toString());
        assertThat(problems).isZero();
        Path jar = directory.resolve("own.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (String name : List.of("outside/Half.class", "outside/Half$One.class")) {
                out.putNextEntry(new ZipEntry(name));
                Files.copy(directory.resolve(name), out);
            }
            out.putNextEntry(
                    new ZipEntry("META-INF/services/" + "io.kipimo.core.quality.similarity.SimilarityProvider"));
            out.write("outside.Half".getBytes(UTF_8));
        }
        return jar;
    }
}
