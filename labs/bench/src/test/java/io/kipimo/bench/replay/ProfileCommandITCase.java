package io.kipimo.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.Main;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.embedded.redis.EmbeddedRedis;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code kipimo profile} on a service whose components are late for half of the queries each. */
@Tag("full")
class ProfileCommandITCase {
    private record Run(int exitCode, String out, String err) {}

    private static Run profile(Path directory, String config, String... options) throws IOException {
        Path file = directory.resolve("gateway.yaml");
        Files.writeString(file, config);
        Path queries = directory.resolve("queries.txt");
        Files.write(
                queries, IntStream.range(0, 50).mapToObj(i -> "/search?q=" + i).toList());
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        List<String> arguments = new ArrayList<>(List.of("profile", "--config=" + file, "--queries=" + queries));
        arguments.addAll(List.of(options));
        int exitCode = command.execute(arguments.toArray(String[]::new));
        return new Run(exitCode, out.toString(), err.toString());
    }

    @Test
    void bothComponentsAreWorthRecordingWhereEachIsLateForHalf(@TempDir Path directory) throws Exception {
        int[] ports = FreePorts.distinct(5);
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                TwoComponents service = new TwoComponents(
                        (component, query) -> Math.floorMod(query.hashCode(), 2) == component ? 250 : 20,
                        100,
                        ports[0],
                        new int[] {ports[1], ports[2]},
                        new int[] {ports[3], ports[4]})) {
            Run run = profile(
                    directory,
                    """
                            service: two
                            threads: 1
                            record: {redis: ['%s:%d'], timeout: 1s, expiration: 5s, replay: true}
                            listeners:
                              - {name: front, role: front, listen: '127.0.0.1:0', servers: ['127.0.0.1:%d'], items: {array: /hits}}
                              - {name: one, role: component, listen: '127.0.0.1:%d', servers: ['127.0.0.1:%d']}
                              - {name: two, role: component, listen: '127.0.0.1:%d', servers: ['127.0.0.1:%d']}
                            """.formatted(redis.host(), redis.port(), ports[0], ports[1], ports[3], ports[2], ports[4]),
                    "--per-second=20",
                    "--seconds=1",
                    "--rates=0.7",
                    "--most-slowdown=10",
                    "--json");

            assertThat(run.exitCode()).as(run.err()).isZero();
            JsonNode found = new ObjectMapper().readTree(run.out());
            assertThat(found.at("/recommended/memoized"))
                    .extracting(JsonNode::asText)
                    .containsExactly("one", "two");
            assertThat(found.at("/recommended/replayed_per_100").asDouble()).isPositive();
            assertThat(found.path("trials"))
                    .as("with all, with none, and without each")
                    .hasSize(4)
                    .filteredOn(trial -> trial.path("memoized").isEmpty())
                    .singleElement()
                    .satisfies(none -> assertThat(none.path("replayed_per_100").asDouble())
                            .as("the same components are late in the second run")
                            .isZero());
        }
    }

    @Test
    void aGatewayWithoutReplaysIsRefused(@TempDir Path directory) throws Exception {
        Run run = profile(directory, """
                        service: two
                        listeners:
                          - {name: front, role: front, listen: '127.0.0.1:0', servers: ['127.0.0.1:1']}
                        """, "--per-second=1");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("record.replay is false; allowed:");
    }
}
