package io.kipimo.labs.demos.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.embedded.process.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tests of {@code clients/js}, by Node: the golden vectors, and the client over HTTP. */
class JavaScriptClientITCase {
    private static final int PATIENCE_SECONDS = 300;

    @Test
    void itsOwnTestsPass(@TempDir Path directory) throws Exception {
        Optional<Path> node = Stream.of("node", "nodejs")
                .flatMap(n -> Programs.find(n).stream())
                .findFirst();
        if (node.isEmpty()) {
            System.err.println("SKIPPED: no node here, so clients/js is not tested by it");
        }
        Assumptions.assumeTrue(node.isPresent(), "SKIPPED: no node on this machine");
        Path output = directory.resolve("output.log");
        Process tests = new ProcessBuilder(node.get().toString(), "--test", "test/")
                .directory(Path.of("../../clients/js").toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = tests.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            tests.destroyForcibly().waitFor();
        }
        String said = Files.readString(output);
        assertThat(ended).as(said).isTrue();
        assertThat(tests.exitValue()).as(said).isZero();
        assertThat(said).containsPattern("pass [1-9]").contains("fail 0");
    }
}
