package io.kipimo.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.CommandRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class GlobalOptionsTest {
    private final PrintStream stderr = System.err;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @AfterEach
    void reset() {
        System.setErr(stderr);
        List.of("level", "format", "cause", "kafka").forEach(name -> System.clearProperty("kipimo.log." + name));
        Configurator.reconfigure();
    }

    /** What the log has after a command with these options. */
    private List<String> logged(String... options) {
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        String[] words = new String[options.length + 1];
        words[0] = "topics";
        System.arraycopy(options, 0, words, 1, options.length);
        assertThat(CommandRun.of(words).exitCode()).isZero();
        Configurator.reconfigure();
        var log = LoggerFactory.getLogger("io.kipimo.some.Place");
        log.info("an \"info\"\nof two lines");
        log.warn("a warning", new IllegalStateException("its cause"));
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void linesHaveTimeAndLevelAndNoTrace() {
        List<String> lines = logged();

        assertThat(lines).singleElement().asString().endsWith("WARN  Place: a warning");
        assertThat(Instant.parse(lines.get(0).split(" ")[0])).isAfter(Instant.EPOCH);
    }

    /** Flink's line ends in "failure cause:", and the cause is that of the innermost exception. */
    @Test
    void linesOfFlinkHaveTheirCause() {
        logged();
        LoggerFactory.getLogger("org.apache.flink.runtime.executiongraph.ExecutionGraph")
                .warn(
                        "switched to FAILED with failure cause:",
                        new IllegalStateException("outer", new IOException("no such broker")));

        assertThat(printed.toString(StandardCharsets.UTF_8).lines()).endsWith("java.io.IOException: no such broker");
    }

    @Test
    void verboseHasCausesAndALevelMoreLines() {
        List<String> lines = logged("--verbose", "--log-level=info");

        assertThat(lines).anyMatch(line -> line.endsWith("INFO  Place: an \"info\""));
        assertThat(lines).anyMatch(line -> line.contains("IllegalStateException: its cause"));
        assertThat(lines).anyMatch(line -> line.startsWith("\tat "));
    }

    @Test
    void jsonIsOneObjectALine() throws IOException {
        List<String> lines = logged("--log-format=json", "--log-level=INFO", "--verbose");

        assertThat(lines).hasSize(2);
        JsonNode info = new ObjectMapper().readTree(lines.get(0));
        assertThat(info.path("message").textValue()).isEqualTo("an \"info\"\nof two lines");
        assertThat(info.path("level").textValue()).isEqualTo("INFO");
        assertThat(info.path("logger").textValue()).isEqualTo("io.kipimo.some.Place");
        assertThat(Instant.parse(info.path("time").textValue())).isAfter(Instant.EPOCH);
        JsonNode warning = new ObjectMapper().readTree(lines.get(1));
        assertThat(warning.path("cause").textValue()).contains("IllegalStateException: its cause", "\tat ");
    }

    @Test
    void errorsHaveTheirCausesOnDemandOnly() {
        String[] words = {"policy", "set", "/no/such"};
        assertThat(CommandRun.of(words).err()).doesNotContain("\tat ");
        CommandRun verbose = CommandRun.of("policy", "set", "/no/such", "--verbose");

        assertThat(verbose.exitCode()).isEqualTo(2);
        assertThat(verbose.err()).startsWith("kipimo: ").contains("\tat io.kipimo.");
    }

    @Test
    void otherValuesAreRefused() {
        CommandRun level = CommandRun.of("topics", "--log-level=loud");
        assertThat(level.exitCode()).isEqualTo(2);
        assertThat(level.err()).isEqualTo("kipimo: --log-level is 'loud'; allowed: error, warn, info, debug, trace\n");
        assertThat(CommandRun.of("topics", "--log-format=xml").err())
                .contains("--log-format is 'xml'; allowed: text, json");
    }
}
