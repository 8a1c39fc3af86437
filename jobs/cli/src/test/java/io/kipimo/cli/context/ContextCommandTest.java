package io.kipimo.cli.context;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kipimo.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContextCommandTest {
    private static final String PROPERTY = "kipimo.contexts";

    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve("deep/contexts.yaml");
    }

    @BeforeEach
    void set() {
        System.setProperty(PROPERTY, file().toString());
    }

    @AfterEach
    void reset() {
        System.clearProperty(PROPERTY);
    }

    private static String brokersTold(CommandRun run) {
        assertThat(run.exitCode()).isEqualTo(2);
        return run.err();
    }

    @Test
    void commandsTakeTheirBrokersFromTheContextInUse() {
        assertThat(brokersTold(CommandRun.of("status"))).contains("or a context");
        // A file that is missing is reported without waiting for a broker.
        CommandRun.of("context", "set", "staging", "bootstrap-servers=x:1", "kafka-config=none");
        CommandRun.of("context", "set", "production", "bootstrap-servers=y:1", "kafka-config=no");

        assertThat(brokersTold(CommandRun.of("status"))).contains("none cannot be read");
        assertThat(brokersTold(CommandRun.of("status", "--context", "production")))
                .contains("no cannot be read");
        assertThat(CommandRun.of("context", "use", "production").out()).isEqualTo("context in use: production\n");
        assertThat(brokersTold(CommandRun.of("status"))).contains("no cannot be read");
        assertThat(CommandRun.of("topics", "--context=staging", "--help").exitCode())
                .isZero();
    }

    @Test
    void credentialsOfAContextAreForItsBrokersOnly() {
        String missing = "kafka-config=" + directory.resolve("none");
        CommandRun.of("context", "set", "a", "bootstrap-servers=127.0.0.1:1", missing);

        assertThat(brokersTold(CommandRun.of("status"))).contains("none cannot be read");
        // Without an answer of the brokers nothing is known, which is no wrong usage.
        CommandRun away = CommandRun.of("status", "--bootstrap-servers=127.0.0.1:2");
        assertThat(away.exitCode()).isEqualTo(3);
        assertThat(away.out() + away.err()).contains("127.0.0.1:2");
        assertThat(brokersTold(CommandRun.of("status", "--context=a", "--bootstrap-servers=127.0.0.1:2")))
                .contains("--context is given, and brokers by --bootstrap-servers");
    }

    @Test
    void contextsAreListedChangedAndRemoved() throws IOException {
        assertThat(CommandRun.of("context", "list").out()).startsWith("there are no contexts");
        CommandRun.of("context", "set", "a", "bootstrap-servers=x:1", "rest=http://f:8081");
        CommandRun.of("context", "set", "b", "bootstrap-servers=y:1");
        CommandRun.of("context", "set", "a", "rest=");

        assertThat(CommandRun.of("context", "list").out().lines())
                .satisfiesExactly(
                        titles -> assertThat(titles).contains("context", "bootstrap-servers"),
                        a -> assertThat(a).startsWith("*").contains("x:1").doesNotContain("8081"),
                        b -> assertThat(b).doesNotStartWith("*").contains("y:1"));
        CommandRun.of("context", "remove", "a");
        assertThat(new ObjectMapper()
                        .readTree(CommandRun.of("context", "list", "--json").out())
                        .toString())
                .isEqualTo("{\"current\":null,\"contexts\":{\"b\":{\"bootstrap-servers\":\"y:1\"}}}");
        try (Stream<Path> files = Files.list(file().getParent())) {
            assertThat(files).as("no leftovers").containsExactly(file());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "context | context needs one of list, set, use, remove",
                "context use nobody | there is no context 'nobody'; there are: none",
                "context remove nobody | there is no context 'nobody'",
                "context set a brokers=x | option of a context is 'brokers'; allowed: bootstrap-servers",
                "context set a x | 'x' is no assignment; allowed: OPTION=VALUE",
                "context set -- a/b prefix=x | name of the context is 'a/b'; allowed: letters",
                "status --context=nobody | there is no context 'nobody'"
            })
    void badInputIsRefused(String words, String problem) {
        CommandRun run = CommandRun.of(words.split(" "));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(problem);
        assertThat(run.out()).isEmpty();
        assertThat(file()).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "- a", "currant: x", "contexts: {a: {brokers: x}}", "contexts: 3"})
    void aFileThatIsNoneIsRefused(String text) throws IOException {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), text);
        CommandRun run = CommandRun.of("context", "list");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("kipimo: ").doesNotContain("Exception");
        assertThat(Files.readString(file())).isEqualTo(text);
    }
}
