package io.kipimo.embedded.redis;

import static io.kipimo.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kipimo.embedded.process.Await;
import io.kipimo.embedded.process.ChildProcess;
import io.kipimo.embedded.process.ForeignProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrphanedRedisTest {

    /** A program with a Redis, which waits to be killed. */
    public static final class Owner {
        private Owner() {}

        public static void main(String[] arguments) throws Exception {
            EmbeddedRedis redis = EmbeddedRedis.start();
            Files.writeString(Path.of(arguments[0]), redis.port() + "\n");
            Thread.currentThread().join();
        }
    }

    @Test
    void redisEndsWithTheJvmEvenIfThatIsKilled(@TempDir Path directory) throws Exception {
        assumeTrue(EmbeddedRedis.isAvailable(), "SKIPPED: no Redis runs on this machine");
        Path said = directory.resolve("port");
        try (ChildProcess owner = ChildProcess.start(
                Owner.class, List.of("-Xmx64m"), List.of(said.toString()), directory.resolve("log"))) {
            owner.awaitReady("Redis", () -> port(said) > 0, PATIENCE);
            assertThat(ForeignProcess.listens(port(said))).isTrue();

            owner.kill();

            Await.until(() -> !ForeignProcess.listens(port(said)), PATIENCE, () -> "Redis is an orphan");
        }
    }

    /** 0: not written yet. */
    private static int port(Path said) {
        try {
            String text = Files.exists(said) ? Files.readString(said) : "";
            return text.endsWith("\n") ? Integer.parseInt(text.trim()) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
