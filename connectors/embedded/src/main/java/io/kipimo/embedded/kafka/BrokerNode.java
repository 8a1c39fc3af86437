package io.kipimo.embedded.kafka;

import io.kipimo.embedded.process.FreePorts;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * Configuration of one KRaft node that is broker and controller.
 *
 * @param port port that is advertised to clients; it may be the port of a proxy in front of {@code listenPort}
 * @param brokerPort port for the other brokers
 */
record BrokerNode(int id, int port, int listenPort, int brokerPort, int controllerPort, Path directory) {
    private static final String HOST = "127.0.0.1";
    private static final String CONTROLLER = "CONTROLLER";

    /** Creates a node on free ports. */
    static BrokerNode create(int id, Path directory) {
        return create(id, 0, directory);
    }

    /** @param port port for clients; 0: a free port, like all other ports of the node */
    static BrokerNode create(int id, int port, Path directory) {
        int[] ports = FreePorts.distinct(3);
        int own = port == 0 ? ports[0] : port;
        return new BrokerNode(id, own, own, ports[1], ports[2], directory);
    }

    /** Returns this node with another port advertised to clients. */
    BrokerNode behind(int otherPort) {
        return new BrokerNode(id, otherPort, listenPort, brokerPort, controllerPort, directory);
    }

    /** {@code host:port} for clients. */
    String address() {
        return HOST + ":" + port;
    }

    /** Formats the node's directory for an empty broker. */
    void format(String clusterId) {
        PrintStream silence = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        try {
            new Formatter()
                    .setPrintStream(silence)
                    .setClusterId(clusterId)
                    .setNodeId(id)
                    .addDirectory(directory.toString())
                    .setMetadataLogDirectory(directory.toString())
                    .setReleaseVersion(MetadataVersion.latestProduction())
                    .setControllerListenerName(CONTROLLER)
                    .setIgnoreFormatted(true)
                    .run();
        } catch (Exception e) {
            throw new IllegalStateException("cannot format " + directory, e);
        }
    }

    static String newClusterId() {
        return Uuid.randomUuid().toString();
    }

    /** @param all all brokers of the node's cluster; a cluster of three or more tolerates the loss of one */
    Properties settings(List<BrokerNode> all) {
        int copies = Math.min(3, all.size());
        String replication = Integer.toString(copies);
        String inSync = Integer.toString(Math.max(1, copies - 1));
        Properties p = new Properties();
        p.setProperty("process.roles", "broker,controller");
        p.setProperty("node.id", Integer.toString(id));
        p.setProperty(
                "controller.quorum.voters",
                all.stream()
                        .map(node -> node.id + "@" + HOST + ":" + node.controllerPort)
                        .collect(Collectors.joining(",")));
        p.setProperty(
                "listeners",
                "PLAINTEXT://%1$s:%2$d,BROKERS://%1$s:%3$d,CONTROLLER://%1$s:%4$d"
                        .formatted(HOST, listenPort, brokerPort, controllerPort));
        p.setProperty("advertised.listeners", "PLAINTEXT://" + address() + ",BROKERS://" + HOST + ":" + brokerPort);
        p.setProperty("controller.listener.names", CONTROLLER);
        p.setProperty("inter.broker.listener.name", "BROKERS");
        p.setProperty("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,BROKERS:PLAINTEXT,CONTROLLER:PLAINTEXT");
        p.setProperty("log.dirs", directory.toString());
        p.setProperty("auto.create.topics.enable", "false");
        p.setProperty("min.insync.replicas", inSync);
        p.setProperty("offsets.topic.replication.factor", replication);
        p.setProperty("offsets.topic.num.partitions", "1");
        p.setProperty("transaction.state.log.replication.factor", replication);
        p.setProperty("transaction.state.log.min.isr", inSync);
        p.setProperty("transaction.state.log.num.partitions", "1");
        // Flink's transactional sink requests a time-out of an hour.
        p.setProperty("transaction.max.timeout.ms", "3600000");
        p.setProperty("share.coordinator.state.topic.replication.factor", replication);
        p.setProperty("share.coordinator.state.topic.min.isr", inSync);
        p.setProperty("group.initial.rebalance.delay.ms", "0");
        p.setProperty("controlled.shutdown.enable", "false");
        // The default takes 128 MiB of heap.
        p.setProperty("log.cleaner.dedupe.buffer.size", "2097152");
        return p;
    }
}
