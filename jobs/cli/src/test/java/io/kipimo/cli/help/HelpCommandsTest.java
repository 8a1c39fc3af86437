package io.kipimo.cli.help;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kipimo.cli.CommandRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HelpCommandsTest {
    @TempDir
    private Path directory;

    private static String output(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        return text;
    }

    @Test
    void bashCompletesCommandsAndOptions() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
        Path script = Files.writeString(
                directory.resolve("c"), CommandRun.of("completion").out());
        String ask = "source "
                + script
                + "; COMP_WORDS=(kipimo %s); COMP_CWORD=%d; _complete_kipimo; echo \"${COMPREPLY[@]}\"";

        assertThat(output(List.of("/bin/bash", "-c", ask.formatted("do", 1)))).contains("doctor");
        assertThat(output(List.of("/bin/bash", "-c", ask.formatted("gate --allo", 2))))
                .contains("--allowed-drop");
    }

    @Test
    void everyCommandHasAManPage() throws IOException {
        Path pages = directory.resolve("man1");
        CommandRun run = CommandRun.of("man", pages.toString());

        assertThat(run.exitCode()).as("%s", run).isZero();
        assertThat(run.out()).endsWith(" pages in " + pages + "\n");
        try (Stream<Path> files = Files.list(pages)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains("kipimo.1", "kipimo-gate.1", "kipimo-policy-set.1")
                    .doesNotContain("kipimo-help.1");
        }
        assertThat(Files.readString(pages.resolve("kipimo-gate.1")))
                .startsWith(".TH \"KIPIMO-GATE\" \"1\"\n.SH \"NAME\"\n")
                .contains("95 % interval", ".SH \"EXAMPLES\"", "\\-\\-allowed\\-drop=QUALITY");
    }

    @Test
    void manCanReadThePages() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/groff")), "no groff");
        CommandRun.of("man", directory.toString());

        try (Stream<Path> files = Files.list(directory)) {
            for (Path page : files.toList()) {
                assertThat(output(List.of("/usr/bin/groff", "-man", "-ww", "-z", page.toString())))
                        .isEmpty();
            }
        }
    }

    @Test
    void aDirectoryThatCannotBeWrittenIsRefused() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");
        CommandRun run = CommandRun.of("man", file.resolve("man1").toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("kipimo: DIRECTORY ").contains("cannot be written");
    }
}
