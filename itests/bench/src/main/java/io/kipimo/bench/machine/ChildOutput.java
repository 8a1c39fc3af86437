package io.kipimo.bench.machine;

import io.kipimo.harness.process.ChildProcess;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Waits for output of a child process. */
final class ChildOutput {
    private static final long PATIENCE_MILLIS = 60_000;
    private static final long POLL_MILLIS = 20;

    private ChildOutput() {}

    /** The first group of the first match in a child's output. */
    static String await(ChildProcess child, Pattern pattern) {
        for (long waited = 0; waited < PATIENCE_MILLIS && child.isAlive(); waited += POLL_MILLIS) {
            Matcher found = pattern.matcher(child.output());
            if (found.find()) {
                return found.group(1);
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        throw new IllegalStateException("a child process does not start: " + child.output());
    }
}
