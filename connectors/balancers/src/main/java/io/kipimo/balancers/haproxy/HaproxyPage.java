package io.kipimo.balancers.haproxy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kipimo.sdk.AdmissionClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * {@code /metrics} of an adapter, in Prometheus' text format, and {@code /healthz}:
 *
 * <pre>
 * kipimo_haproxy_disconnected                          1: HAProxy cannot be told
 * kipimo_haproxy_admitted_fraction{class=}             as HAProxy last said it
 * kipimo_haproxy_decision_age_seconds{class=}          of the newest decision taken
 * kipimo_haproxy_decisions_refused_total{reason=}
 * kipimo_haproxy_writes_total, _repairs_total, _faults_total
 * </pre>
 */
public final class HaproxyPage implements AutoCloseable {
    private static final String PREFIX = "kipimo_haproxy_";

    private final HttpServer server;

    private HaproxyPage(HttpServer server) {
        this.server = server;
    }

    /**
     * Serves when this returns.
     *
     * @param port 0: any that is free
     * @throws IOException if the port is not to be had
     */
    public static HaproxyPage start(
            String host,
            int port,
            HaproxyAdapter adapter,
            AdmissionClient admission,
            Collection<String> classes)
            throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(host, port), 0);
        List<String> names = List.copyOf(classes);
        server.createContext("/metrics", e -> answer(e, page(adapter, admission, names)));
        server.createContext("/healthz", e -> answer(e, "ok\n"));
        server.start();
        return new HaproxyPage(server);
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        try (exchange) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders()
                    .set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static String page(
            HaproxyAdapter adapter, AdmissionClient admission, List<String> classes) {
        StringBuilder page = new StringBuilder();
        type(page, "disconnected", "gauge");
        line(page, "disconnected", adapter.isConnected() ? 0 : 1);
        type(page, "admitted_fraction", "gauge");
        adapter.inForce()
                .forEach(
                        (name, millionths) ->
                                line(
                                        page,
                                        "admitted_fraction{class=\"" + name + "\"}",
                                        millionths / 1e6));
        type(page, "decision_age_seconds", "gauge");
        for (String name : classes) {
            OptionalLong age = admission.decisionAgeMillis(name);
            if (age.isPresent()) {
                line(page, "decision_age_seconds{class=\"" + name + "\"}", age.getAsLong() / 1e3);
            }
        }
        type(page, "decisions_refused_total", "counter");
        admission
                .refusals()
                .forEach(
                        (reason, count) ->
                                line(
                                        page,
                                        "decisions_refused_total{reason=\"" + reason + "\"}",
                                        count));
        type(page, "writes_total", "counter");
        line(page, "writes_total", (double) adapter.writes());
        type(page, "repairs_total", "counter");
        line(page, "repairs_total", (double) adapter.repairs());
        type(page, "faults_total", "counter");
        line(page, "faults_total", (double) adapter.faults());
        return page.toString();
    }

    private static void type(StringBuilder page, String name, String type) {
        page.append("# TYPE ").append(PREFIX).append(name).append(' ').append(type).append('\n');
    }

    private static void line(StringBuilder page, String name, double value) {
        page.append(PREFIX)
                .append(name)
                .append(' ')
                .append(String.format(Locale.ROOT, "%s", value))
                .append('\n');
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
