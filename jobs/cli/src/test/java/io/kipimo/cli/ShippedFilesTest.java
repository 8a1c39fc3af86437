package io.kipimo.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.kipimo.cli.policy.PolicyDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands accept the files in docker/ that are meant for them. */
class ShippedFilesTest {
    private static final Path DOCKER = Path.of("../../docker");

    @Test
    void theGatewayOfTheComposeFileIsConfiguredRight() {
        CommandRun run = CommandRun.of(
                "gateway",
                "--check",
                "--config",
                DOCKER.resolve("compose/gateway.yaml").toString());

        assertThat(run.exitCode()).as("%s", run).isZero();
    }

    @Test
    void theGatewayOfTheChartIsConfiguredRight(@TempDir Path directory) throws IOException {
        JsonNode values = new ObjectMapper(new YAMLFactory())
                .readTree(DOCKER.resolve("helm/kipimo/values.yaml").toFile());
        Path file = Files.writeString(
                directory.resolve("gateway.yaml"), values.at("/gateway/config").asText());

        CommandRun run = CommandRun.of("gateway", "--check", "--config", file.toString());

        assertThat(run.exitCode()).as("%s", run).isZero();
    }

    @Test
    void thePolicyOfTheComposeFileIsOne() {
        assertThatCode(() -> PolicyDocument.parse(
                        "compose/policy.yaml", Files.readString(DOCKER.resolve("compose/policy.yaml"))))
                .doesNotThrowAnyException();
    }
}
