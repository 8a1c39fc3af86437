package io.kipimo.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import redis.embedded.RedisServer;

/** Starts a Redis for one test. */
final class LocalRedis {
    private static final int TRIES = 5;

    private LocalRedis() {}

    /** Starts Redis; it serves when this method returns. */
    static RedisServer start(Path directory) throws IOException {
        for (int i = 1; ; i++) {
            RedisServer redis = RedisServer.newRedisServer()
                    .bind("127.0.0.1")
                    .port(freePort())
                    .setting("save \"\"")
                    .setting("dir " + directory)
                    .build();
            try {
                redis.start();
                return redis;
            } catch (IOException e) {
                // Another process may have taken the port meanwhile.
                if (i == TRIES) {
                    throw e;
                }
            }
        }
    }

    /** A port that no process listens at. */
    static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
