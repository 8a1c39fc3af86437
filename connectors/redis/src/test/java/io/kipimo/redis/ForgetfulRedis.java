package io.kipimo.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import redis.clients.jedis.RedisClient;
import redis.embedded.RedisServer;

/** A Redis process on a free port that saves its data only on command. */
final class ForgetfulRedis implements AutoCloseable {
    private final Path directory;
    private final int port;
    private RedisServer server;

    ForgetfulRedis(Path directory) throws IOException {
        this.directory = directory;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = free.getLocalPort();
        }
        start();
    }

    void start() throws IOException {
        server = RedisServer.newRedisServer()
                .bind("127.0.0.1")
                .port(port)
                .setting("save \"\"")
                .setting("dir " + directory)
                .build();
        server.start();
    }

    void stop() throws IOException {
        server.stop();
    }

    RedisSettings settings() {
        return RedisSettings.of("127.0.0.1", port);
    }

    RedisClient client() {
        return RedisClient.create("127.0.0.1", port);
    }

    @Override
    public void close() throws IOException {
        if (server.isActive()) {
            stop();
        }
    }
}
