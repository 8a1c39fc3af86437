package io.kipimo.embedded.process;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForeignProcessTest {
    private static final String AFTER = " after \\d+ s(, at load [\\d.]+ on \\d+ processors)?; it said";

    @TempDir
    private Path directory;

    private void start(String script) throws IOException {
        ForeignProcess.start(List.of("/bin/sh", "-c", script), FreePorts.one(), directory.resolve("log"))
                .close();
    }

    @Test
    void aServerThatEndsSaysWhichAfterHowLongTheLoadAndItsLastLines() {
        assertThatThrownBy(() -> start("echo no such option; exit 3"))
                .isInstanceOf(IOException.class)
                .hasMessageMatching("/bin/sh ended with code 3" + AFTER + ":\nno such option");
        assertThatThrownBy(() -> start("i=0; while [ $i -lt 25 ]; do i=$((i+1)); echo line $i; done; exit 1"))
                .hasMessageContaining("it said, after 5 other lines:\nline 6\n")
                .hasMessageEndingWith("\nline 25");
        assertThatThrownBy(() -> start("exit 1")).hasMessageEndingWith("it said nothing");
    }

    @Test
    void aServerThatIsNotReadySaysSo() throws Exception {
        Path log = directory.resolve("log");
        Process server = new ProcessBuilder("/bin/sh", "-c", "echo loading; exec sleep 60")
                .redirectOutput(log.toFile())
                .start();
        try {
            Await.until(() -> log.toFile().length() > 0, PATIENCE, () -> "it says nothing");
            assertThatThrownBy(() -> ChildProcess.awaitReady("the server", server, log, () -> false, Duration.ZERO))
                    .hasMessageMatching("the server is not ready" + AFTER + ":\nloading");
        } finally {
            server.destroy();
        }
    }
}
