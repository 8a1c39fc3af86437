package io.kipimo.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import redis.embedded.RedisServer;

/** A Redis for one test. */
final class LocalRedis {
    private LocalRedis() {}

    /** Starts it. Returns when it listens on its only port. */
    static RedisServer start(Path directory) throws IOException {
        RedisServer redis =
                RedisServer.newRedisServer()
                        .bind("127.0.0.1")
                        .port(freePort())
                        .setting("save \"\"")
                        .setting("dir " + directory)
                        .build();
        redis.start();
        return redis;
    }

    /** A port without a listener. */
    static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
