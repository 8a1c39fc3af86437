package io.kipimo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.cli.terminal.GlobalOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class MainTest {
    private static final CommandLine ALL = Main.commandLine();

    /** Names of all commands and subcommands, without picocli's own help. */
    static List<String> commands() {
        List<String> names = new ArrayList<>();
        collect("", Main.commandLine(), names);
        return names;
    }

    private static void collect(String path, CommandLine command, List<String> names) {
        command.getSubcommands().forEach((name, sub) -> {
            if (!name.equals("help")) {
                names.add((path + " " + name).strip());
                collect(path + " " + name, sub, names);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpDescribesEveryOption(String command) {
        String[] words = (command + " --help").split(" ");
        CommandRun help = CommandRun.of(words);

        assertThat(help.exitCode()).isZero();
        assertThat(help.err()).isEmpty();
        for (OptionSpec option : find(command).getCommandSpec().options()) {
            assertThat(help.out()).contains(option.names());
            assertThat(option.description()).describedAs(option.longestName()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandThatDoesSomethingPrintsForPrograms(String command) {
        CommandLine line = find(command);
        if (line.getSubcommands().isEmpty()) {
            assertThat(line.getCommandSpec().findOption("--json")).isNotNull();
            assertThat(line.getCommandSpec().findOption("-o")).isNotNull();
        }
    }

    private static CommandLine find(String command) {
        CommandLine line = ALL;
        for (String word : command.split(" ")) {
            line = line.getSubcommands().get(word);
        }
        return line;
    }

    @Test
    void commandsComeWithExamples() {
        for (String command : List.of(
                "score",
                "predict",
                "plan",
                "collision",
                "simulate",
                "topics",
                "tail",
                "policy",
                "override",
                "deadline",
                "gate",
                "worst",
                "fanout",
                "budget",
                "gateway",
                "otlp",
                "haproxy",
                "envoy",
                "run",
                "submit",
                "duplicate",
                "profile",
                "console")) {
            assertThat(CommandRun.of(command, "--help").out()).contains("Examples:", "  kipimo " + command);
        }
    }

    @Test
    void printsItsVersion() {
        assertThat(CommandRun.of("--version").out()).matches("kipimo \\d+\\.\\d+\\.\\d+\\S*\\R");
    }

    @ParameterizedTest
    @MethodSource("badUsage")
    void badUsageIsOneLineOnStderrAndExitCode2(List<String> args) {
        CommandRun run = CommandRun.of(args.toArray(String[]::new));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines()).singleElement().asString().startsWith("kipimo: ");
    }

    static Stream<List<String>> badUsage() {
        return Stream.of(
                List.of("frobnicate"),
                List.of("score"),
                List.of("score", "--frobnicate"),
                List.of("predict", "--tau", "5", "--duplicates", "2"),
                List.of("predict", "--samples", "/no/such", "--tau", "5", "--duplicates", "2"),
                List.of("predict", "--samples", "-", "--tau", "-5", "--duplicates", "2"),
                List.of("predict", "--samples", "-", "--tau", "0", "--duplicates", "2"),
                List.of("collision", "--servers", "6,8", "--factors", "2,9"),
                List.of("predict", "--samples", "-", "--tau", "NaN", "--duplicates", "2"),
                List.of("predict", "--samples", "-", "--tau", "5", "--duplicates", "0"),
                List.of("plan", "--samples", "/no/such", "--tau", "5"),
                List.of("collision", "--servers", "6,8", "--factors", "2"),
                List.of("collision", "--servers", "6,8", "--factors", "2,0"),
                List.of("collision", "--servers", "6,x", "--factors", "2,2"),
                List.of("simulate"),
                List.of("simulate", "/no/such/scenario.yaml"),
                List.of("simulate", "queue", "--controller", "no_sharing"),
                List.of("simulate", "ubora", "--controller", "frobnicate"),
                List.of("topics", "--partitions", "many"),
                List.of("topics", "--create", "--bootstrap-servers", "not a host"),
                List.of("topics", "--kafka-config", "/no/such/file", "--create"),
                List.of("policy"),
                List.of("policy", "set"),
                List.of("override"),
                List.of("override", "set", "s", "c", "2", "--for", "1m", "--reason", "r"),
                List.of("override", "set", "s", "c", "1", "--for", "soon", "--reason", "r"),
                List.of("gateway"),
                List.of("gateway", "--config", "/no/such/file"),
                List.of("gateway", "--listen", "127.0.0.1:0"),
                List.of("gateway", "--listen", "nowhere", "--server", "a:1"),
                List.of("otlp"),
                List.of("otlp", "--rules", "/no/such/file"),
                List.of("otlp", "--bootstrap-servers", "b:9092", "--listen", "nowhere"),
                List.of("envoy"),
                List.of("envoy", "--bootstrap-servers", "b:9092", "--service", "s"),
                List.of("envoy", "--service", "s", "--class", "a;b"),
                List.of("profile"),
                List.of("profile", "--config", "/no/file", "--queries", "/no/file"),
                List.of("duplicate"),
                List.of("duplicate", "--bootstrap-servers", "b:9092", "--redis", "nowhere"),
                List.of("duplicate", "--bootstrap-servers", "b:9092", "--redis", "r:6379", "--patience-millis", "0"),
                List.of("haproxy"),
                List.of("haproxy", "--service", "s", "--class", "a;b", "--socket", "/s", "--map", "/m"),
                List.of("run"),
                List.of("run", "frobnicate"),
                List.of("run", "quality"),
                List.of("submit", "quality", "-Dkafka.bootstrap-servers=b:1"),
                submit("--rest", "localhost:8081"),
                submit("--rest", "http://localhost:8081", "--parallelism", "0"),
                submit("--rest", "http://localhost:8081", "--parallelism", "129"),
                submit("--rest", "http://localhost:8081", "--savepoint", " "),
                submit("--rest", "http://localhost:1"),
                submit("--rest", "http://localhost:8081", "--config", "/no/such/file"),
                List.of("console"),
                List.of("console", "--bootstrap-servers", "b:9092", "--port", "70000"),
                List.of("console", "--bootstrap-servers", "b:9092", "--look-back", "soon"),
                List.of("console", "--bootstrap-servers", "b:9092", "--host", "0.0.0.0"),
                List.of("console", "--bootstrap-servers", "b:9092", "--token-file", "/no/file"),
                List.of("deadline"),
                List.of("deadline", "--objective", "2", "--bootstrap-servers", "localhost:1"),
                List.of("deadline", "--answers", "answers.jsonl"),
                List.of("deadline", "--answers", "a.jsonl", "--partials", "p.jsonl"),
                List.of("deadline", "--answers=/no/such/file", "--partials=/no/such/file", "--metric=tpr@20"),
                List.of("deadline", "--answers=/no/such/file", "--partials=/no/such/file", "--metric=tpr"),
                List.of("gate"),
                List.of("gate", "--since", "ten"),
                List.of("gate", "--since", "10m", "--from", "now"),
                List.of("gate", "--baseline-from", "now"),
                List.of("gate", "--measurements", "/no/such/file"),
                List.of("gate", "--measurements", "m.jsonl", "--wait", "1m"),
                List.of("gate", "--observations", "o.jsonl"),
                List.of("budget"),
                List.of("budget", "--since", "0s"),
                List.of("export", "quality"),
                List.of("export", "quality", "--parquet=p", "--depth=10"),
                List.of("export", "quality", "--trec=d", "--depth=0"),
                List.of("export", "quality", "--trec=d", "--answers=a.jsonl"),
                List.of("export", "quality", "--parquet=/no/such/place", "--measurements=-"),
                List.of("export", "quality", "--parquet=p", "--measurements=m", "--since=1h"),
                List.of("tail", "no-such-topic"),
                List.of("tail", "answers", "--max", "0"),
                List.of("tail", "answers", "--filter", "no_such_field=1"),
                List.of("tail", "answers", "--filter", "service.name=1"));
    }

    private static List<String> submit(String... more) {
        List<String> words = new ArrayList<>(List.of("submit", "quality", "-Dkafka.bootstrap-servers=b:1"));
        words.addAll(List.of(more));
        return words;
    }

    @Test
    void allProblemsOfASubmissionAreReportedTogether() {
        CommandRun run = CommandRun.of(
                "submit",
                "quality",
                "--rest=nowhere",
                "--parallelism=500",
                "-Dsource.idleness=2 d",
                "-Dsource.idlenes=1 s");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err().lines())
                .hasSize(5)
                .allMatch(line -> line.startsWith("kipimo: ") && line.contains("allowed: "))
                .anyMatch(line -> line.contains("--parallelism is 500"))
                .anyMatch(line -> line.contains("--rest is 'nowhere'"))
                .anyMatch(line -> line.contains("kafka.bootstrap-servers is not set"))
                .anyMatch(line -> line.contains("source.idleness is 2 d"))
                .anyMatch(line -> line.contains("source.idlenes is not an option"));
    }

    @Test
    void clientPropertiesThatCouldLoadCodeAreRefused() throws IOException {
        Path file = Files.createTempFile("kipimo", ".properties");
        try {
            Files.writeString(file, "bootstrap.servers=localhost:9092\ninterceptor.classes=evil.Class\n");
            CommandRun run = CommandRun.of("topics", "--kafka-config", file.toString());
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err()).contains("interceptor.classes");
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void commandsAreKnownByTheNamesThatTheySay() {
        Main.commandLine().getSubcommands().forEach((name, command) -> assertThat(command.getCommandSpec()
                        .userObject()
                        .getClass()
                        .getAnnotation(CommandLine.Command.class)
                        .name())
                .isEqualTo(name));
    }

    /** Making all commands takes longer than the work of some of them. */
    @ParameterizedTest
    @CsvSource({
        "score --help, score",
        "--verbose --context gate score worst, score",
        "--log-level=info score, score",
    })
    void onlyTheNamedCommandIsMade(String args, String made) {
        assertThat(made(args)).containsExactly(made);
    }

    @ParameterizedTest
    @ValueSource(strings = {"help score", "man /tmp", "completion", "frobnicate", "--help", "--context score"})
    void allCommandsAreMadeIfNoneIsNamedAndForThoseThatAreAboutAll(String args) {
        assertThat(made(args)).contains("score", "gate", "worst", "help");
    }

    private static Set<String> made(String args) {
        return Main.commandLine(List.of(args.split(" ")), problem -> {})
                .getSubcommands()
                .keySet();
    }

    @Test
    void theGlobalOptionsWithAValueAreKnown() {
        assertThat(CommandLine.Model.CommandSpec.forAnnotatedObject(new GlobalOptions()).options().stream()
                        .filter(option -> option.arity().max() > 0)
                        .flatMap(option -> Stream.of(option.names())))
                .containsExactlyInAnyOrderElementsOf(GlobalOptions.WITH_VALUE);
    }
}
