package io.kipimo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each of these inputs gives exit code 2 and a line that helps the user. */
class BadInputTest {
    /** Names of exceptions and of a parser's internals. */
    private static final Pattern INTERNAL =
            Pattern.compile("[A-Z]\\w*(Exception|Error)\\b|REDACTED|StreamReadConstraints|\\tat ");

    private static final String NOBODY = "127.0.0.1:1";

    @TempDir
    private static Path files;

    @BeforeAll
    static void write() throws IOException {
        String policy = shipped("policy/example.yaml");
        String gateway = shipped("gateway/example.yaml");
        write("empty", "");
        write("two", policy + "\n---\n" + policy);
        write("gateway-two", gateway + "\n---\n" + gateway);
        write("gateway-broken", gateway + "\n bad: [\n");
        write("scenario-two", "name: x\n---\nname: y\n");
        write("unprotected", policy.replace("priority: 0", "priority: 1"));
        write("twice", policy + "\nservice: other\n");
        write("broken", policy + "\n  bad: [\n");
        write("long", policy + "# " + "x".repeat(10_000_000) + "\n");
        write("many", policy + "k: 1\n".repeat(2_000_000));
        write("deep", "a: " + "[".repeat(5_000));
        write("lines", "x".repeat(20_000_000));
        write("trec", "q1 Q0 d1 1 0.5 t\n");
        write("trec-json", "q1 Q0 d1 1 0.5 t\n{\"qid\":\"q2\",\"items\":[]}\n");
        write("json-trec", "{\"qid\":\"q2\",\"items\":[]}\nq1 Q0 d1 1 0.5 t\n");
        write("json-twice", "{\"qid\":\"q2\",\"qid\":\"q3\",\"items\":[]}\n");
        write("cut", "{\n");
        write("nested", "{\"a\":".repeat(3_000));
        write("unknown", "{\"zzz\":1}\n");
        Files.write(files.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
    }

    private static void write(String name, String text) throws IOException {
        Files.writeString(files.resolve(name), text);
    }

    private static String shipped(String name) {
        try (InputStream in = Main.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "policy set @long | long: is too long; allowed: 1048576 characters",
                "policy set @many | many: is too long",
                "policy set @two | goes on after its end; allowed: one document",
                "policy set @unprotected | classes: none has priority 0; allowed: at least one",
                "policy set @twice | Duplicate field 'service'",
                "policy set @broken | while parsing a flow node",
                "policy set @deep | nesting depth",
                "policy set @empty | empty: is empty",
                "policy set @binary | binary: is not UTF-8 text",
                "policy set @missing | missing: no such file",
                "policy set @. | cannot be read: Is a directory",
                "gateway --check --config @gateway-two | column 1: goes on after its end",
                "gateway --check --config @gateway-broken | , column 2: the file is not YAML",
                "gateway --check --config @long | is too long",
                "gateway --check --config @deep | nesting depth",
                "gateway --check --config @binary | is not UTF-8 text",
                "simulate @scenario-two | line 3, column 1: goes on after its end",
                "simulate @deep | nesting depth",
                "simulate @long | is too long",
                "score --metrics tpr@10 --online @trec --mature @trec-json | trec-json:2: is JSON, and lines before it are TREC",
                "score --metrics tpr@10 --online @trec --mature @json-trec | json-trec:2: is TREC, and lines before it are JSON",
                "score --metrics tpr@10 --online @trec --mature @json-twice | Duplicate field 'qid'",
                "score --metrics tpr@10 --online @trec --mature @lines | a line is longer than",
                "gate --class high --objective 0.9 --measurements @cut | cut:1: is none: Unexpected end-of-input",
                "gate --class high --objective 0.9 --measurements @nested | nesting depth",
                "gate --class high --objective 0.9 --measurements @unknown | Cannot find field: zzz",
                "gate --class high --objective 0.9 --measurements @lines | a line is longer than",
                "predict --tau 5 --duplicates 1 --samples @lines | a line is longer than",
                "deadline --class high --metric tpr@10 --answers @cut --partials @cut | cut:1: is none",
                "rate --target http://127.0.0.1:1/ --sla p95<=5ms --lines @empty | empty: has no lines",
                "rate --target http://127.0.0.1:1/ --sla p95<=5ms --lines @binary | is not UTF-8 text",
                "console --port 0 --token-file @missing | missing: no such file",
                "console --port 0 --login-header X-User --trusted-proxy proxy | --trusted-proxy is 'proxy'; allowed: an address or a range",
                "console --port 0 --trusted-proxy 10.0.0.7 | --trusted-proxy is there without --login-header",
                "console --port 0 --login-header X-User | --login-header is there without --trusted-proxy; allowed: both or none",
                "console --port 0 --login-header Cookie --trusted-proxy 10.0.0.7 | login header is 'Cookie'; allowed:",
                "schema polizy | schema is 'polizy'; allowed: policy, gateway, otlp, contexts, scenario"
            })
    void aFileThatCannotBeUsedIsRefusedByName(String command, String told) {
        refused(command, told);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gate --class high --measurements @missing --objective 1.5 | objective is 1.5; allowed: 0..1",
                "gate --class high --measurements @missing --objective NaN | objective is NaN; allowed: 0..1",
                "gate --class high --measurements @missing --objective -1 | objective is -1.0; allowed: 0..1",
                "gate --class high --measurements @missing --objective 0.9 --allowed-drop NaN | allowed drop is NaN",
                "gate --class high --measurements @missing --objective 0.9 --minimum-samples 0 | minimum samples are 0",
                "gate --class high --measurements @missing --objective 0.9 --metric nothing | similarity is 'nothing'",
                "gate --class high --measurements @missing --objective 0.9 --from yesterday | --from is 'yesterday'",
                "gate --class high --measurements @missing | --objective is needed",
                "whatif --events @missing --policy @missing --since 0s | --since is '0s'",
                "whatif --events @missing --policy @missing --lag x | --lag is 'x'",
                "profile --config @missing --queries @missing --per-second NaN | queries a second are NaN",
                "profile --config @missing --queries @missing --per-second 5 --rates 2 | sampling rate is 2.0",
                "score --online @missing --mature @missing --metrics nothing@1 | similarity is 'nothing@1'",
                "deadline --class high --answers @missing --partials @missing --metric tpr@10 --objective NaN | --objective is NaN",
                "console --port -1 | port is -1",
                "console --port 0 --public-url https://kipimo.example | there is no token"
            })
    void optionsAreCheckedBeforeFilesAreRead(String command, String told) {
        refused(command, told);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "p0<=50ms",
                "p0.0<=50ms",
                "p95<=50ms,p95<=60ms",
                "p95<=50ms,p99<=60ms",
                "p95<=50ms,errors<=1%,errors<=2%",
                "p95<=50ms,quality>=0.9,quality>=0.8",
                "p95<=50ms,for=60s,for=30s",
                "p95<=0ms",
                "quality>=0.9"
            })
    void anAgreementHasEachTermOnce(String agreement) {
        refused("rate --target http://127.0.0.1:1/ --sla " + agreement, "--sla is '" + agreement);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rate --model quadratic --rating NaN | rating is NaN",
                "rate --model quadratic --rating -1 | rating is -1.0",
                "rate --model quadratic --rating Infinity | rating is Infinity",
                "rate --model quadratic --rating 1e300 | rating is 1.0E300",
                "rate --model quadratic --rating 100 --limit 0 | --limit is 0; allowed: at least 1",
                "rate --model quadratic --rating 100 --noise NaN | noise is NaN",
                "rate --model quadratic --rating 100 --climb 1001 | climb is 1001",
                "plan --samples @trec --tau 5 --service-level 0.9 --arrival-rate 5 --max-servers 0 | --max-servers is 0",
                "collision --servers 0 --factors 1 | --servers has 0",
                "console --port x | 'x' is not an int",
                "console --port 0 --public-url ftp://x | public URL is 'ftp://x'",
                "console --port 0 --public-url https:// | for option '--public-url'"
            })
    void aFigureOutOfRangeIsRefusedByName(String command, String told) {
        refused(command, told);
    }

    /** Checked before brokers are contacted; there is none here. */
    @Test
    void marksAndLineEndsOfOtherSystemsAreRead() throws IOException {
        write("marked", "\ufeff" + shipped("policy/example.yaml").replace("\n", "\r\n"));
        assertThat(run("policy set @marked").err()).contains("Kafka at " + NOBODY);
    }

    @Test
    void ofManyProblemsTheFirstAreReported() throws IOException {
        StringBuilder fields = new StringBuilder(shipped("policy/example.yaml"));
        for (int i = 0; i < 5_000; i++) {
            fields.append('k').append(i).append(": 1\n");
        }
        write("fields", fields.toString());
        CommandRun run = run("policy set @fields");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err().lines()).hasSizeLessThan(50);
        assertThat(run.err()).contains("and 4970 more");
    }

    private void refused(String command, String told) {
        CommandRun run = run(command);
        assertThat(run.err()).contains(told).doesNotContainPattern(INTERNAL);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
    }

    /** An argument that begins with @ names a file of this test. */
    private CommandRun run(String command) {
        String[] words = Arrays.stream((command + brokers(command)).split(" "))
                .map(w -> w.startsWith("@") ? files.resolve(w.substring(1)).toString() : w)
                .toArray(String[]::new);
        return CommandRun.of(words);
    }

    private static String brokers(String command) {
        return command.startsWith("policy") ? " --bootstrap-servers " + NOBODY : "";
    }
}
