package io.kipimo.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.harness.flink.FlinkCluster;
import io.kipimo.harness.flink.StandaloneCluster;
import io.kipimo.harness.oracle.LogRecord;
import io.kipimo.harness.oracle.TrafficSettings;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The quality job, submitted as a jar to a cluster of separate processes without Kipimo on the
 * class path. Every row equals the oracle's, every query has exactly one row, and every event is
 * counted as joined, late, duplicate or rejected. {@code -Dfaults.queries} sets the number of
 * queries; {@code -Pfull} has more. {@link QualityFaultsITCase} tests further faults.
 */
@WithBackends
class QualityJobITCase {
    private static final int QUERIES = Integer.getInteger("faults.queries", 6_000);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static Backends backends;
    private static StandaloneCluster cluster;

    @BeforeAll
    static void start(Backends shared) {
        backends = shared;
        cluster = FlinkCluster.distribution(2, 2);
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static QualityRun run(String prefix, long seed, JoinPath path) throws Exception {
        return QualityRun.start(
                cluster,
                new KafkaSettings(backends.bootstrapServers(), prefix, Map.of()),
                1,
                TrafficSettings.before(System.currentTimeMillis(), seed, QUERIES, 4),
                path);
    }

    @Test
    void everyQueryHasTheOraclesRowAndEveryEventIsAccountedFor() throws Exception {
        try (QualityRun run = run("calm.", 1, JoinPath.KEYED)) {
            run.send(run.records());
            assertThat(run.finish()).matches(QualityRun.Verdict::isRight);
            assertWhatAlertsAskForIsThere();
        }
    }

    /** As Prometheus reads them: the alert rules depend on these names. */
    private static void assertWhatAlertsAskForIsThere() {
        String operator = "flink_taskmanager_job_task_operator_";
        String ofClass = operator + "kipimo_service_class_";
        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
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
                                                "job_name=\"kipimo-quality\""));
    }

    @ParameterizedTest
    @EnumSource
    void aKillAndASavepointAtAnotherParallelismChangeNoRowAndNoCount(
            JoinPath path, @TempDir Path savepoints) throws Exception {
        try (QualityRun run = run(path + ".", 2 + path.ordinal(), path)) {
            List<LogRecord> records = run.records();
            int third = records.size() / 3;
            run.send(records.subList(0, third));
            run.awaitCheckpoint();

            cluster.killOldestTaskManager();
            run.send(records.subList(third, 2 * third));
            cluster.replaceTaskManagers();
            await().atMost(PATIENCE).until(() -> cluster.restarts(run.job()) > 0);
            run.awaitCheckpoint();

            run.rescale(3, savepoints);
            run.send(records.subList(2 * third, records.size()));

            assertThat(run.finish()).matches(QualityRun.Verdict::isRight);
        }
    }
}
