package io.kipimo.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.Main;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.jobs.submission.KipimoJob;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobID;
import picocli.CommandLine;

/** Result of {@code ./kipimo} with some arguments. */
public record CommandLineRun(int exitCode, String out, String err) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static CommandLineRun of(List<String> words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine(words, problem -> {})
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err));
        int exitCode = command.execute(words.toArray(String[]::new));
        command.getOut().flush();
        command.getErr().flush();
        return new CommandLineRun(exitCode, out.toString(), err.toString());
    }

    /**
     * Runs {@code kipimo submit}.
     *
     * @param more arguments in addition to the job's options
     */
    public static CommandLineRun submit(
            FlinkCluster cluster, KipimoJob job, Map<String, String> options, String... more) {
        List<String> words = new ArrayList<>(List.of(
                "submit", job.jobName(), "--json", "--rest=http://" + cluster.host() + ":" + cluster.restPort()));
        options.forEach((key, value) -> words.add("-D" + key + "=" + value));
        words.addAll(List.of(more));
        return of(words);
    }

    /** Id of the submitted and running job. */
    public JobID jobId() throws Exception {
        assertThat(exitCode).as("%s", this).isZero();
        assertThat(JSON.readTree(out).path("state").asText()).isEqualTo("RUNNING");
        return id();
    }

    /** Id of the submitted job. */
    JobID id() throws Exception {
        return JobID.fromHexString(JSON.readTree(out).path("id").asText());
    }
}
