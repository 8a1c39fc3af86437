package io.kipimo.embedded.redis;

import io.kipimo.embedded.process.FreePorts;
import io.kipimo.embedded.process.ScratchDirectory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import redis.embedded.RedisServer;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis process on a free port of the loopback address, without persistence. It uses the binary of embedded-redis
 * (6.2), or {@code redis-server} from the path if that binary does not run. The process ends with this JVM, even if the
 * JVM is killed.
 */
public final class EmbeddedRedis implements AutoCloseable {
    private static final String HOST = "127.0.0.1";

    private static final Path SHELL = Path.of("/bin/sh");

    /** Script that starts a program, and kills it when the script's input ends, which happens when the JVM ends. */
    private static final String LEASH = """
            #!/bin/sh
            exec 3<&0
            '%s' "$@" </dev/null 3<&- &
            server=$!
            (read -r line <&3; kill -9 "$server") >/dev/null 2>&1 &
            watch=$!
            trap 'kill "$server" 2>/dev/null' TERM INT
            while kill -0 "$server" 2>/dev/null; do wait "$server"; done
            kill "$watch" 2>/dev/null
            """;

    private final RedisServer server;
    private final int port;
    private final ScratchDirectory directory;

    private EmbeddedRedis(RedisServer server, int port, ScratchDirectory directory) {
        this.server = server;
        this.port = port;
        this.directory = directory;
    }

    /** Whether {@link #start} works on this machine; starts a server to find out. */
    public static boolean isAvailable() {
        try (EmbeddedRedis redis = start()) {
            return redis.isRunning();
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /**
     * Starts an empty server on a free port. Returns when it accepts requests.
     *
     * @throws IllegalStateException if no binary runs here; the message lists those tried
     */
    public static EmbeddedRedis start() {
        return start(FreePorts.one());
    }

    /** Starts an empty server on a given port, for example on that of a server that was closed. */
    public static EmbeddedRedis start(int port) {
        ScratchDirectory directory = ScratchDirectory.create("redis");
        List<Exception> faults = new ArrayList<>();
        for (RedisBinary binary : RedisBinary.values()) {
            try {
                RedisServer server = RedisServer.newRedisServer()
                        .executableProvider(leashed(binary.provider(directory), directory))
                        .bind(HOST)
                        .port(port)
                        .setting("save \"\"")
                        .setting("dir " + directory.path())
                        .build();
                server.start();
                return new EmbeddedRedis(server, port, directory);
            } catch (IOException | RuntimeException e) {
                faults.add(e);
            }
        }
        directory.close();
        IllegalStateException none = new IllegalStateException(
                "no Redis on port " + port + ": tried the binary of embedded-redis and redis-server from the path");
        faults.forEach(none::addSuppressed);
        throw none;
    }

    private static ExecutableProvider leashed(ExecutableProvider binary, ScratchDirectory directory) {
        return () -> {
            File program = binary.get();
            if (!Files.isExecutable(SHELL)) {
                return program;
            }
            Path script =
                    Files.writeString(directory.path().resolve("redis.sh"), LEASH.formatted(program.getAbsolutePath()));
            boolean unused = script.toFile().setExecutable(true);
            return script.toFile();
        };
    }

    public String host() {
        return HOST;
    }

    public int port() {
        return port;
    }

    /** Ends the process; unsaved data is lost. {@link #revive} starts the server again. */
    public void kill() {
        try {
            server.stop();
        } catch (IOException e) {
            throw new IllegalStateException("Redis on port " + port + " does not stop", e);
        }
    }

    /** Starts the server again on the same port, with the saved data. */
    public void revive() {
        try {
            server.start();
        } catch (IOException e) {
            throw new IllegalStateException("Redis on port " + port + " does not start", e);
        }
    }

    /** File in which Redis saves its data. */
    Path file() {
        return directory.path().resolve("dump.rdb");
    }

    public boolean isRunning() {
        return server.isActive();
    }

    @Override
    public void close() {
        try {
            kill();
        } finally {
            directory.close();
        }
    }

    private enum RedisBinary {
        JAR {
            @Override
            ExecutableProvider provider(ScratchDirectory directory) {
                return ExecutableProvider.newJarResourceProvider(
                        directory.path().toFile());
            }
        },
        PATH {
            @Override
            ExecutableProvider provider(ScratchDirectory directory) throws IOException {
                return ExecutableProvider.newExecutableInPath("redis-server");
            }
        };

        abstract ExecutableProvider provider(ScratchDirectory directory) throws IOException;
    }
}
