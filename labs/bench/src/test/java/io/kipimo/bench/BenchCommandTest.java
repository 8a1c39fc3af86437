package io.kipimo.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.bench.report.NamedBenchmark;
import io.kipimo.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class BenchCommandTest {
    private record Run(int exitCode, String out, String err) {
        static Run of(String... args) {
            StringWriter out = new StringWriter();
            StringWriter err = new StringWriter();
            CommandLine line = Main.commandLine(new BenchCommands());
            line.setOut(new PrintWriter(out, true));
            line.setErr(new PrintWriter(err, true));
            return new Run(line.execute(args), out.toString(), err.toString());
        }
    }

    @Test
    void withoutANameListsWhatThereIs() {
        Run run = Run.of("bench");
        assertThat(run.exitCode()).isZero();
        for (NamedBenchmark benchmark : BenchCommand.BENCHMARKS) {
            assertThat(run.out()).contains(benchmark.name(), benchmark.summary());
        }
    }

    @Test
    void theListIsJsonToo() throws Exception {
        JsonNode list = new ObjectMapper().readTree(Run.of("bench", "--json").out());
        assertThat(list).hasSameSizeAs(BenchCommand.BENCHMARKS);
        assertThat(list.path(0).path("name").asText()).isEqualTo("quality");
    }

    @Test
    void namesAreDistinctAndTellFilesApart() {
        assertThat(BenchCommand.BENCHMARKS)
                .extracting(NamedBenchmark::name)
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z][a-z-]*"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bench frobnicate",
                "bench quality frobnicate",
                "bench foreseen --repetitions -1",
                "bench foreseen --repetitions many",
                "bench foreseen --seconds -1",
                "bench steering --ways sideways",
                "bench fan-out --partitionings source,colour",
                "bench foreseen --effort heroic",
                "bench foreseen --state-backend tape",
                "bench foreseen --against nowhere",
                "bench --frobnicate"
            })
    void badArgumentsAreOneLineAndExitCode2(String arguments) {
        Run run = Run.of(arguments.split(" "));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines()).singleElement().asString().startsWith("kipimo: ");
    }

    @Test
    void helpNamesEveryOption() {
        Run help = Run.of("bench", "--help");
        assertThat(help.exitCode()).isZero();
        CommandLine bench =
                Main.commandLine(new BenchCommands()).getSubcommands().get("bench");
        for (OptionSpec option : bench.getCommandSpec().options()) {
            assertThat(help.out()).contains(option.names());
        }
    }

    @Test
    void figuresGoToAFileAndToStandardOutput(@TempDir Path directory) throws Exception {
        Run run = Run.of("bench", "foreseen", "--effort", "tiny", "--json", "--out", directory.toString());
        assertThat(run.exitCode()).isZero();
        ObjectMapper mapper = new ObjectMapper();
        JsonNode file = mapper.readTree(Files.readString(directory.resolve("foreseen.json")));
        assertThat(mapper.readTree(run.out()).path(0)).isEqualTo(file);
        assertThat(file.path("tables").path(0).path("rows")).hasSize(6);
    }
}
