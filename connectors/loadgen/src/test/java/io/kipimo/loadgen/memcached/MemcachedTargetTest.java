package io.kipimo.loadgen.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.loadgen.workload.Share;
import io.kipimo.loadgen.workload.Workload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Answers are those of memcached/doc/protocol.txt; a server of the test sends them, one for each line that it reads.
 */
class MemcachedTargetTest {
    /** Whether each of some commands was answered, on one connection unless it was closed. */
    private static List<Boolean> answered(String answer, int commands) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread serving = new Thread(() -> serve(server, answer.replace("\\n", "\r\n") + "\r\n"));
            serving.setDaemon(true);
            serving.start();
            MemcachedTarget target =
                    new MemcachedTarget("memcached://127.0.0.1:" + server.getLocalPort(), "mg k v", List.of(), 5_000);
            Workload workload = target.open(Share.WHOLE);
            List<Boolean> answered = new ArrayList<>();
            try (Workload.Session user = workload.session(0, 1)) {
                for (int i = 0; i < commands; i++) {
                    answered.add(!user.request().toCompletableFuture().get().failed());
                }
            }
            return answered;
        }
    }

    private static void serve(ServerSocket server, String answer) {
        while (true) {
            try {
                Socket socket = server.accept();
                Thread one = new Thread(() -> serve(socket, answer));
                one.setDaemon(true);
                one.start();
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void serve(Socket socket, String answer) {
        try (socket) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            while (in.readLine() != null) {
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            // The user left.
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "VA 2 t5 f0\\nhi",
                "VA 0\\n",
                "VA 6\\na\\nEN",
                "HD",
                "HD t-1",
                "EN",
                "NF",
                "NS",
                "EX",
                "MN",
                "ME ERROR exp=-1 la=3",
                "VALUE k 0 2\\nhi\\nEND",
                "VALUE a 0 1 7\\nx\\nVALUE b 0 0\\n\\nEND",
                "END",
                "STORED",
                "18446744073709551615",
                "VERSION 1.6.18",
                "STAT pid 1\\nSTAT uptime 2\\nEND"
            })
    void eachAnswerIsReadToItsEnd(String answer) throws Exception {
        assertThat(answered(answer, 3)).containsExactly(true, true, true);
    }

    @ParameterizedTest
    @CsvSource({
        "ERROR",
        "CLIENT_ERROR bad data chunk",
        "SERVER_ERROR out of memory storing object",
        "VA x",
        "VA 2\\nhigh",
        "hi",
        "VALUE k 0 2\\nhi\\nOK"
    })
    void anErrorAndWhatIsNoAnswerFail(String answer) throws Exception {
        assertThat(answered(answer, 2)).containsExactly(false, false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"set k 0 0 1 noreply\\n7", "mg k v q", "ms k 2 q T30\\nhi", "quit"})
    void aCommandWithoutAnAnswerIsRefused(String command) {
        assertThatThrownBy(() -> new MemcachedTarget("memcached://h", command, List.of(), 1_000))
                .hasMessageContaining("noreply");
    }

    /** Answers of the second would be taken for those of the next request. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "get a\\nget b",
                "mg a v\\nmn",
                "get a\\n\\nget b",
                "set k 0 0 3\\nhi",
                "set k 0 0 1\\nhi",
                "ms k 2",
                "set k 0 0\\nhi",
                "set k 0 0 2\\nhi\\nget k"
            })
    void moreOrLessThanOneCommandIsRefused(String command) {
        assertThatThrownBy(() -> new MemcachedTarget("memcached://h", command, List.of(), 1_000))
                .hasMessageContaining("allowed: one command");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "set k{user} 0 0 2\\nhi",
                "set k 0 0 2\\r\\nhi\\r\\n",
                "set k 0 0 4\\na\\nb",
                "ms k 3 T30\\n\u00e9!",
                "get k\\n",
                "{recorded}"
            })
    void oneCommandIsAccepted(String command) {
        assertThat(new MemcachedTarget("memcached://h", command, List.of(), 1_000))
                .isNotNull();
    }

    @Test
    void aLineWithoutAnAnswerIsRefused() {
        assertThatThrownBy(() -> new MemcachedTarget("memcached://h", "{line}", List.of("get a", "mg k v q"), 1_000))
                .hasMessageContaining("'mg k v q'");
    }

    /** Each byte comes within the time-out of a read. */
    @Test
    @Timeout(30)
    void anAnswerThatDribblesFailsAtItsDeadline() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread serving = new Thread(() -> dribble(server));
            serving.setDaemon(true);
            serving.start();
            MemcachedTarget target =
                    new MemcachedTarget("memcached://127.0.0.1:" + server.getLocalPort(), "get k", List.of(), 100);
            try (Workload.Session user = target.open(Share.WHOLE).session(0, 1)) {
                assertThat(user.request().toCompletableFuture().get().failed()).isTrue();
            }
        }
    }

    private static void dribble(ServerSocket server) {
        try {
            // The first one only tries whether the server is there.
            server.accept().close();
            try (Socket socket = server.accept()) {
                socket.getOutputStream().write("VALUE k 0 1000000\r\n".getBytes(StandardCharsets.UTF_8));
                while (true) {
                    socket.getOutputStream().write('x');
                    TimeUnit.MILLISECONDS.sleep(1);
                }
            }
        } catch (IOException | InterruptedException e) {
            // The user left.
        }
    }

    @Test
    void aKeyMayBeNamedAsAFlag() {
        assertThat(new MemcachedTarget("memcached://h", "get q", List.of(), 1_000))
                .isNotNull();
    }
}
