package io.kipimo.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program that checks files of its own language. */
record ExternalTool(String name) {
    /** Exit code and output of a run. */
    record Result(int exitCode, String output) {}

    /** Runs it; skips the test if the program is not in PATH. */
    Result run(String... arguments) throws Exception {
        Optional<Path> tool = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
        if (tool.isEmpty()) {
            System.err.println("SKIPPED: no " + name + " in PATH");
        }
        assumeTrue(tool.isPresent(), "no " + name + " in PATH");
        List<String> words = Stream.concat(Stream.of(tool.get().toString()), Stream.of(arguments))
                .toList();
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Result(process.exitValue(), output);
    }

    /** Output of a run that must succeed. */
    String output(String... arguments) throws Exception {
        Result result = run(arguments);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }
}
