package io.kipimo.bench.gateway;

import io.kipimo.cli.Main;
import io.kipimo.harness.process.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What stands between callers and the server. */
enum Proxy {
    /** Nothing: what the others are compared with. */
    NONE("no proxy"),
    GATEWAY("Kipimo gateway"),
    HAPROXY("HAProxy"),
    NGINX("nginx");

    private static final int ATTEMPTS = 200;
    private static final int PAUSE_MILLIS = 100;

    private final String title;

    Proxy(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** Its program; empty: none on this machine, or none needed. */
    Optional<Path> program() {
        String name = this == HAPROXY ? "haproxy" : "nginx";
        return List.of(Path.of("/usr/sbin", name), Path.of("/usr/local/sbin", name)).stream()
                .filter(Files::isExecutable)
                .findFirst();
    }

    boolean isInstalled() {
        return this == NONE || this == GATEWAY || program().isPresent();
    }

    /**
     * Serves when this returns.
     *
     * @param directory for its files
     * @return what ends it
     */
    AutoCloseable start(int port, int serverPort, int adminPort, Path directory)
            throws IOException {
        AutoCloseable running =
                switch (this) {
                    case NONE -> () -> {};
                    case GATEWAY ->
                            ChildProcess.start(
                                    Main.class,
                                    List.of("-Xmx512m", "-XX:+UseG1GC"),
                                    List.of(
                                            "gateway",
                                            "--listen=127.0.0.1:" + port,
                                            "--server=127.0.0.1:" + serverPort,
                                            "--admin=127.0.0.1:" + adminPort),
                                    directory.resolve("gateway.log"));
                    case HAPROXY ->
                            process(
                                    directory,
                                    haproxy(port, serverPort),
                                    "-db",
                                    "-f",
                                    directory.resolve(name() + ".conf").toString());
                    case NGINX ->
                            process(
                                    directory,
                                    nginx(port, serverPort, directory),
                                    "-p",
                                    directory.toString(),
                                    "-c",
                                    directory.resolve(name() + ".conf").toString());
                };
        if (this != NONE) {
            await(port);
        }
        return running;
    }

    private AutoCloseable process(Path directory, String config, String... arguments)
            throws IOException {
        Files.writeString(directory.resolve(name() + ".conf"), config);
        List<String> command = new ArrayList<>();
        command.add(program().orElseThrow().toString());
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve(name() + ".log").toFile())
                        .start();
        return () -> {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
            var unused = process.waitFor(5, TimeUnit.SECONDS);
        };
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
        """
                .formatted(port, serverPort);
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
        """
                .formatted(port, serverPort, directory);
    }

    private static void await(int port) {
        for (int i = 0; i < ATTEMPTS; i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException e) {
                pause();
            }
        }
        throw new UncheckedIOException(new IOException("nobody listens on " + port));
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
