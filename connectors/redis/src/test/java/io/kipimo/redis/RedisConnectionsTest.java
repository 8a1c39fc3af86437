package io.kipimo.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.core.stale.FilterShape;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One address, which leads new connections to a new master; the first one stays with the former master. */
class RedisConnectionsTest {
    private final AtomicInteger connections = new AtomicInteger();
    private volatile String formerMaster = "";
    private ServerSocket server;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread accepting = new Thread(() -> {
            try {
                while (true) {
                    Socket client = server.accept();
                    boolean isFormer = connections.incrementAndGet() == 1;
                    Thread serving = new Thread(() -> serve(client, isFormer));
                    serving.setDaemon(true);
                    serving.start();
                }
            } catch (IOException e) {
                // The test is over.
            }
        });
        accepting.setDaemon(true);
        accepting.start();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    /** Answers each command, which has a {@code ZADD} or sets up the connection. */
    private void serve(Socket client, boolean isFormer) {
        byte[] buffer = new byte[1 << 16];
        try (client) {
            InputStream in = client.getInputStream();
            OutputStream out = client.getOutputStream();
            for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
                String text = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
                StringBuilder answers = new StringBuilder();
                for (String command : text.split("(?=\\*\\d+\\r\\n)")) {
                    answers.append(
                            !command.contains("ZADD") ? "+OK\r\n" : isFormer ? "-" + formerMaster + "\r\n" : ":1\r\n");
                }
                out.write(answers.toString().getBytes(StandardCharsets.ISO_8859_1));
            }
        } catch (IOException e) {
            // The client has gone.
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "READONLY You can't write against a read only replica.",
                "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
                "ERR Error running script: @user_script:1: -READONLY You can't write against a read only replica.",
            })
    void aConnectionToAFormerMasterIsGivenUp(String answer) {
        formerMaster = answer;
        RedisSettings settings = new RedisSettings("127.0.0.1", server.getLocalPort(), "", "", "", false);
        try (RedisStaleKeys keys = RedisStaleKeys.at(settings, "shop/things", FilterShape.ONE_ROUND_TRIP, 60_000)) {
            assertThatThrownBy(() -> keys.reportRead("a", 1_000, 0)).isInstanceOf(RedisUnavailableException.class);
            keys.reportRead("a", 1_000, 0);
            assertThat(connections).hasValue(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = "OOM command not allowed when used memory > 'maxmemory'.")
    void otherErrorsKeepTheConnection(String answer) {
        formerMaster = answer;
        RedisSettings settings = new RedisSettings("127.0.0.1", server.getLocalPort(), "", "", "", false);
        try (RedisStaleKeys keys = RedisStaleKeys.at(settings, "shop/things", FilterShape.ONE_ROUND_TRIP, 60_000)) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> keys.reportRead("a", 1_000, 0)).isInstanceOf(RedisUnavailableException.class);
            }
            assertThat(connections).hasValue(1);
        }
    }
}
