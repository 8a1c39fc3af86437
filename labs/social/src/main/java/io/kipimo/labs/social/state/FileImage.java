package io.kipimo.labs.social.state;

import io.kipimo.labs.social.store.RedisSocialStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.ShutdownParams;

/**
 * A copy of Redis's RDB file. To restore it, this class shuts Redis down, copies the file back and starts Redis, as in
 * the paper (sec. 5.2). Redis must run on this machine without an append-only file.
 */
final class FileImage implements StateStrategy {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final long POLL_MILLIS = 5;

    private final RedisSocialStore store;
    private final List<String> startCommand;
    private Path file;
    private Path image;

    FileImage(RedisSocialStore store, List<String> startCommand) {
        this.store = store;
        this.startCommand = List.copyOf(startCommand);
    }

    @Override
    public void loaded() {
        try (Jedis redis = store.address().connection()) {
            if ("yes".equals(setting(redis, "appendonly"))) {
                throw new IllegalStateException(
                        "Redis's appendonly is 'yes'; allowed: 'no', because an image is a copy of the RDB file");
            }
            file = Path.of(setting(redis, "dir"), setting(redis, "dbfilename"));
            image = file.resolveSibling("kipimo-" + file.getFileName());
            redis.bgsave();
            awaitSave(redis);
            copy(file, image);
        }
    }

    @Override
    public void restore(WriteLog log) {
        try (Jedis redis = store.address().connection()) {
            redis.shutdown(ShutdownParams.shutdownParams().nosave());
        }
        await("does not shut down", () -> !answers());
        copy(image, file);
        try {
            // Redis must outlive this process.
            new ProcessBuilder(startCommand)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException(
                    "start command is '" + String.join(" ", startCommand) + "'; allowed: one that starts Redis", e);
        }
        await("does not come back by '" + String.join(" ", startCommand) + "'", this::answers);
        store.reconnect();
    }

    @Override
    public void close() {
        if (image != null) {
            try {
                Files.deleteIfExists(image);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void awaitSave(Jedis redis) {
        await("does not finish its BGSAVE", () -> redis.info("persistence").contains("rdb_bgsave_in_progress:0"));
        if (!redis.info("persistence").contains("rdb_last_bgsave_status:ok")) {
            throw new IllegalStateException("Redis could not save; see its log");
        }
    }

    /** Returns whether Redis answers. It refuses commands while it loads its file. */
    private boolean answers() {
        try (Jedis redis = store.address().connection()) {
            return "PONG".equals(redis.ping());
        } catch (JedisConnectionException e) {
            return false;
        } catch (JedisException e) {
            if (String.valueOf(e.getMessage()).toUpperCase(Locale.ROOT).startsWith("LOADING")) {
                return false;
            }
            throw e;
        }
    }

    private static String setting(Jedis redis, String name) {
        Map<String, String> found = redis.configGet(name);
        return found.getOrDefault(name, "");
    }

    private static void copy(Path from, Path to) {
        try {
            Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "no copy of " + from + "; an image needs Redis's files on this machine, readable and writable", e);
        }
    }

    private static void await(String complaint, BooleanSupplier condition) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException("Redis " + complaint);
            }
            try {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while Redis was restored", e);
            }
        }
    }
}
