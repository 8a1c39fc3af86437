package io.kipimo.labs.demos.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A shortened run of the demo from the command line. The test does not judge the resulting figures. */
class DemoITCase {
    @Tag("full")
    @Test
    void theLoopRunsUnderEveryWayOfControlAndIsReported(@TempDir Path directory) throws Exception {
        StringWriter out = new StringWriter();
        CommandLine command = Main.commandLine(new DemoCommands()).setOut(new PrintWriter(out));

        int exitCode = command.execute("demo", "--all", "--minutes=3", "--json", "--port=0", "--report=" + directory);

        assertThat(exitCode).isZero();
        JsonNode runs = new ObjectMapper().readTree(out.toString()).get("runs");
        assertThat(runs).hasSize(5);
        for (JsonNode run : runs) {
            assertThat(run.get("samples").asInt()).as("measured: %s", run).isPositive();
            assertThat(run.get("decisions").asInt()).as("controlled: %s", run).isPositive();
            assertThat(run.get("quality").get("mean").asDouble()).isBetween(0.0, 1.0);
        }
        assertThat(runs.get(0).get("lowAdmittedShare").asDouble())
                .as("no sharing")
                .isZero();
        assertThat(runs.get(1).get("lowAdmittedShare").asDouble())
                .as("full sharing")
                .isEqualTo(1);
        assertThat(directory.resolve("report.html")).content().contains("<svg", "quality-guided", "times as many");
        assertThat(directory.resolve("plot.svg")).isNotEmptyFile();
    }

    @Test
    void impossibleOptionsAreRefusedWithWhatIsAllowed() {
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine(new DemoCommands()).setErr(new PrintWriter(err));

        assertThat(command.execute("demo", "--minutes=0.1")).isEqualTo(2);
        assertThat(err.toString()).contains("--minutes is 0.1; allowed: 2..120");
        assertThat(command.execute("demo", "--engine=vespa")).isEqualTo(2);
        assertThat(err.toString()).contains("--engine is 'vespa'; allowed: solr");
    }
}
