package io.kipimo.embedded.redis;

import java.io.IOException;
import java.nio.file.Files;
import redis.clients.jedis.Jedis;

/** A Redis that dies, and comes back with older data. */
public record RedisCrash(EmbeddedRedis redis) {
    private static final String PID = "process_id:";

    /** Its current data, in Redis' dump format. */
    public byte[] snapshot() throws IOException {
        try (Jedis client = new Jedis(redis.host(), redis.port())) {
            String unused = client.save();
        }
        return Files.readAllBytes(redis.file());
    }

    /** Kills the process, like {@code kill -9}. */
    public void crash() {
        try (Jedis client = new Jedis(redis.host(), redis.port())) {
            long pid = client.info("server")
                    .lines()
                    .filter(line -> line.startsWith(PID))
                    .mapToLong(line -> Long.parseLong(line.substring(PID.length())))
                    .findFirst()
                    .orElseThrow();
            ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
            boolean unused = process.destroyForcibly();
            var ended = process.onExit().join();
        }
        // Updates the state of the embedded server object.
        redis.kill();
    }

    /** Restarts it on the same port with the data of {@link #snapshot}. */
    public void reviveWith(byte[] snapshot) throws IOException {
        Files.write(redis.file(), snapshot);
        redis.revive();
    }
}
