package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.flink.StandaloneCluster;
import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.harness.oracle.LogRecord;
import io.kipimo.harness.oracle.TrafficSettings;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The quality job through kills and savepoints. Every row equals the oracle's, every query has exactly one row, and
 * every event is counted as joined, late, duplicate or rejected. {@code -Pfull} runs the jar, too, by each path of the
 * join, on clusters of separate processes without Kipimo on the class path; {@code -Dfaults.queries} sets how much.
 * {@link QualityFaultsITCase} tests further faults.
 */
@WithBackends
class QualityJobITCase {
    private static final int QUERIES = Integer.getInteger("faults.queries", 2_000);

    private static Backends backends;

    @BeforeAll
    static void find(Backends shared) {
        backends = shared;
    }

    /**
     * Blue and green: a second job begins at a savepoint of the first, which goes on, with the other feed. It has no
     * shuffle, which the first began with, since the log was empty. Both are killed, results come while they are away,
     * and the first ends while it works. Digests are of minutes that both jobs saw from beginning to end, with a minute
     * and a window before and after, so the log has ten, and begins with one.
     */
    @Test
    void aSecondJobWritesTheSameRowsAndTakesOver(FlinkCluster cluster) throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), "blue-green.", Map.of());
        long minute = Duration.ofMinutes(1).toMillis();
        long now = System.currentTimeMillis() / minute * minute;
        TrafficSettings minutes = TrafficSettings.before(now, 7, 600, 4).lasting(10 * minute);
        assertThat(minutes.startMillis() % minute).isZero();
        try (QualityRun run = QualityRun.start(cluster, kafka, 1, minutes, JoinPath.AUTO)) {
            List<LogRecord> records = run.records();
            int part = records.size() / 10;
            run.send(records.subList(0, part));
            run.awaitCheckpoint();
            List<String> digest = List.of(
                    "digest",
                    run.group(),
                    "green",
                    "--since=1h",
                    "--bootstrap-servers=" + kafka.bootstrapServers(),
                    "--prefix=" + kafka.topicPrefix());
            JobID blue = run.startBeside("green");
            assertThat(CommandLineRun.of(digest).exitCode()).isEqualTo(3);
            run.send(records.subList(part, 4 * part));
            cluster.killOldestTaskManager();
            run.send(records.subList(4 * part, 6 * part));
            cluster.replaceTaskManagers();
            await().atMost(PATIENCE).until(() -> cluster.restarts(blue) > 0 && cluster.restarts(run.job()) > 0);
            run.send(records.subList(6 * part, 9 * part));
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(3))
                    .until(() -> CommandLineRun.of(digest).exitCode() != 3);

            run.send(records.subList(9 * part, records.size()));
            cluster.cancel(blue);
            assertThat(run.finish()).matches(QualityRun.Verdict::isRight);
            CommandLineRun compared = CommandLineRun.of(digest);
            assertThat(compared).matches(all -> all.exitCode() == 0);
            assertThat(compared.out()).contains("EQUAL");
        }
    }

    /** From the jar; the TaskManager gets no time to shut down. */
    @Tag("full")
    @ParameterizedTest
    @EnumSource
    void aKillAndASavepointAtAnotherParallelismChangeNoRowAndNoCount(JoinPath path, @TempDir Path savepoints)
            throws Exception {
        KafkaSettings kafka = new KafkaSettings(backends.bootstrapServers(), path + ".", Map.of());
        TrafficSettings traffic = TrafficSettings.before(System.currentTimeMillis(), 2 + path.ordinal(), QUERIES, 4);
        try (StandaloneCluster cluster = FlinkCluster.distribution(2, 2);
                QualityRun run = QualityRun.start(cluster, kafka, 1, traffic, path)) {
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
