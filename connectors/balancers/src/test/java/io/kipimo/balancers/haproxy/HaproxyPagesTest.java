package io.kipimo.balancers.haproxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.http.HostileClients;
import io.kipimo.http.PageServer;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The adapter's page and its answers to agent checks, under hostile clients. */
class HaproxyPagesTest {
    @Test
    void hostileClientsTakeNobodysTurn(@TempDir Path directory) throws Exception {
        KipimoConfig config = KipimoConfig.builder("shop", "haproxy-1", KafkaSettings.of("127.0.0.1:1"))
                .queryClass("low", ClassDefaults.ALL)
                .build();
        HaproxyAdapter.Enforced settings =
                HaproxyAdapter.Enforced.of(directory.resolve("no-socket").toString(), "/kipimo.map", List.of("low"));
        try (Kipimo kipimo = Kipimo.connect(config);
                HaproxyAdapter adapter = HaproxyAdapter.start(settings, c -> 1);
                PageServer page = HaproxyPage.start("127.0.0.1", 0, adapter, kipimo.admission(), List.of())) {
            HostileClients.attack(page.port(), "/metrics");
        }
    }

    @Test
    void aSlowQuestionDelaysNoOther() throws Exception {
        try (AgentCheck agent = AgentCheck.start("127.0.0.1", 0, Set.of("low"), c -> 0.25)) {
            List<Socket> slow = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                slow.add(open(agent.port(), "lo"));
            }
            assertThat(ask(agent.port(), "low\n")).isEqualTo("25%\n");
            assertThat(ask(agent.port(), "low shed\nrest")).isEqualTo("75%\n");
            assertThat(ask(agent.port(), "other\n")).isEqualTo("\n");
            assertThat(ask(agent.port(), "x".repeat(100_000))).isIn("\n", "");
            for (Socket socket : slow) {
                assertThat(readToEnd(socket)).as("after its second").isEqualTo("\n");
            }
        }
    }

    /** More than the server keeps open: all of them end, and the next ones are answered. */
    @Test
    void connectionsAreBoundedAndEnd() throws Exception {
        try (AgentCheck agent = AgentCheck.start("127.0.0.1", 0, Set.of("low"), c -> 0.25)) {
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < 600; i++) {
                silent.add(open(agent.port(), ""));
            }
            Awaitility.await().ignoreExceptionsInstanceOf(IOException.class).until(() -> ask(agent.port(), "low\n")
                    .equals("25%\n"));
            for (Socket socket : silent) {
                assertThat(readToEnd(socket)).isIn("\n", "");
            }
        }
    }

    private static Socket open(int port, String text) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(text.getBytes(US_ASCII));
        return socket;
    }

    private static String readToEnd(Socket socket) {
        try (socket) {
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }

    private static String ask(int port, String question) throws IOException {
        return readToEnd(open(port, question));
    }
}
