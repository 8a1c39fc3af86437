package io.kipimo.bench.strategies;

import io.kipimo.harness.process.FreePorts;
import io.kipimo.harness.process.ScratchDirectory;
import io.kipimo.loadgen.social.store.RedisAddress;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.ShutdownParams;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis on a free port that may be shut down and started again by its command: {@code
 * redis-server} from the path, or where there is none, the binary that comes with embedded-redis.
 */
final class RestartableRedis implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;
    private static final int POLL_MILLIS = 10;

    private final ScratchDirectory directory = ScratchDirectory.create("redis");
    private final int port = FreePorts.one();
    private final List<String> command = new ArrayList<>();

    RestartableRedis() throws IOException, InterruptedException {
        command.add(binary());
        command.addAll(
                List.of(
                        "--port",
                        Integer.toString(port),
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--dir",
                        directory.path().toString()));
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        int waited = 0;
        while (version().isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            waited += POLL_MILLIS;
            if (waited > PATIENCE_MILLIS) {
                throw new IllegalStateException(
                        "Redis does not start: " + String.join(" ", command));
            }
        }
    }

    private String binary() throws IOException {
        for (String path : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            File file = new File(path, "redis-server");
            if (file.canExecute()) {
                return file.getAbsolutePath();
            }
        }
        return ExecutableProvider.newJarResourceProvider(directory.path().toFile())
                .get()
                .getAbsolutePath();
    }

    List<String> command() {
        return List.copyOf(command);
    }

    RedisAddress address() {
        return RedisAddress.of("redis://127.0.0.1:" + port);
    }

    /** Of the server; empty: it does not answer. */
    Optional<String> version() {
        try (Jedis redis = address().connection()) {
            return redis.info("server")
                    .lines()
                    .filter(line -> line.startsWith("redis_version:"))
                    .map(line -> line.substring(line.indexOf(':') + 1))
                    .findFirst();
        } catch (JedisException e) {
            return Optional.empty();
        }
    }

    /** Whoever started the process last. */
    @Override
    public void close() {
        try (Jedis redis = address().connection()) {
            redis.shutdown(ShutdownParams.shutdownParams().nosave());
        } catch (JedisException e) {
            // It has gone already.
        } finally {
            directory.close();
        }
    }
}
