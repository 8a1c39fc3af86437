package io.kipimo.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewayCommandTest {
    @Test
    void theExampleIsFine(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("gateway.yaml");
        Files.writeString(file, CommandRun.of("gateway", "--example").out());

        CommandRun run = CommandRun.of("gateway", "--config", file.toString(), "--check");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("the configuration is fine", "front", "titles");
    }

    @Test
    void everyProblemIsALineOnStderrAndTheExitCodeIs2(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("gateway.yaml");
        Files.writeString(file, "service: a/b\nthreads: 0\nlisteners: [{name: x}]\n");

        CommandRun run = CommandRun.of("gateway", "--config", file.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err().lines())
                .hasSizeGreaterThanOrEqualTo(4)
                .allMatch(line -> line.startsWith("kipimo: "))
                .anyMatch(line -> line.contains("threads is '0'; allowed: 1..256"))
                .anyMatch(line -> line.contains("listeners[0].listen is not set"));
    }

    /** The page explains every key of the example. */
    @Test
    void thePageTellsOfEveryKey() throws IOException {
        String page = Files.readString(Path.of("../../docs/gateway.md"));
        Matcher keys =
                Pattern.compile("(?m)^[ #-]*([a-z][a-z-]+): ")
                        .matcher(CommandRun.of("gateway", "--example").out());
        int found = 0;
        while (keys.find()) {
            String key = keys.group(1);
            if (!key.equals("interactive") && !key.equals("batch")) {
                assertThat(page).as(key).contains(key + "`");
                found++;
            }
        }
        assertThat(found).isGreaterThan(30);
    }
}
