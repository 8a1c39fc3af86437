package io.kipimo.balancers.haproxy;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real HAProxy in front of a server, with the configuration that docs/haproxy.md shows. */
final class Haproxy implements AutoCloseable {
    private static final List<Path> PROGRAMS =
            List.of(Path.of("/usr/sbin/haproxy"), Path.of("/usr/local/sbin/haproxy"));

    private final Path directory;
    private final int port;
    private final int weightedPort;
    private Process process;

    Haproxy(Path directory, int serverPort, int agentPort) throws IOException {
        this.directory = directory;
        this.port = freePort();
        this.weightedPort = freePort();
        try (InputStream lua = HaproxyAdapter.class.getResourceAsStream("kipimo.lua")) {
            Files.write(directory.resolve("kipimo.lua"), lua.readAllBytes());
        }
        Files.writeString(map(), "low 1000000\n");
        Files.writeString(directory.resolve("haproxy.cfg"), """
                global
                    lua-load %1$s/kipimo.lua
                    stats socket %1$s/h.sock mode 600 level admin
                defaults
                    mode http
                    timeout connect 1s
                    timeout client 10s
                    timeout server 10s
                frontend shop
                    bind 127.0.0.1:%2$d
                    http-request set-var(txn.admitted) req.hdr(kipimo-class),map_str_int(%1$s/admitted.map,1000000)
                    http-request set-var(txn.u) lua.kipimo_u
                    http-request set-var(txn.room) var(txn.admitted),sub(txn.u)
                    http-request return status 429 content-type text/plain string shed hdr Retry-After %%[rand(5),add(1)] if { var(txn.room) -m int le 0 }
                    default_backend servers
                backend servers
                    server one 127.0.0.1:%3$d
                frontend weighted
                    bind 127.0.0.1:%4$d
                    default_backend lots
                backend lots
                    balance roundrobin
                    server one 127.0.0.1:%3$d weight 100 agent-check agent-port %5$d agent-inter 200ms agent-send "low\\n"
                    server none 127.0.0.1:%6$d weight 100 agent-check agent-port %5$d agent-inter 200ms agent-send "low shed\\n"
                backend spare
                    balance roundrobin
                    server web1 127.0.0.1:%3$d
                    server web2 127.0.0.1:%3$d
                    server-template slot 1-8 127.0.0.1:%3$d disabled
                    server last 127.0.0.1:%3$d backup
                frontend refuse
                    bind 127.0.0.1:%6$d
                    http-request return status 429
                """.formatted(
                        directory, port, serverPort, weightedPort, agentPort, freePort()));
        start();
    }

    static boolean isInstalled() {
        return PROGRAMS.stream().anyMatch(Files::isExecutable);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    Path map() {
        return directory.resolve("admitted.map");
    }

    String socket() {
        return directory.resolve("h.sock").toString();
    }

    int port() {
        return port;
    }

    int weightedPort() {
        return weightedPort;
    }

    void start() throws IOException {
        Path program = PROGRAMS.stream().filter(Files::isExecutable).findFirst().orElseThrow();
        process = new ProcessBuilder(
                        program.toString(),
                        "-W",
                        "-db",
                        "-f",
                        directory.resolve("haproxy.cfg").toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("haproxy.log").toFile()))
                .start();
        await("HAProxy").ignoreExceptions().until(this::listens);
    }

    private boolean listens() throws IOException {
        if (!process.isAlive()) {
            throw new IllegalStateException(Files.readString(directory.resolve("haproxy.log")));
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        }
    }

    /** Reloads: starts a new worker with the files' contents; the old one ends. */
    void reload() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-USR2", Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    void stop() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stop();
    }
}
