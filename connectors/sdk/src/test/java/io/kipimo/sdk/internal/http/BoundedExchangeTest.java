package io.kipimo.sdk.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that sends a head, and then a byte now and then, for ever. */
class BoundedExchangeTest {
    private final HttpClient http = HttpClient.newHttpClient();
    private final CountDownLatch closed = new CountDownLatch(1);
    private ServerSocket server;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private HttpRequest serve(String head, int pauseMillis, byte[] piece) {
        Thread thread = new Thread(() -> {
            try (Socket client = server.accept()) {
                OutputStream out = client.getOutputStream();
                out.write(head.getBytes(StandardCharsets.US_ASCII));
                while (true) {
                    out.write(piece);
                    out.flush();
                    TimeUnit.MILLISECONDS.sleep(pauseMillis);
                }
            } catch (IOException | InterruptedException e) {
                closed.countDown();
            }
        });
        thread.setDaemon(true);
        thread.start();
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getLocalPort() + "/"))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    @Test
    @Timeout(30)
    void aBodyThatDribblesEndsAtTheDeadlineAndLosesItsConnection() throws Exception {
        HttpRequest request = serve("HTTP/1.1 200 OK\r\n\r\n", 5, new byte[] {'x'});
        BoundedExchange exchange = new BoundedExchange(http, Duration.ofMillis(200), 1 << 20);
        assertThatThrownBy(() -> exchange.send(request, BodyHandlers.ofByteArray()))
                .isInstanceOf(HttpTimeoutException.class)
                .hasMessage("no whole answer within 200 ms");
        closed.await();
    }

    @Test
    @Timeout(30)
    void aHeadThatDribblesEndsToo() throws Exception {
        HttpRequest request = serve("HTTP/1.1 200 OK\r\nX: ", 5, new byte[] {'x'});
        BoundedExchange exchange = new BoundedExchange(http, Duration.ofMillis(200), 1 << 20);
        assertThatThrownBy(() -> exchange.send(request, BodyHandlers.discarding()))
                .isInstanceOf(HttpTimeoutException.class);
        closed.await();
    }

    @Test
    @Timeout(30)
    void aBodyThatIsTooLargeEnds() throws Exception {
        HttpRequest request = serve("HTTP/1.1 200 OK\r\n\r\n", 0, new byte[10_000]);
        BoundedExchange exchange = new BoundedExchange(http, Duration.ofSeconds(20), 1_000_000);
        assertThatThrownBy(() -> exchange.send(request, BodyHandlers.ofByteArray()))
                .isInstanceOf(IOException.class)
                .hasMessage("the body is larger than 1000000 bytes");
        closed.await();
    }

    @Test
    @Timeout(30)
    void aRequestMayHaveItsOwnTimeAndACancelledOneLosesItsConnection() throws Exception {
        HttpRequest request = serve("HTTP/1.1 200 OK\r\n\r\n", 5, new byte[] {'x'});
        BoundedExchange exchange = new BoundedExchange(http, Duration.ofMillis(1), 1 << 20);
        CountDownLatch begun = new CountDownLatch(1);
        var answer = exchange.sendAsync(
                HttpRequest.newBuilder(request, (name, value) -> true)
                        .timeout(Duration.ofMinutes(1))
                        .build(),
                head -> {
                    begun.countDown();
                    return BodyHandlers.ofString().apply(head);
                });
        begun.await();
        assertThat(answer).isNotDone();
        answer.cancel(true);
        closed.await();
    }
}
