package io.kipimo.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisSettingsTest {
    @Test
    void everyProblemIsNamedAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RedisSettings("a b", 0, "me", "", "", false))
                .withMessageContaining("host is 'a b'")
                .withMessageContaining("port is 0")
                .withMessageContaining("user is 'me' without a password");
    }

    @Test
    void passwordComesFromItsFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("password"), "canary\n");
        RedisSettings settings = new RedisSettings("localhost", 6379, "me", file.toString(), "", false);
        assertThat(settings.password(name -> null)).contains("canary");
        assertThat(settings.toString()).doesNotContain("canary");
    }

    @Test
    void passwordComesFromItsVariable() {
        RedisSettings settings = new RedisSettings("localhost", 6379, "", "", "REDIS_PASSWORD", false);
        assertThat(settings.password(name -> name + "-value")).contains("REDIS_PASSWORD-value");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.password(name -> null))
                .withMessageContaining("REDIS_PASSWORD");
    }

    @Test
    void withoutPasswordThereIsNone() {
        assertThat(RedisSettings.of("localhost", 6379).password(name -> "x")).isEmpty();
    }
}
