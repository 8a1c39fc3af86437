package io.kipimo.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateCommandTest {
    @TempDir
    private Path directory;

    @Test
    void builtInScenario_asTable_jsonAndPage() throws IOException {
        Path page = directory.resolve("queue.html");
        CommandRun table = CommandRun.of("simulate", "queue", "--html", page.toString());
        CommandRun json = CommandRun.of("simulate", "queue", "--json");

        assertThat(table.exitCode()).isZero();
        assertThat(table.out()).contains("utilisation", "queue  server");
        assertThat(json.out()).contains("\"executions\"");
        assertThat(Files.readString(page)).contains("<svg", "</html>").doesNotContain("<script");
    }

    @Test
    void sameSeed_sameBytes() {
        String first =
                CommandRun.of("simulate", "queue", "--seed", "5", "--json").out();

        assertThat(CommandRun.of("simulate", "queue", "--seed", "5", "--json").out())
                .isEqualTo(first);
        assertThat(CommandRun.of("simulate", "queue", "--seed", "6", "--json").out())
                .isNotEqualTo(first);
    }

    @Test
    void printedScenario_runsAsAFile_withDemandsBesideIt() throws IOException {
        Path file = directory.resolve("mine.yaml");
        String text = CommandRun.of("simulate", "queue", "--print").out();
        Files.writeString(file, text.replace("kind: exponential, mean_millis: 10", "kind: empirical, file: d.txt"));
        Files.writeString(directory.resolve("d.txt"), "5\n15\n");

        CommandRun run = CommandRun.of("simulate", file.toString());

        assertThat(run.err()).isEmpty();
        // Pollaczek and Khinchine say 24.6 ms.
        assertThat(run.out()).contains("  0.024  ");
    }

    @Test
    void allProblemsOfAScenario_areLinesOnStderr() throws IOException {
        Path file = directory.resolve("bad.yaml");
        Files.writeString(file, "name: bad\nseconds: 0\ncolour: red\n");

        CommandRun run = CommandRun.of("simulate", file.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err().lines().count()).isGreaterThan(2);
        assertThat(run.err()).contains("seconds is 0; allowed:", "colour is unknown; allowed:");
    }

    @Test
    void experimentsAreListed() {
        assertThat(CommandRun.of("reproduce", "--list").out())
                .contains("ubora-figure-11", "spare-figure-6", "zoolander-figure-8")
                .contains("quaestor-figure-11", "rating-table-3");
    }

    @Test
    void experiment_asTable_jsonAndPage() throws IOException {
        Path page = directory.resolve("figure.html");

        String table = CommandRun.of("reproduce", "ubora-figure-6", "--html", page.toString())
                .out();
        String json = CommandRun.of("reproduce", "ubora-figure-6", "--json").out();

        assertThat(table).contains("matches", "0 do not match");
        assertThat(json).contains("\"ubora-figure-6\"", "\"plots\"", "\"single component\"");
        assertThat(Files.readString(page)).contains("<svg", "data skew", "</html>");
    }

    @Test
    void settingsAreWrappedBetweenWords() {
        String text = "word ".repeat(50).strip();

        String wrapped = ReproduceCommand.wrapped(text);

        assertThat(wrapped.lines()).hasSize(3).allMatch(line -> line.length() <= 100);
        assertThat(wrapped.replace('\n', ' ')).isEqualTo(text);
    }
}
