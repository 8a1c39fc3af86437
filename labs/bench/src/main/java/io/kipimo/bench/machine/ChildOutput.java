package io.kipimo.bench.machine;

import io.kipimo.embedded.process.ChildProcess;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Waits for output of a child process. */
final class ChildOutput {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private ChildOutput() {}

    /** Waits until a child's output matches a pattern. Returns the first group of the first match. */
    static String await(ChildProcess child, Pattern pattern) {
        AtomicReference<Matcher> found = new AtomicReference<>();
        child.awaitReady(
                "a child process",
                () -> {
                    found.set(pattern.matcher(child.output()));
                    return found.get().find();
                },
                PATIENCE);
        return found.get().group(1);
    }
}
