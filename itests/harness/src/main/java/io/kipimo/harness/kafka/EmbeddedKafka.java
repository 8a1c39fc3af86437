package io.kipimo.harness.kafka;

import io.kipimo.harness.process.ScratchDirectory;
import java.util.List;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;

/**
 * One KRaft broker and controller on free ports of the loopback address; its data goes when it is
 * closed. Topics are not created by their use.
 */
public final class EmbeddedKafka implements AutoCloseable {
    static {
        // A broker that finds a fault ends the JVM; here that would be the test's.
        Exit.setExitProcedure(EmbeddedKafka::refuseToEnd);
        Exit.setHaltProcedure(EmbeddedKafka::refuseToEnd);
    }

    private final ScratchDirectory data = ScratchDirectory.create("kafka");
    private final BrokerNode node = BrokerNode.create(1, data.path());
    private KafkaRaftServer server;

    private EmbeddedKafka() {}

    /** Starts an empty broker; it serves when this returns. */
    public static EmbeddedKafka start() {
        EmbeddedKafka kafka = new EmbeddedKafka();
        try {
            kafka.node.format(BrokerNode.newClusterId());
            kafka.restart();
            return kafka;
        } catch (RuntimeException e) {
            kafka.close();
            throw e;
        }
    }

    /** {@code host:port}; the same after a restart. */
    public String bootstrapServers() {
        return node.address();
    }

    /** Stops it; its data and its address stay. */
    public void stop() {
        if (server != null) {
            server.shutdown();
            server.awaitShutdown();
            server = null;
        }
    }

    /** Starts it again where {@link #stop} left it. */
    public void restart() {
        stop();
        server =
                new KafkaRaftServer(
                        new KafkaConfig(node.settings(List.of(node)), false), Time.SYSTEM);
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
        throw new IllegalStateException(
                "the broker wanted to end the JVM with status " + status + ": " + message);
    }
}
