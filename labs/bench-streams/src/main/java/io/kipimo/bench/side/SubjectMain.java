package io.kipimo.bench.side;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * Main class of a side's JVM. Its argument is the name of the {@link BenchmarkSubject}'s class. It prints its port and
 * takes one {@link SideRequest} after the other.
 */
public final class SubjectMain {
    /** Text before the port in the first line of output. */
    public static final String LISTENS = "side listens on ";

    private static final ObjectMapper JSON = new ObjectMapper();

    private SubjectMain() {}

    public static void main(String[] args) throws Exception {
        BenchmarkSubject side = Class.forName(args[0])
                .asSubclass(BenchmarkSubject.class)
                .getDeclaredConstructor()
                .newInstance();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/run", exchange -> run(side, exchange));
        server.start();
        System.out.println(LISTENS + server.getAddress().getPort());
    }

    private static void run(BenchmarkSubject side, HttpExchange exchange) throws IOException {
        int status = 200;
        byte[] body;
        try {
            SideRequest request = JSON.readValue(exchange.getRequestBody(), SideRequest.class);
            body = JSON.writeValueAsBytes(side.run(request));
        } catch (Exception e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            status = 500;
            body = trace.toString().getBytes(StandardCharsets.UTF_8);
        }
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
