package io.kipimo.duplicates;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConnectionLimitTest {
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private HttpServer server;

    @BeforeEach
    void start() {
        server =
                vertx.createHttpServer()
                        .connectionHandler(new ConnectionLimit(2))
                        .requestHandler(request -> request.response().end())
                        .listen(0, "127.0.0.1")
                        .toCompletionStage()
                        .toCompletableFuture()
                        .join();
    }

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.actualPort());
        socket.setSoTimeout(10_000);
        return socket;
    }

    /** Whether a request on the connection gets a response. */
    private static boolean isServed(Socket socket) {
        try {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII));
            byte[] head = socket.getInputStream().readNBytes("HTTP/1.1 200 OK".length());
            socket.getInputStream().skip(socket.getInputStream().available());
            return new String(head, US_ASCII).equals("HTTP/1.1 200 OK");
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void connectionsBeyondTheLimitAreClosedUntilOthersEnd() throws Exception {
        try (Socket first = connect();
                Socket second = connect()) {
            assertThat(isServed(first)).isTrue();
            assertThat(isServed(second)).isTrue();
            for (int i = 0; i < 3; i++) {
                try (Socket third = connect()) {
                    assertThat(isServed(third)).isFalse();
                }
            }
        }
        // The server notices the two closed connections before or soon after it accepts the next
        // ones.
        await("a connection is served after others ended")
                .until(
                        () -> {
                            try (Socket later = connect()) {
                                return isServed(later);
                            }
                        });
    }
}
