package io.kipimo.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.harness.flink.FlinkCluster;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The job jar on a cluster of other JVMs without Kipimo on the class path, submitted by the command line.
 * {@link QualityJobITCase} tests kills, upgrades and rescaling there.
 */
@WithBackends
class SubmitITCase {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void everyJobRunsFromTheJarAlone(Backends backends) throws Exception {
        Map<String, String> options =
                Map.of("kafka.bootstrap-servers", backends.bootstrapServers(), "kafka.topic-prefix", "submit.");
        try (FlinkCluster cluster = FlinkCluster.distribution(1, 2)) {
            CommandLineRun refused = CommandLineRun.submit(
                    cluster,
                    KipimoJob.QUALITY,
                    Map.of(
                            "kafka.bootstrap-servers",
                            "localhost:1",
                            "kafka.properties.default.api.timeout.ms",
                            "2000",
                            "kafka.properties.request.timeout.ms",
                            "2000"));
            assertThat(refused.exitCode()).as("%s", refused).isEqualTo(2);
            assertThat(refused.err().lines())
                    .singleElement()
                    .asString()
                    .startsWith("kipimo: cannot ")
                    .contains("localhost:1");

            List<JobID> ids = new ArrayList<>();
            for (KipimoJob job : KipimoJob.values()) {
                JobID id = CommandLineRun.submit(cluster, job, options, "--parallelism=1")
                        .jobId();
                cluster.cancel(id);
                ids.add(id);
            }
            await().atMost(PATIENCE).until(() -> ids.stream().allMatch(id -> cluster.status(id) == JobStatus.CANCELED));

            CommandLineRun lost =
                    CommandLineRun.submit(cluster, KipimoJob.RATING, options, "--savepoint=file:///no/such/path");
            assertThat(lost.exitCode()).as("%s", lost).isNotZero();
            assertThat(lost.err()).contains("/no/such/path");

            assertOneLine(
                    2,
                    "state.backend.type is 'forst', which Flink cannot load here",
                    CommandLineRun.submit(cluster, KipimoJob.RATING, with(options, "state.backend.type", "forst")));
            assertOneLine(
                    2,
                    "scheme 's3'",
                    CommandLineRun.submit(
                            cluster,
                            KipimoJob.RATING,
                            with(options, "execution.checkpointing.dir", "s3://away/checkpoints"),
                            "--parallelism=1"));

            CommandLineRun wide =
                    CommandLineRun.submit(cluster, KipimoJob.RATING, options, "--parallelism=3", "--wait=10s");
            assertOneLine(1, "it waits for slots: it needs 3, and the cluster has 2; allowed: more", wide);
            JobID waiting = wide.id();
            // Nothing is lost: it starts when there are slots.
            cluster.startTaskManager();
            await().atMost(PATIENCE).until(() -> cluster.areTasksRunning(waiting));
            cluster.cancel(waiting);
        }
    }

    /** Flink would wait in silence for the partitions that are gone. */
    @Test
    void topicsWithFewerPartitionsThanTheSavepointAreRefused(Backends backends, @TempDir Path savepoints)
            throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "shrink.", Map.of());
        TopicAdmin.createMissing(kafka, 4, (short) 1);
        Map<String, String> options =
                Map.of("kafka.bootstrap-servers", kafka.bootstrapServers(), "kafka.topic-prefix", kafka.topicPrefix());
        try (FlinkCluster cluster = FlinkCluster.distribution(1, 2)) {
            for (String path : List.of("KEYED", "LOCAL")) {
                TopicAdmin.createMissing(kafka, 4, (short) 1);
                JobID job = CommandLineRun.submit(
                                cluster, KipimoJob.QUALITY, with(options, "join.path", path), "--parallelism=1")
                        .jobId();
                String savepoint = cluster.stopWithSavepoint(job, savepoints);
                try (Admin admin = Admin.create(kafka.forProducer())) {
                    List<String> topics = List.of(kafka.name(Topic.ANSWERS), kafka.name(Topic.PARTIALS));
                    admin.deleteTopics(topics).all().get();
                    await().atMost(PATIENCE).until(() -> admin.listTopics().names().get().stream()
                            .noneMatch(topics::contains));
                    TopicAdmin.createMissing(kafka, 2, (short) 1);
                    CommandLineRun run = CommandLineRun.submit(
                            cluster, KipimoJob.QUALITY, options, "--savepoint=" + savepoint, "--parallelism=1");
                    assertThat(run.exitCode()).as("%s", run).isEqualTo(2);
                    assertThat(run.err().lines())
                            .containsExactly(
                                    "kipimo: topic 'shrink.answers' has partitions 2, but the"
                                            + " savepoint has read 4; allowed: a topic with at least"
                                            + " as many, or no savepoint",
                                    "kipimo: topic 'shrink.partials' has partitions 2, but the"
                                            + " savepoint has read 4; allowed: a topic with at least"
                                            + " as many, or no savepoint");
                    admin.deleteTopics(topics).all().get();
                    await().atMost(PATIENCE).until(() -> admin.listTopics().names().get().stream()
                            .noneMatch(topics::contains));
                }
            }
        }
    }

    private static void assertOneLine(int exitCode, String part, CommandLineRun run) {
        assertThat(run.exitCode()).as("%s", run).isEqualTo(exitCode);
        assertThat(run.err().lines()).singleElement().asString().contains(part);
    }

    private static Map<String, String> with(Map<String, String> options, String key, String value) {
        Map<String, String> all = new HashMap<>(options);
        all.put(key, value);
        return all;
    }
}
