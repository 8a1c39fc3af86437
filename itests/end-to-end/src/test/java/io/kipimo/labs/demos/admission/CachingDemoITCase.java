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

/** A shortened run of the caching demo from the command line. */
class CachingDemoITCase {
    @Tag("full")
    @Test
    void everyWayRunsTheSameOperationsAndIsReported(@TempDir Path directory) throws Exception {
        StringWriter out = new StringWriter();
        CommandLine command = Main.commandLine(new DemoCommands()).setOut(new PrintWriter(out));

        int exitCode = command.execute("demo", "cache", "--headless", "--seconds=5", "--json", "--report=" + directory);

        assertThat(exitCode).isZero();
        JsonNode runs = new ObjectMapper().readTree(out.toString()).get("runs");
        assertThat(runs).hasSize(4);
        for (JsonNode run : runs) {
            assertThat(run.get("failures").asInt()).as("%s", run).isZero();
            assertThat(run.get("reads").asInt())
                    .isEqualTo(runs.get(0).get("reads").asInt());
            assertThat(run.get("writes").asInt())
                    .isEqualTo(runs.get(0).get("writes").asInt());
            assertThat(run.get("lag").get("notifications").asInt())
                    .as("caught by the invalidation job: %s", run)
                    .isGreaterThanOrEqualTo(run.get("writes").asInt());
        }
        assertThat(runs.get(0).get("staleReads").asInt()).as("without caches").isZero();
        assertThat(runs.get(0).get("originReads").asInt())
                .as("without caches")
                .isEqualTo(runs.get(0).get("reads").asInt());
        assertThat(runs.get(1).get("revalidations").asInt()).as("TTL alone").isZero();
        assertThat(runs.get(2).get("revalidations").asInt()).as("filter").isPositive();
        assertThat(directory.resolve("report.html")).content().contains("<svg", "filter + purge");
    }

    @Test
    void impossibleOptionsAreRefusedWithWhatIsAllowed() {
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine(new DemoCommands()).setErr(new PrintWriter(err));
        command.getSubcommands().get("demo").getSubcommands().get("cache").setErr(new PrintWriter(err));

        assertThat(command.execute("demo", "cache", "--seconds=1")).isEqualTo(2);
        assertThat(err.toString()).contains("--seconds is 1; allowed: 3..600");
    }
}
