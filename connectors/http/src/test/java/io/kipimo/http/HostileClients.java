package io.kipimo.http;

import static io.kipimo.testing.Patience.PATIENCE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Clients of a small page that do what no other client may suffer from. */
public final class HostileClients implements AutoCloseable {
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    private final int port;
    private final List<Socket> sockets = new ArrayList<>();

    private HostileClients(int port) {
        this.port = port;
    }

    /**
     * Attacks a server in several ways, and checks that a page is answered within a second meanwhile. A machine that is
     * busy may need more than one second once, so it may try again.
     *
     * @param path of a page that answers 200
     */
    public static void attack(int port, String path) throws Exception {
        try (HostileClients clients = new HostileClients(port)) {
            clients.mustAnswer(path, "before the attack");
            String half = "GET " + path + " HTTP/1.1\r\nHost: a\r\nX-A: ";
            for (int i = 0; i < 20; i++) {
                clients.open(half);
            }
            clients.mustAnswer(path, "during half-sent requests");
            for (int i = 0; i < 20; i++) {
                clients.open("GET " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx");
                clients.open("POST " + path + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nx");
            }
            clients.mustAnswer(path, "during half-sent bodies");
            List<Socket> slow = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                slow.add(clients.open("G"));
            }
            for (int turn = 0; turn < 5; turn++) {
                for (Socket socket : slow) {
                    send(socket, "ET / HTTP/1.1".substring(turn, turn + 1));
                }
                clients.mustAnswer(path, "during slow heads");
            }
            for (int i = 0; i < 1_000; i++) {
                clients.open("");
            }
            clients.mustAnswer(path, "with 1,000 idle connections");
            for (int i = 0; i < 10; i++) {
                clients.open("GET " + path + " HTTP/1.1\r\nX: " + "a".repeat(1 << 20));
                clients.open("GET /" + "a".repeat(1 << 20));
            }
            clients.mustAnswer(path, "during huge heads");
            for (int i = 0; i < 50; i++) {
                clients.open(("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").repeat(100));
            }
            clients.mustAnswer(path, "with clients that pipeline and do not read");
        }
    }

    private Socket open(String text) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(socket);
        send(socket, text);
        return socket;
    }

    private static void send(Socket socket, String text) {
        try {
            socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        } catch (IOException e) {
            // The server closed the connection, as it may.
        }
    }

    private void mustAnswer(String path, String when) {
        await(when)
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> answer(path).startsWith("HTTP/1.1 200 "));
    }

    private String answer(String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) AT_ONCE.toMillis());
            send(socket, "GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            return new String(socket.getInputStream().readNBytes(13), ISO_8859_1);
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
