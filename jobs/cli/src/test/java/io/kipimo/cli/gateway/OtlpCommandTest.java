package io.kipimo.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.cli.CommandRun;
import io.kipimo.schemas.policy.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtlpCommandTest {
    /** Also with the keys in comments. */
    @Test
    void theExampleIsFine(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("rules.yaml");
        String example = CommandRun.of("otlp", "--example").out();
        for (String rules :
                new String[] {example, example.replaceAll("(?m)^( *)# (?=[a-z-]+: (?!the attribute))", "$1")}) {
            Files.writeString(file, rules.replaceAll("(?m)( {2,}| )#.*$", ""));

            CommandRun run = CommandRun.of("otlp", "--rules", file.toString(), "--check");

            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("the rules are fine");
        }
    }

    @Test
    void everyProblemIsALineOnStderrAndTheExitCodeIs2(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("rules.yaml");
        Files.writeString(file, "preset: jaeger\nhold: 0s\nexpect: [a]\n");

        CommandRun run = CommandRun.of("otlp", "--rules", file.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err().lines())
                .hasSize(3)
                .allMatch(line -> line.startsWith("kipimo: " + file))
                .anyMatch(line -> line.contains("preset is 'jaeger'; allowed: conventional"))
                .anyMatch(line -> line.contains("expect is unknown"));
    }

    @Test
    void besideFrontEndsThatEmitAtOnceAShortWindowIsWarnedOf() {
        Policy shop =
                Policy.builder().service("shop").expirationWindowMillis(3_000).build();
        Set<String> sdk = Set.of("shop/front-1");

        assertThat(OtlpCommand.lateness(15_000, List.of(shop), sdk).orElseThrow())
                .contains("20000 ms after their queries")
                .contains("shop/front-1")
                .contains("shop (3000 ms)");
        assertThat(OtlpCommand.lateness(15_000, List.of(shop), Set.of())).isEmpty();
        Policy patient = shop.toBuilder().expirationWindowMillis(20_000).build();
        assertThat(OtlpCommand.lateness(15_000, List.of(patient), sdk)).isEmpty();
    }

    @Test
    void itNeedsBrokers() {
        CommandRun run = CommandRun.of("otlp", "--listen", ":0");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--bootstrap-servers");
    }

    @Test
    void thePageTellsOfEveryKey() throws IOException {
        String page = Files.readString(Path.of("../../docs/otlp.md"));
        Matcher keys = Pattern.compile("(?m)^[ #-]*([a-z][a-z-]+): ")
                .matcher(CommandRun.of("otlp", "--example").out());
        int found = 0;
        while (keys.find()) {
            if (!Set.of("interactive", "batch").contains(keys.group(1))) {
                assertThat(page).as(keys.group(1)).contains(keys.group(1) + "`");
                found++;
            }
        }
        assertThat(found).isGreaterThanOrEqualTo(20);
    }
}
