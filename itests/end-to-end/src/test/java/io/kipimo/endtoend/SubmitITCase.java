package io.kipimo.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.endtoend.backends.Backends;
import io.kipimo.endtoend.backends.WithBackends;
import io.kipimo.harness.flink.FlinkCluster;
import io.kipimo.jobs.submission.KipimoJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.junit.jupiter.api.Test;

/**
 * The job jar on a cluster of other JVMs without Kipimo on the class path, submitted by the command
 * line. {@link QualityJobITCase} tests kills, upgrades and rescaling there.
 */
@WithBackends
class SubmitITCase {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void everyJobRunsFromTheJarAlone(Backends backends) throws Exception {
        Map<String, String> options =
                Map.of(
                        "kafka.bootstrap-servers",
                        backends.bootstrapServers(),
                        "kafka.topic-prefix",
                        "submit.");
        try (FlinkCluster cluster = FlinkCluster.distribution(1, 2)) {
            CommandLineRun refused =
                    CommandLineRun.submit(
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
                JobID id = CommandLineRun.submit(cluster, job, options, "--parallelism=1").jobId();
                cluster.cancel(id);
                ids.add(id);
            }
            await().atMost(PATIENCE)
                    .until(
                            () ->
                                    ids.stream()
                                            .allMatch(
                                                    id ->
                                                            cluster.status(id)
                                                                    == JobStatus.CANCELED));

            CommandLineRun lost =
                    CommandLineRun.submit(
                            cluster, KipimoJob.RATING, options, "--savepoint=file:///no/such/path");
            assertThat(lost.exitCode()).as("%s", lost).isNotZero();
            assertThat(lost.err()).contains("/no/such/path");
        }
    }
}
