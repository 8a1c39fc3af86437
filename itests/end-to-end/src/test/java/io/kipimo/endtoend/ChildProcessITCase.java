package io.kipimo.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kipimo.embedded.process.ChildProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessITCase {
    private static final Pattern PID = Pattern.compile("grandchild (\\d+)");

    @Test
    void childEndsWhenItsParentIsKilled(@TempDir Path directory) {
        Path log = directory.resolve("parent.log");
        try (ChildProcess parent = ChildProcess.start(
                Parent.class,
                List.of("-Xmx32m"),
                List.of(directory.resolve("child.log").toString()),
                log)) {
            long pid =
                    await().until(() -> grandchild(parent), Optional::isPresent).orElseThrow();
            assertThat(ProcessHandle.of(pid)).isPresent();

            parent.kill();

            await().until(() ->
                    ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
        }
    }

    private static Optional<Long> grandchild(ChildProcess parent) {
        Matcher matcher = PID.matcher(parent.output());
        return matcher.find() ? Optional.of(Long.valueOf(matcher.group(1))) : Optional.empty();
    }

    /** Starts a child process of its own and waits for ever. */
    public static final class Parent {
        private Parent() {}

        public static void main(String[] args) throws InterruptedException {
            ChildProcess child = ChildProcess.start(Idle.class, List.of("-Xmx32m"), List.of(), Path.of(args[0]));
            System.out.println("grandchild " + child.pid());
            Idle.main(args);
        }
    }

    /** Waits for ever. */
    public static final class Idle {
        private Idle() {}

        public static void main(String[] args) throws InterruptedException {
            new CountDownLatch(1).await();
        }
    }
}
