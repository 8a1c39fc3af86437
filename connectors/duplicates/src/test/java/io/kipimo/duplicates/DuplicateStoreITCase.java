package io.kipimo.duplicates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.redis.RedisSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisServer;

class DuplicateStoreITCase {
    private static final int PATIENCE_MILLIS = 2_000;

    private RedisServer redis;
    private RedisSettings settings;
    private DuplicateStore store;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        redis = RedisServer.newRedisServer()
                .bind("127.0.0.1")
                .port(freePort())
                .setting("save \"\"")
                .setting("dir " + directory)
                .build();
        redis.start();
        settings = RedisSettings.of("127.0.0.1", redis.ports().get(0));
        store = new DuplicateStore(settings, "log", PATIENCE_MILLIS);
    }

    @AfterEach
    void stop() throws IOException {
        store.close();
        redis.stop();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Optional<KeyWrite> put(String value) {
        return Optional.of(KeyWrite.put("k", bytes(value)));
    }

    private static String value(Optional<Version> version) {
        return new String(version.orElseThrow().value(), StandardCharsets.UTF_8);
    }

    @Test
    void writesTellWhatTheyFound() throws Exception {
        List<WriteResult> results = store.apply(
                0,
                List.of(
                        Optional.of(KeyWrite.create("k", bytes("a"))),
                        Optional.of(KeyWrite.create("k", bytes("b"))),
                        Optional.empty(),
                        put("c"),
                        Optional.of(KeyWrite.delete("k")),
                        Optional.of(KeyWrite.delete("k"))));

        assertThat(results).extracting(WriteResult::ticket).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
        assertThat(results).extracting(WriteResult::applied).containsExactly(true, false, false, true, true, false);
        assertThat(value(results.get(1).before())).isEqualTo("a");
        assertThat(results.get(3).before().orElseThrow().ticket()).isZero();
        assertThat(value(results.get(4).before())).isEqualTo("c");
        assertThat(results.get(5).before()).isEmpty();
        assertThat(store.lastTicket()).isEqualTo(5);
        assertThat(store.read("k")).isEqualTo(new ReadResult(5, Optional.empty()));
    }

    @Test
    void aGapIsRefusedAndChangesNothing() throws Exception {
        store.apply(0, List.of(put("a"), put("b")));

        for (long ticket : new long[] {0, 1, 3}) {
            assertThatThrownBy(() -> store.apply(ticket, List.of(put("x"))))
                    .isInstanceOfSatisfying(NotServingException.class, e -> assertThat(e.standing())
                            .isEqualTo(DuplicateStanding.GAP));
        }
        assertThat(value(store.read("k").version())).isEqualTo("b");
        assertThat(store.read("k").asOf()).isEqualTo(1);
        store.apply(2, List.of(put("c")));
        assertThat(value(store.read("k").version())).isEqualTo("c");
    }

    @Test
    void aStoreOfAnotherLogIsRefused() throws Exception {
        store.apply(0, List.of(put("a")));

        try (DuplicateStore other = new DuplicateStore(settings, "other", PATIENCE_MILLIS)) {
            assertThatThrownBy(other::lastTicket).hasMessage(DuplicateStanding.OTHER_LOG.inWords());
            assertThatThrownBy(() -> other.apply(1, List.of(put("b"))))
                    .hasMessage(DuplicateStanding.OTHER_LOG.inWords());
        }
    }

    @Test
    void keysAndValuesAreAnyBytes() throws Exception {
        byte[] value = new byte[256];
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) i;
        }
        store.apply(0, List.of(Optional.of(KeyWrite.put("é\u0000:x", value))));

        assertThat(store.read("é\u0000:x").version().orElseThrow().value()).isEqualTo(value);
        assertThat(store.read("é").version()).isEmpty();
    }
}
