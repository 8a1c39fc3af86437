package io.kipimo.engines;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Passes requests on to a server and can lose the responses: the server has done its work, and the caller sees a
 * connection that breaks off.
 */
final class BreakingProxy implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int target;

    /** Methods and targets of all requests. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    volatile boolean losesResponses;

    /** How long a response takes longer. */
    volatile int delayMillis;

    /** @param target port of the server */
    BreakingProxy(int target) throws IOException {
        this.target = target;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::pass);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void pass(HttpExchange exchange) throws IOException {
        int delay = delayMillis;
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        byte[] body = exchange.getRequestBody().readAllBytes();
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + target + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
        for (String name : List.of("Content-Type", "Accept-Encoding", "X-Trace-Id")) {
            String value = exchange.getRequestHeaders().getFirst(name);
            if (value != null) {
                request.header(name, value);
            }
        }
        HttpResponse<byte[]> response;
        try {
            response = http.send(request.build(), BodyHandlers.ofByteArray());
            TimeUnit.MILLISECONDS.sleep(delay);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        if (!losesResponses) {
            response.headers().firstValue("Content-Encoding").ifPresent(coding -> exchange.getResponseHeaders()
                    .set("Content-Encoding", coding));
            exchange.sendResponseHeaders(response.statusCode(), response.body().length);
            exchange.getResponseBody().write(response.body());
        }
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }
}
