package io.kipimo.bench.gateway;

import io.kipimo.cli.Main;
import io.kipimo.embedded.process.ChildProcess;
import io.kipimo.embedded.process.ForeignProcess;
import io.kipimo.embedded.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The ways for requests from callers to the server: directly or through one of the proxies. */
enum Proxy {
    /** No proxy: the baseline. */
    NONE("no proxy"),
    GATEWAY("Kipimo gateway"),
    HAPROXY("HAProxy"),
    ENVOY("Envoy"),
    NGINX("nginx");

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String title;

    Proxy(String title) {
        this.title = title;
    }

    /**
     * A started proxy.
     *
     * @param pid process id; empty: there is no proxy
     */
    record Running(int port, Optional<Long> pid, AutoCloseable process) implements AutoCloseable {
        /** Processor time of the process and its children since they started. */
        Duration processorTime() {
            return pid.flatMap(ProcessHandle::of).stream()
                    .flatMap(handle -> Stream.concat(Stream.of(handle), handle.descendants()))
                    .flatMap(handle -> handle.info().totalCpuDuration().stream())
                    .reduce(Duration.ZERO, Duration::plus);
        }

        @Override
        public void close() throws Exception {
            process.close();
        }
    }

    String title() {
        return title;
    }

    private Optional<Path> program() {
        return Programs.find(name().toLowerCase(Locale.ROOT));
    }

    boolean isInstalled() {
        return this == NONE || this == GATEWAY || program().isPresent();
    }

    /**
     * Starts the proxy. Returns when it listens.
     *
     * @param port port on which it listens; unused if there is no proxy
     * @param directory for its files
     */
    Running start(int port, int serverPort, Path directory) throws IOException {
        // Envoy recognizes a file's format by its extension.
        Path config = directory.resolve(name() + (this == ENVOY ? ".yaml" : ".conf"));
        return switch (this) {
            case NONE -> new Running(serverPort, Optional.empty(), () -> {});
            case GATEWAY -> gateway(port, serverPort, directory);
            case HAPROXY -> foreign(port, config, haproxy(port, serverPort), "-db", "-f", config);
            case ENVOY ->
                foreign(
                        port,
                        config,
                        envoy(port, serverPort),
                        "--disable-hot-restart",
                        "--log-level",
                        "warning",
                        "--config-path",
                        config);
            case NGINX -> foreign(port, config, nginx(port, serverPort, directory), "-p", directory, "-c", config);
        };
    }

    private static Running gateway(int port, int serverPort, Path directory) {
        ChildProcess process = ChildProcess.start(
                Main.class,
                List.of("-Xmx512m", "-XX:+UseG1GC"),
                List.of(
                        "gateway",
                        "--listen=127.0.0.1:" + port,
                        "--server=127.0.0.1:" + serverPort,
                        "--admin=127.0.0.1:0"),
                directory.resolve("gateway.log"));
        try {
            process.awaitReady("the gateway", () -> ForeignProcess.listens(port), PATIENCE);
        } catch (IllegalStateException e) {
            process.close();
            throw e;
        }
        return new Running(port, Optional.of(process.pid()), process);
    }

    private Running foreign(int port, Path config, String content, Object... arguments) throws IOException {
        Files.writeString(config, content);
        List<String> command = new ArrayList<>();
        command.add(program().orElseThrow().toString());
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        ForeignProcess process =
                ForeignProcess.start(command, port, config.resolveSibling(config.getFileName() + ".log"));
        return new Running(port, Optional.of(process.pid()), process);
    }

    private static String haproxy(int port, int serverPort) {
        return """
        defaults
            mode http
            timeout connect 1s
            timeout client 60s
            timeout server 60s
            http-reuse always
        frontend f
            bind 127.0.0.1:%d
            default_backend b
        backend b
            server s 127.0.0.1:%d
        """.formatted(port, serverPort);
    }

    private static String nginx(int port, int serverPort, Path directory) {
        return """
        daemon off;
        worker_processes auto;
        pid %3$s/nginx.pid;
        error_log stderr;
        events { worker_connections 4096; }
        http {
            access_log off;
            client_body_temp_path %3$s/body;
            proxy_temp_path %3$s/proxy;
            fastcgi_temp_path %3$s/fastcgi;
            uwsgi_temp_path %3$s/uwsgi;
            scgi_temp_path %3$s/scgi;
            keepalive_requests 1000000000;
            upstream s { server 127.0.0.1:%2$d; keepalive 256; keepalive_requests 1000000000; }
            server {
                listen 127.0.0.1:%1$d;
                location / {
                    proxy_pass http://s;
                    proxy_http_version 1.1;
                    proxy_set_header Connection "";
                }
            }
        }
        """.formatted(port, serverPort, directory);
    }

    private static String envoy(int port, int serverPort) {
        return """
        static_resources:
          listeners:
          - name: f
            address: {socket_address: {address: 127.0.0.1, port_value: %d}}
            filter_chains:
            - filters:
              - name: envoy.filters.network.http_connection_manager
                typed_config:
                  "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
                  stat_prefix: f
                  generate_request_id: false
                  route_config:
                    virtual_hosts:
                    - {name: f, domains: ["*"], routes: [{match: {prefix: "/"}, route: {cluster: s, timeout: 60s}}]}
                  http_filters:
                  - name: envoy.filters.http.router
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
                      suppress_envoy_headers: true
          clusters:
          - name: s
            type: STATIC
            load_assignment:
              cluster_name: s
              endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: %d}}}}]}]
        """.formatted(port, serverPort);
    }
}
