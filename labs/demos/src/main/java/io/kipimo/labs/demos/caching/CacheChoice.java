package io.kipimo.labs.demos.caching;

import io.kipimo.caching.purge.CacheKind;
import io.kipimo.embedded.process.ForeignProcess;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.embedded.process.Programs;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The HTTP cache between the clients and the origin. */
enum CacheChoice {
    /** A cache in this process, which needs no other program. */
    BUILT_IN("a cache in this process"),
    VARNISH("Varnish"),
    NGINX("nginx");

    private final String title;

    CacheChoice(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** Returns whether the cache's program is on the path of this machine. */
    boolean isInstalled() {
        return this == BUILT_IN || program().isPresent();
    }

    private Optional<Path> program() {
        return Programs.find(this == VARNISH ? "varnishd" : "nginx");
    }

    /**
     * Starts an empty cache in front of an origin on this machine; returns when it serves.
     *
     * @param directory for the cache's files; created if missing
     */
    SharedCache start(Vertx vertx, int originPort, Path directory) {
        return start(vertx, originPort, directory, UnaryOperator.identity());
    }

    /** Starts a cache like {@link #start(Vertx, int, Path)}, with a changed configuration of the program. */
    SharedCache start(Vertx vertx, int originPort, Path directory, UnaryOperator<String> change) {
        if (this == BUILT_IN) {
            HttpCacheServer cache = HttpCacheServer.start(vertx, originPort);
            return new SharedCache(address(cache.port()), CacheKind.VARNISH, cache::close);
        }
        int port = FreePorts.one();
        try {
            Files.createDirectories(directory);
            Path configuration = write(change, port, originPort, directory);
            Object[] arguments = this == VARNISH
                    ? new Object[] {
                        "-F",
                        "-j",
                        "none",
                        "-n",
                        directory.resolve("varnish"),
                        "-a",
                        "127.0.0.1:" + port,
                        "-s",
                        "malloc,64m",
                        "-f",
                        configuration
                    }
                    : new Object[] {"-p", directory, "-c", configuration, "-e", directory.resolve("error.log")};
            List<String> command = new ArrayList<>();
            command.add(program()
                    .orElseThrow(() -> new IllegalStateException(title + " is not installed"))
                    .toString());
            Arrays.stream(arguments).map(Object::toString).forEach(command::add);
            ForeignProcess process = ForeignProcess.start(command, port, directory.resolve("output.log"));
            return new SharedCache(
                    address(port), this == VARNISH ? CacheKind.VARNISH : CacheKind.NGINX, process::close);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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

    private static URI address(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }
}
