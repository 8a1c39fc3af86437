package io.kipimo.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
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
                .anyMatch(line -> line.contains("threads is 0; allowed: a whole number, 1..256"))
                .anyMatch(line -> line.contains("listeners[0].listen is not set"));
    }

    /** The page explains every key that the reader accepts; the schema is written from the reader. */
    @Test
    void thePageTellsOfEveryKey() throws IOException {
        String page = Files.readString(Path.of("../../docs/gateway.md"));
        Set<String> keys = new TreeSet<>();
        keys(
                new ObjectMapper()
                        .readTree(Path.of("../../docs/schemas/gateway.schema.json")
                                .toFile()),
                keys);
        assertThat(keys).hasSizeGreaterThan(90).contains("not-in-ids");
        assertThat(keys).allSatisfy(key -> assertThat(page).containsPattern("`" + key + "`|(?m)[ {-]" + key + ": "));
    }

    @Test
    void theExampleHasEveryKeyOfTheGatewayAndOfAListener() throws IOException {
        JsonNode schema = new ObjectMapper()
                .readTree(Path.of("../../docs/schemas/gateway.schema.json").toFile());
        Set<String> keys = new TreeSet<>();
        schema.at("/properties").fieldNames().forEachRemaining(keys::add);
        JsonNode listener = schema.at("/properties/listeners/items/properties");
        listener.fieldNames().forEachRemaining(keys::add);
        listener.at("/arbitration/properties").fieldNames().forEachRemaining(keys::add);
        assertThat(keys).contains("trust", "not-asked", "hedge-share");
        String example = CommandRun.of("gateway", "--example").out();
        assertThat(keys).allSatisfy(key -> assertThat(example).containsPattern("(?m)[ {-]" + key + ":|^" + key + ":"));
    }

    private static void keys(JsonNode schema, Set<String> keys) {
        schema.properties().forEach(part -> {
            if (part.getKey().equals("properties")) {
                part.getValue().fieldNames().forEachRemaining(keys::add);
                part.getValue().forEach(one -> keys(one, keys));
            } else {
                keys(part.getValue(), keys);
            }
        });
        if (schema.isArray()) {
            schema.forEach(one -> keys(one, keys));
        }
    }
}
