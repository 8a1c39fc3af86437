package io.kipimo.console;

import io.kipimo.console.feed.ModelFeeder;
import io.kipimo.console.model.ConsoleModel;
import io.kipimo.console.server.ConsoleServer;
import io.kipimo.console.server.Content;
import io.kipimo.console.server.PageFiles;
import io.kipimo.console.server.ServerSettings;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** A running console: topics to model to browser, and a person's word back to the policies. */
public final class Console implements AutoCloseable {
    /** What of the past is read at the start. */
    public static final Duration LOOK_BACK = Duration.ofHours(1);

    private final ConsoleServer server;
    private final ModelFeeder follower;

    private Console(ConsoleServer server, ModelFeeder follower) {
        this.server = server;
        this.follower = follower;
    }

    /**
     * Serves when this returns, whether or not the brokers answer.
     *
     * @param lookBack how much of the past is read of topics that are not compacted
     * @throws IOException if the port is not to be had
     */
    public static Console start(KafkaSettings kafka, Duration lookBack, ServerSettings settings)
            throws IOException, InterruptedException {
        ConsoleModel model = new ConsoleModel();
        ConsoleServer server =
                ConsoleServer.start(
                        settings,
                        new ModelContent(model, settings.token().isPresent()),
                        new PolicyWrites(kafka),
                        PageFiles.packaged());
        return new Console(server, ModelFeeder.start(kafka, lookBack, model));
    }

    /** Where to look; without the token. */
    public String address() {
        return server.address();
    }

    @Override
    public void close() {
        follower.close();
        server.close();
    }

    /** The model at the time of the clock. */
    private record ModelContent(ConsoleModel model, boolean writable) implements Content {
        @Override
        public byte[] state() {
            return model.state(writable, System.currentTimeMillis());
        }

        @Override
        public byte[] summary() {
            return model.summary(writable, System.currentTimeMillis());
        }

        @Override
        public Optional<byte[]> service(String name) {
            return model.service(name, System.currentTimeMillis());
        }

        @Override
        public String metrics() {
            return model.metrics(System.currentTimeMillis());
        }

        @Override
        public long version() {
            return model.version();
        }
    }
}
