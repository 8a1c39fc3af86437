package io.kipimo.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** What if Delta were longer? */
    @Test
    void cachesAreVaried_asTable_jsonAndPage() throws IOException {
        Path file = directory.resolve("mine.yaml");
        Path page = directory.resolve("caches.html");
        Files.writeString(
                file, CommandRun.of("simulate", "caching", "--print").out().replace("reads: 400000", "reads: 20000"));
        String vary = "--vary=caching.freshness.refresh_millis=500,5000";

        String table = CommandRun.of("simulate", file.toString(), vary, "--html", page.toString())
                .out();
        String json = CommandRun.of("simulate", file.toString(), vary, "--json").out();

        assertThat(table)
                .containsPattern("(?m)^refresh_millis=500 .* 520.0 +0 +0 ")
                .containsPattern("(?m)^refresh_millis=5000 .* 5020.0 +0 +0 ");
        assertThat(json).contains("\"refresh_millis=5000\"", "\"too_stale\" : 0", "\"stale_query_share\"");
        assertThat(Files.readString(page)).contains("refresh_millis=5000", "</html>");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "caching | --vary=caching.delta=1 | kipimo: caching with delta=1: caching.delta is unknown; allowed:",
                "caching | --vary=caching.delta | kipimo: --vary is 'caching.delta'; allowed: KEY=VALUE,",
                "caching | --controller=quality | kipimo: --controller is for services; caching is a scenario of caches",
                "queue | --vary=seconds.x=1 | kipimo: --vary cannot set seconds.x to '1'",
                "caching | --vary=reads=-1 | kipimo: caching with reads=-1: reads is -1; allowed:",
            })
    void impossibleRunsAreRefusedByOneLine(String scenario, String option, String error) {
        CommandRun run = CommandRun.of("simulate", scenario, option);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err().strip()).startsWith(error).doesNotContain("\n");
    }

    @Test
    void servicesAreVaried() {
        assertThat(CommandRun.of("simulate", "queue", "--vary=seed=5,6").out())
                .containsPattern("(?m)^seed=5 ")
                .containsPattern("(?m)^seed=6 ");
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
}
