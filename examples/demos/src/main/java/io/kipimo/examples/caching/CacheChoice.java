package io.kipimo.examples.caching;

import io.kipimo.caching.purge.CacheKind;
import io.kipimo.harness.process.FreePorts;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** HTTP cache between the clients and the origin. */
enum CacheChoice {
    /** In this process; needs no other program. */
    BUILT_IN("a cache in this process"),
    VARNISH("Varnish"),
    NGINX("nginx");

    private static final int ATTEMPTS = 100;
    private static final int PAUSE_MILLIS = 100;

    private final String title;

    CacheChoice(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** Whether its program is on the path of this machine. */
    boolean isInstalled() {
        return this == BUILT_IN || program().stream().anyMatch(Files::isExecutable);
    }

    private List<Path> program() {
        String name = this == VARNISH ? "varnishd" : "nginx";
        return List.of(Path.of("/usr/sbin", name), Path.of("/usr/local/sbin", name), Path.of("/usr/bin", name));
    }

    /**
     * Starts an empty cache in front of an origin on this machine; returns when it serves.
     *
     * @param directory for the cache's files; created if missing
     */
    SharedCache start(Vertx vertx, int originPort, Path directory) {
        return start(vertx, originPort, directory, UnaryOperator.identity());
    }

    /** The same with a changed configuration of the program. */
    SharedCache start(Vertx vertx, int originPort, Path directory, UnaryOperator<String> change) {
        if (this == BUILT_IN) {
            HttpCacheServer cache = HttpCacheServer.start(vertx, originPort);
            return new SharedCache(address(cache.port()), CacheKind.VARNISH, cache::close);
        }
        int port = FreePorts.one();
        try {
            Files.createDirectories(directory);
            Path configuration = write(change, port, originPort, directory);
            Process process =
                    this == VARNISH ? varnish(port, directory, configuration) : nginx(directory, configuration);
            SharedCache cache = new SharedCache(
                    address(port), this == VARNISH ? CacheKind.VARNISH : CacheKind.NGINX, () -> stop(process));
            await(process, port, directory);
            return cache;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process varnish(int port, Path directory, Path configuration) throws IOException {
        return start(
                directory,
                List.of(
                        installed(),
                        "-F",
                        "-j",
                        "none",
                        "-n",
                        directory.resolve("varnish").toString(),
                        "-a",
                        "127.0.0.1:" + port,
                        "-s",
                        "malloc,64m",
                        "-f",
                        configuration.toString()));
    }

    private Process nginx(Path directory, Path configuration) throws IOException {
        return start(
                directory,
                List.of(
                        installed(),
                        "-p",
                        directory.toString(),
                        "-c",
                        configuration.toString(),
                        "-e",
                        directory.resolve("error.log").toString()));
    }

    private String installed() {
        return program().stream()
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(title + " is not installed; looked for " + program()))
                .toString();
    }

    private Path write(UnaryOperator<String> change, int port, int originPort, Path directory) throws IOException {
        String template = this == VARNISH ? "kipimo.vcl" : "kipimo-nginx.conf";
        try (var in = CacheChoice.class.getResourceAsStream(template)) {
            String text = change.apply(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .replace("@PORT@", String.valueOf(port))
                    .replace("@ORIGIN_PORT@", String.valueOf(originPort))
                    .replace("@USER@", System.getProperty("user.name"))
                    .replace("@DIRECTORY@", directory.toString());
            return Files.writeString(directory.resolve(template), text);
        }
    }

    private static Process start(Path directory, List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output.log").toFile())
                .start();
    }

    private void await(Process process, int port, Path directory) throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PAUSE_MILLIS);
                return;
            } catch (IOException e) {
                pause();
            }
            if (!process.isAlive()) {
                break;
            }
        }
        stop(process);
        throw new IOException(title + " does not serve: " + Files.readString(directory.resolve("output.log")));
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void stop(Process process) {
        // Both programs have a child process, which ends with its parent.
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static URI address(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }
}
