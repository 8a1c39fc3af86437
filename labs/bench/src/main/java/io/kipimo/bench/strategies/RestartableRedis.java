package io.kipimo.bench.strategies;

import io.kipimo.embedded.process.ForeignProcess;
import io.kipimo.embedded.process.FreePorts;
import io.kipimo.embedded.process.Programs;
import io.kipimo.embedded.process.ScratchDirectory;
import io.kipimo.loadgen.redis.RedisAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.ShutdownParams;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis on a free port that others may shut down and restart by its command: {@code redis-server} from the path, or,
 * if there is none, the binary of embedded-redis.
 */
final class RestartableRedis implements AutoCloseable {
    private final ScratchDirectory directory = ScratchDirectory.create("redis");
    private final int port = FreePorts.one();
    private final List<String> command = new ArrayList<>();

    RestartableRedis() throws IOException {
        command.add(binary());
        command.addAll(List.of(
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--dir",
                directory.path().toString()));
        // The handle is not kept, since other code ends this process and starts the next one.
        var unused = ForeignProcess.start(command, port, directory.path().resolve("log"));
    }

    private String binary() throws IOException {
        Optional<Path> installed = Programs.find("redis-server");
        return installed.isPresent()
                ? installed.get().toString()
                : ExecutableProvider.newJarResourceProvider(directory.path().toFile())
                        .get()
                        .getAbsolutePath();
    }

    List<String> command() {
        return List.copyOf(command);
    }

    RedisAddress address() {
        return RedisAddress.of("redis://127.0.0.1:" + port);
    }

    /** Version of the server; empty: it does not answer. */
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

    /** Ends the current process, whichever code started it. */
    @Override
    public void close() {
        try (Jedis redis = address().connection()) {
            redis.shutdown(ShutdownParams.shutdownParams().nosave());
        } catch (JedisException e) {
            // The server has ended already.
        } finally {
            directory.close();
        }
    }
}
