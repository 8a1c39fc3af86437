package io.kipimo.embedded.kafka;

import io.kipimo.embedded.process.ScratchDirectory;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;

/**
 * One KRaft broker and controller on the loopback address. Its data is deleted when it is closed. Topics are not
 * created automatically.
 */
public final class EmbeddedKafka implements AutoCloseable {
    static {
        // A broker ends the JVM on a fatal fault; here that would end the test's JVM.
        Exit.setExitProcedure(EmbeddedKafka::refuseToEnd);
        Exit.setHaltProcedure(EmbeddedKafka::refuseToEnd);
    }

    private static final AtomicReference<Consumer<String>> ON_FATAL = new AtomicReference<>(fault -> {});

    private final ScratchDirectory data = ScratchDirectory.create("kafka");
    private final BrokerNode node;
    private final Consumer<Properties> more;
    private KafkaRaftServer server;

    private EmbeddedKafka(int port, Consumer<Properties> more) {
        this.more = more;
        node = BrokerNode.create(1, port, data.path());
    }

    /**
     * @param taker receives the reason when a broker of this JVM cannot continue, for example because a disk is full
     */
    public static void onFatal(Consumer<String> taker) {
        ON_FATAL.set(taker);
    }

    /** Starts an empty broker on free ports. Returns when it accepts requests. */
    public static EmbeddedKafka start() {
        return start(0);
    }

    /**
     * Starts an empty broker. Returns when it accepts requests.
     *
     * @param port port for clients; 0: a free port
     */
    public static EmbeddedKafka start(int port) {
        return start(port, settings -> {});
    }

    /** @param more changes the broker's settings */
    static EmbeddedKafka start(int port, Consumer<Properties> more) {
        EmbeddedKafka kafka = new EmbeddedKafka(port, more);
        try {
            kafka.node.format(BrokerNode.newClusterId());
            kafka.restart();
            return kafka;
        } catch (RuntimeException e) {
            kafka.close();
            throw e;
        }
    }

    /** {@code host:port}; unchanged by a restart. */
    public String bootstrapServers() {
        return node.address();
    }

    /** Stops the broker; its data and its address are kept. */
    public void stop() {
        if (server != null) {
            server.shutdown();
            server.awaitShutdown();
            server = null;
        }
    }

    /** Starts the broker again, with its former data and address. A running broker is stopped first. */
    public void restart() {
        stop();
        Properties settings = node.settings(List.of(node));
        more.accept(settings);
        server = new KafkaRaftServer(new KafkaConfig(settings, false), Time.SYSTEM);
        server.startup();
    }

    @Override
    public void close() {
        try {
            stop();
        } finally {
            data.close();
        }
    }

    private static void refuseToEnd(int status, String message) {
        ON_FATAL.get().accept(message == null ? "status " + status : message);
        throw new IllegalStateException("the broker wanted to end the JVM with status " + status + ": " + message);
    }
}
