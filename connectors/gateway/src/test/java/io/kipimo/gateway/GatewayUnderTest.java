package io.kipimo.gateway;

import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.record.ItemReaders;
import io.kipimo.sdk.internal.control.SettableControl;
import java.util.Arrays;
import java.util.stream.Collectors;

/** A gateway with one event loop and one listener, {@code web}, before one server. */
final class GatewayUnderTest implements AutoCloseable {
    private final Gateway gateway;

    private GatewayUnderTest(Gateway gateway) {
        this.gateway = gateway;
    }

    /**
     * Starts the gateway.
     *
     * @param buffers limit of kept bodies, bytes
     * @param more lines of the listener's section
     */
    static GatewayUnderTest start(int server, String buffers, String... more) throws Exception {
        return start("127.0.0.1:" + server, buffers, more);
    }

    /** As above, before a server with a scheme. */
    static GatewayUnderTest start(String server, String buffers, String... more) throws Exception {
        GatewayConfig config = ConfigFile.read(
                """
                        service: shop
                        threads: 1
                        admin: 127.0.0.1:0
                        buffers: %s
                        record: {largest-body: 1m}
                        listeners:
                          - name: web
                            listen: 127.0.0.1:0
                            servers: ['%s']
                        %s
                        """.formatted(
                        buffers,
                        server,
                        Arrays.stream(more).map(line -> "    " + line + '\n').collect(Collectors.joining())),
                null,
                "test");
        return new GatewayUnderTest(Gateway.start(config, new SettableControl(), ItemReaders.of(config)));
    }

    int port() {
        return gateway.ports().get("web");
    }

    int adminPort() {
        return gateway.adminPort();
    }

    Wire connect() throws Exception {
        return Wire.to(gateway.ports().get("web"));
    }

    /** Sends bytes, and returns the response until the gateway closes or pauses. */
    String send(String text) throws Exception {
        try (Wire wire = connect()) {
            wire.send(text);
            return wire.readAll();
        }
    }

    /** Sends a well-formed GET on its own connection, and returns status and body. */
    String get(String target) throws Exception {
        try (Wire wire = connect()) {
            wire.send("GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            return answer(wire.readToEnd());
        }
    }

    /** Status and body of a response. */
    static String answer(String response) {
        if (response.isEmpty()) {
            return "none";
        }
        String status = response.substring(9, 12);
        return status + ' ' + response.substring(response.indexOf("\r\n\r\n") + 4);
    }

    double fault(String name) {
        return metric("kipimo_gateway_faults_total{fault=\"" + name + "\",listener=\"web\"}");
    }

    double count(String event) {
        return metric("kipimo_gateway_" + event + "_total{listener=\"web\"}");
    }

    double metric(String series) {
        return Metrics.of(gateway, series);
    }

    @Override
    public void close() {
        gateway.close();
    }
}
