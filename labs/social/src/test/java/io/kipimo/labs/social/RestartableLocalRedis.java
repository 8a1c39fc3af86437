package io.kipimo.labs.social;

import io.kipimo.loadgen.redis.RedisAddress;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.params.ShutdownParams;
import redis.embedded.core.ExecutableProvider;

/** A Redis process on a free port that can be restarted by its command. */
final class RestartableLocalRedis implements AutoCloseable {
    private final int port;
    private final List<String> command;

    RestartableLocalRedis(Path directory) throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        File binary =
                ExecutableProvider.newJarResourceProvider(directory.toFile()).get();
        command = List.of(
                binary.getAbsolutePath(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--dir",
                directory.toString());
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Awaitility.await().ignoreExceptions().until(() -> "PONG".equals(ping()));
    }

    private String ping() {
        try (Jedis redis = address().connection()) {
            return redis.ping();
        }
    }

    List<String> command() {
        return command;
    }

    RedisAddress address() {
        return RedisAddress.of("redis://127.0.0.1:" + port);
    }

    /** Shuts Redis down by command, because another caller may have started the process. */
    @Override
    public void close() {
        try (Jedis redis = address().connection()) {
            redis.shutdown(ShutdownParams.shutdownParams().nosave());
        } catch (JedisConnectionException e) {
            // The process has already ended.
            return;
        }
    }
}
