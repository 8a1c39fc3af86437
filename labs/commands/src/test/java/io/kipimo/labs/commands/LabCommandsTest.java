package io.kipimo.labs.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LabCommandsTest {
    @TempDir
    private Path directory;

    private static String run(String... args) {
        StringWriter out = new StringWriter();
        CommandLine command = Main.commandLine().setOut(new PrintWriter(out, true));
        assertThat(command.execute(args)).isZero();
        return out.toString();
    }

    @Test
    void anUnknownExperimentIsBadInput() {
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine().setErr(new PrintWriter(err, true));

        assertThat(command.execute("reproduce", "no-such-figure")).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().startsWith("kipimo: ");
    }

    /** They are options of the product's commands, found on the class path. */
    @Test
    void rateAndLoadgenHaveTheOptionsOfTheSocialWorkload() {
        for (String command : new String[] {"rate", "loadgen"}) {
            assertThat(run(command, "--help")).contains("--members", "--zipf", "--state", "--connections");
        }
    }

    @Test
    void optionsOfTheSocialWorkloadAreChecked() {
        assertThat(refusal("--mix", "medium")).contains("mix is 'medium'; allowed: very-low");
        assertThat(refusal("--state", "undo")).contains("state is 'undo'; allowed: reload");
        assertThat(refusal("--mix", "bg-low"))
                .contains("mix is 'bg-low'; allowed with load-free: one whose writes negate");
        assertThat(refusal("--friends", "7")).contains("friends is 7; allowed: even");
        assertThat(refusal("--zipf", "2")).contains("zipf is 2.0; allowed: 0..1");
        assertThat(refusal()).as("nobody is there").contains("127.0.0.1:1");
    }

    private static String refusal(String... options) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command =
                Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        List<String> words = new ArrayList<>(List.of("rate", "--target=redis://:canary@127.0.0.1:1", "--sla=p95<=5ms"));
        words.addAll(List.of(options));

        assertThat(command.execute(words.toArray(String[]::new))).isEqualTo(2);
        assertThat(err + out.toString()).doesNotContain("canary");
        return err.toString();
    }

    @Test
    void experimentsAreListed() {
        assertThat(run("reproduce", "--list"))
                .contains("ubora-figure-11", "spare-figure-6", "zoolander-figure-8")
                .contains("quaestor-figure-11", "rating-table-3");
    }

    @Test
    void experiment_asTable_jsonAndPage() throws IOException {
        Path page = directory.resolve("figure.html");

        String table = run("reproduce", "ubora-figure-6", "--html", page.toString());
        String json = run("reproduce", "ubora-figure-6", "--json");

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
