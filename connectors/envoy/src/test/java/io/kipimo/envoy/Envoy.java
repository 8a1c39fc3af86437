package io.kipimo.envoy;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real Envoy in front of a server and a mirror, with the configuration that docs/envoy.md shows. */
final class Envoy implements AutoCloseable {
    private final Path directory;
    private final int port;
    private Process process;

    Envoy(Path directory, int serverPort, int mirrorPort, int adapterPort) throws IOException {
        this.directory = directory;
        this.port = freePort();
        Files.writeString(directory.resolve("envoy.yaml"), """
                node: {id: shop, cluster: kipimo}
                layered_runtime:
                  layers:
                  - name: kipimo
                    rtds_layer:
                      name: kipimo
                      rtds_config:
                        resource_api_version: V3
                        api_config_source: {api_type: GRPC, transport_api_version: V3, grpc_services: [{envoy_grpc: {cluster_name: kipimo}}]}
                static_resources:
                  listeners:
                  - name: shop
                    address: {socket_address: {address: 127.0.0.1, port_value: %1$d}}
                    filter_chains:
                    - filters:
                      - name: envoy.filters.network.http_connection_manager
                        typed_config:
                          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
                          stat_prefix: shop
                          route_config:
                            virtual_hosts:
                            - name: shop
                              domains: ["*"]
                              routes:
                              - match:
                                  prefix: "/"
                                  headers: [{name: kipimo-class, string_match: {exact: low}}]
                                  runtime_fraction: {default_value: {numerator: 0, denominator: MILLION}, runtime_key: kipimo.shed.low}
                                direct_response: {status: 429, body: {inline_string: shed}}
                                response_headers_to_add: [{header: {key: retry-after, value: "1"}}]
                              - match: {prefix: "/"}
                                route:
                                  cluster: servers
                                  request_mirror_policies:
                                  - cluster: mirror
                                    runtime_fraction: {default_value: {numerator: 0, denominator: MILLION}, runtime_key: kipimo.copy.web.2}
                          http_filters:
                          - name: envoy.filters.http.router
                            typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}
                  clusters:
                  - name: servers
                    type: STATIC
                    load_assignment: {cluster_name: servers, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: %2$d}}}}]}]}
                  - name: mirror
                    type: STATIC
                    load_assignment: {cluster_name: mirror, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: %3$d}}}}]}]}
                  - name: kipimo
                    type: STATIC
                    typed_extension_protocol_options:
                      envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
                        "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
                        explicit_http_config: {http2_protocol_options: {}}
                    load_assignment: {cluster_name: kipimo, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: %4$d}}}}]}]}
                """.formatted(port, serverPort, mirrorPort, adapterPort));
        start();
    }

    /** The program, from the variable ENVOY or from PATH. */
    static Optional<Path> program() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(
                        Stream.ofNullable(System.getenv("ENVOY")).map(Path::of),
                        Stream.concat(Arrays.stream(path.split(File.pathSeparator, -1)), Stream.of("/usr/local/bin"))
                                .filter(d -> !d.isEmpty())
                                .map(d -> Path.of(d, "envoy")))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    int port() {
        return port;
    }

    void start() throws IOException {
        process = new ProcessBuilder(List.of(
                        program().orElseThrow().toString(),
                        "-c",
                        directory.resolve("envoy.yaml").toString(),
                        "--concurrency",
                        "1",
                        "--disable-hot-restart",
                        "--log-level",
                        "warning"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("envoy.log").toFile()))
                .start();
        await("Envoy").atMost(Duration.ofSeconds(60)).ignoreExceptions().until(this::listens);
    }

    private boolean listens() throws IOException {
        if (!process.isAlive()) {
            throw new IllegalStateException(Files.readString(directory.resolve("envoy.log")));
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        }
    }

    /** Kills it, like {@code kill -9}. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        var unused = process.waitFor(5, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
