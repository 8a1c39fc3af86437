package io.kipimo.console;

import io.kipimo.console.feed.ModelFeeder;
import io.kipimo.console.model.ConsoleModel;
import io.kipimo.console.server.ConsoleServer;
import io.kipimo.console.server.Content;
import io.kipimo.console.server.Gates;
import io.kipimo.console.server.ServerSettings;
import io.kipimo.core.quality.window.TraceLink;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** A running console. It shows topics in the browser and writes overrides and kill switches to policies. */
public final class Console implements AutoCloseable {
    /** Default length of the past that the console reads when it starts. */
    public static final Duration LOOK_BACK = Duration.ofHours(1);

    private final ConsoleServer server;
    private final ModelFeeder follower;
    private final ConsoleModel model;

    private Console(ConsoleServer server, ModelFeeder follower, ConsoleModel model) {
        this.server = server;
        this.follower = follower;
        this.model = model;
    }

    /**
     * Starts the console. When this method returns, the console accepts requests, even if Kafka is unavailable.
     *
     * @param lookBack length of the past that is read of topics that are not compacted
     * @param gates judges releases
     * @param traceLink where traces of queries are shown
     * @throws IOException if the port cannot be opened
     */
    public static Console start(
            KafkaSettings kafka, Duration lookBack, ServerSettings settings, Gates gates, Optional<TraceLink> traceLink)
            throws IOException, InterruptedException {
        ConsoleModel model = new ConsoleModel(traceLink);
        ConsoleServer server = ConsoleServer.start(
                settings, new ModelContent(model, settings.isWritable()), new PolicyWrites(kafka), gates);
        return new Console(server, ModelFeeder.start(kafka, lookBack, model), model);
    }

    /** Address of the page, without the token. */
    public String address() {
        return server.address();
    }

    /**
     * Shows the path by which events reach the join of the quality job.
     *
     * @param said the job's own text about the path and the reason for it; empty: not known
     */
    public void showJoinPath(String said) {
        model.joinPath(said);
    }

    @Override
    public void close() {
        follower.close();
        server.close();
    }

    /** Serves the model's content in its state at the time of each call. */
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
        public byte[] queries(Optional<String> service, Optional<String> queryClass, int limit) {
            return model.queries(service, queryClass, limit);
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
