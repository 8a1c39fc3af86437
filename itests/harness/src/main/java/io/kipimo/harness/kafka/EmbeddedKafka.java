package io.kipimo.harness.kafka;

import io.kipimo.harness.process.FreePorts;
import io.kipimo.harness.process.ScratchDirectory;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * One KRaft broker and controller on free ports of the loopback address; its data goes when it is
 * closed. Topics are not created by their use.
 */
public final class EmbeddedKafka implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final String CONTROLLER = "CONTROLLER";

    static {
        // A broker that finds a fault ends the JVM; here that would be the test's.
        Exit.setExitProcedure(EmbeddedKafka::refuseToEnd);
        Exit.setHaltProcedure(EmbeddedKafka::refuseToEnd);
    }

    private final ScratchDirectory data = ScratchDirectory.create("kafka");
    private final int port;
    private final int controllerPort;
    private KafkaRaftServer server;

    private EmbeddedKafka() {
        int[] ports = FreePorts.distinct(2);
        port = ports[0];
        controllerPort = ports[1];
    }

    /** Starts an empty broker; it serves when this returns. */
    public static EmbeddedKafka start() {
        EmbeddedKafka kafka = new EmbeddedKafka();
        try {
            kafka.format();
            kafka.restart();
            return kafka;
        } catch (RuntimeException e) {
            kafka.close();
            throw e;
        }
    }

    /** {@code host:port}; the same after a restart. */
    public String bootstrapServers() {
        return HOST + ":" + port;
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
        server = new KafkaRaftServer(new KafkaConfig(settings(), false), Time.SYSTEM);
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

    private void format() {
        String directory = data.path().toString();
        PrintStream silence =
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        try {
            new Formatter()
                    .setPrintStream(silence)
                    .setClusterId(Uuid.randomUuid().toString())
                    .setNodeId(1)
                    .addDirectory(directory)
                    .setMetadataLogDirectory(directory)
                    .setReleaseVersion(MetadataVersion.latestProduction())
                    .setControllerListenerName(CONTROLLER)
                    .setIgnoreFormatted(true)
                    .run();
        } catch (Exception e) {
            throw new IllegalStateException("cannot format " + directory, e);
        }
    }

    private Properties settings() {
        String broker = HOST + ":" + port;
        String controller = HOST + ":" + controllerPort;
        Properties p = new Properties();
        p.setProperty("process.roles", "broker,controller");
        p.setProperty("node.id", "1");
        p.setProperty("controller.quorum.voters", "1@" + controller);
        p.setProperty("listeners", "PLAINTEXT://" + broker + "," + CONTROLLER + "://" + controller);
        p.setProperty("advertised.listeners", "PLAINTEXT://" + broker);
        p.setProperty("controller.listener.names", CONTROLLER);
        p.setProperty("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        p.setProperty("log.dirs", data.path().toString());
        p.setProperty("auto.create.topics.enable", "false");
        p.setProperty("offsets.topic.replication.factor", "1");
        p.setProperty("offsets.topic.num.partitions", "1");
        p.setProperty("transaction.state.log.replication.factor", "1");
        p.setProperty("transaction.state.log.min.isr", "1");
        p.setProperty("transaction.state.log.num.partitions", "1");
        // The transactional sink of Flink asks for an hour.
        p.setProperty("transaction.max.timeout.ms", "3600000");
        p.setProperty("share.coordinator.state.topic.replication.factor", "1");
        p.setProperty("share.coordinator.state.topic.min.isr", "1");
        p.setProperty("group.initial.rebalance.delay.ms", "0");
        p.setProperty("controlled.shutdown.enable", "false");
        // 128 MiB of heap otherwise.
        p.setProperty("log.cleaner.dedupe.buffer.size", "2097152");
        return p;
    }

    private static void refuseToEnd(int status, String message) {
        throw new IllegalStateException(
                "the broker wanted to end the JVM with status " + status + ": " + message);
    }
}
