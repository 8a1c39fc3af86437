package io.kipimo.jobs.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.jobs.options.SubmissionRefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SubmissionTest {
    private static final String BROKER = "-Dkafka.bootstrap-servers=broker:9092";

    @ParameterizedTest
    @EnumSource
    void everyJobIsStartedByItsName(KipimoJob job) {
        Submission submission = Submission.of(List.of(job.jobName(), BROKER));

        assertThat(submission.job()).isEqualTo(job);
        assertThat(job.flinkName()).isEqualTo("kipimo-" + job.jobName());
        assertThat(Submission.of(submission.arguments())).isEqualTo(submission);
    }

    @Test
    void laterValuesOverrideEarlierOnes(@TempDir Path directory) throws Exception {
        Path first = Files.writeString(directory.resolve("1"), "source.idleness=1 s\nredis.port=1");
        Path second = Files.writeString(directory.resolve("2"), "source.idleness: 2 s");

        Submission submission = Submission.of(List.of(
                "admission", BROKER, "--config", first.toString(), "--config", second.toString(), "-Dredis.port=3"));

        assertThat(submission.values())
                .containsEntry("source.idleness", "2 s")
                .containsEntry("redis.port", "3")
                .containsEntry("kafka.bootstrap-servers", "broker:9092");
        // The files are not available on a cluster.
        assertThat(submission.arguments())
                .containsExactly("admission", BROKER, "-Dredis.port=3", "-Dsource.idleness=2 s");
    }

    @Test
    void problemsOfArgumentsFilesAndOptionsAreReportedTogether() {
        assertThatThrownBy(() -> Submission.of(
                        List.of("quality", "--config", "/no/such/file", "--frobnicate", "-Dsink.guarantee=MAYBE")))
                .isInstanceOfSatisfying(SubmissionRefusedException.class, e -> assertThat(
                                e.getMessage().lines())
                        .hasSize(4)
                        .allMatch(line -> line.contains("allowed: "))
                        .anyMatch(line -> line.contains("/no/such/file"))
                        .anyMatch(line -> line.contains("'--frobnicate'"))
                        .anyMatch(line -> line.contains("kafka.bootstrap-servers"))
                        .anyMatch(line -> line.contains("MAYBE")));
    }

    @Test
    void withoutAJobItsNamesAreListed() {
        assertThatThrownBy(() -> Submission.of(List.of(BROKER)))
                .hasMessageContaining("the job is missing")
                .hasMessageContaining(KipimoJob.names());
        assertThatThrownBy(() -> Submission.of(List.of("qualities", BROKER)))
                .hasMessage("job is 'qualities'; allowed: " + KipimoJob.names());
    }

    /** The JobManager calls it on a separate thread, and must survive. */
    @Test
    void insideAnotherProcessItThrowsInsteadOfExiting() {
        assertThatThrownBy(() -> onAnotherThread("quality", "-Dkafka.bootstrap-servers=nowhere"))
                .isInstanceOf(SubmissionRefusedException.class)
                .hasMessageContaining("kafka.bootstrap-servers is nowhere");
    }

    private static void onAnotherThread(String... args) throws Exception {
        Exception[] thrown = new Exception[1];
        Thread thread = new Thread(() -> {
            try {
                SubmissionMain.main(args);
            } catch (Exception e) {
                thrown[0] = e;
            }
        });
        thread.start();
        thread.join();
        throw thrown[0];
    }
}
