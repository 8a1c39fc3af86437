package io.kipimo.embedded.kafka;

import static io.kipimo.testing.Patience.PATIENCE;

import io.kipimo.embedded.network.TcpProxy;
import io.kipimo.embedded.process.ChildProcess;
import io.kipimo.embedded.process.ScratchDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import kafka.Kafka;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartitionInfo;

/**
 * Kafka brokers in JVMs of their own. Each can be killed, paused, and cut off from its clients. With three brokers,
 * topics may have three replicas, of which two must be in sync. Indexes count from 0.
 */
public final class KafkaCluster implements AutoCloseable {

    private final ScratchDirectory scratch = ScratchDirectory.create("kafka-cluster");
    private final List<BrokerNode> nodes = new ArrayList<>();
    private final List<TcpProxy> doors = new ArrayList<>();
    private final List<ChildProcess> processes = new ArrayList<>();

    private KafkaCluster() {}

    /** Starts empty brokers. Returns when all accept requests, after some seconds. */
    public static KafkaCluster start(int brokers) {
        KafkaCluster cluster = new KafkaCluster();
        try {
            String clusterId = BrokerNode.newClusterId();
            for (int i = 0; i < brokers; i++) {
                BrokerNode node = BrokerNode.create(i + 1, cluster.scratch.directory("data-" + (i + 1)));
                TcpProxy door = TcpProxy.to(node.listenPort());
                cluster.doors.add(door);
                cluster.nodes.add(node.behind(door.port()));
                node.format(clusterId);
            }
            for (int i = 0; i < brokers; i++) {
                cluster.processes.add(cluster.launch(i));
            }
            cluster.awaitAll();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    public String bootstrapServers() {
        return nodes.stream().map(BrokerNode::address).collect(Collectors.joining(","));
    }

    /** The broker that leads a partition at this moment. */
    public int leader(String topic, int partition) {
        try (Admin admin = admin()) {
            TopicDescription found =
                    admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
            return found.partitions().get(partition).leader().id() - 1;
        } catch (ExecutionException e) {
            throw new IllegalStateException("no leader of " + topic, e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Kills a broker, like {@code kill -9}. */
    public void kill(int broker) {
        processes.get(broker).kill();
    }

    /** Restarts a killed broker with its data. */
    public void revive(int broker) {
        processes.set(broker, launch(broker));
    }

    /** Pauses a broker, like {@code kill -STOP}; its connections stay open. */
    public void pause(int broker) {
        signal(broker, "-STOP");
    }

    public void resume(int broker) {
        signal(broker, "-CONT");
    }

    private void signal(int broker, String signal) {
        String pid = Long.toString(processes.get(broker).pid());
        try {
            if (new ProcessBuilder("kill", signal, pid).start().waitFor() != 0) {
                throw new IllegalStateException("kill " + signal + " " + pid + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** The proxy in front of a broker. Clients connect through it; the other brokers do not. */
    public TcpProxy door(int broker) {
        return doors.get(broker);
    }

    /** Waits until all brokers are up and every replica of every partition is in sync. */
    public void awaitAll() {
        try (Admin admin = admin()) {
            for (ChildProcess process : processes) {
                process.awaitReady("broker", () -> areAllThere(admin), PATIENCE);
            }
        }
    }

    private boolean areAllThere(Admin admin) {
        try {
            if (admin.describeCluster().nodes().get().size() < nodes.size()) {
                return false;
            }
            return admin.describeTopics(admin.listTopics().names().get()).allTopicNames().get().values().stream()
                    .flatMap(topic -> topic.partitions().stream())
                    .allMatch(KafkaCluster::isWhole);
        } catch (ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static boolean isWhole(TopicPartitionInfo partition) {
        return partition.isr().size() == partition.replicas().size();
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", bootstrapServers()));
    }

    private ChildProcess launch(int broker) {
        BrokerNode node = nodes.get(broker);
        Path settings = scratch.path().resolve("broker-" + node.id() + ".properties");
        try (Writer writer = Files.newBufferedWriter(settings)) {
            node.settings(nodes).store(writer, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ChildProcess.start(
                Kafka.class,
                List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                List.of(settings.toString()),
                scratch.path().resolve("broker-" + node.id() + ".log"));
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted", e);
    }

    @Override
    public void close() {
        processes.forEach(ChildProcess::kill);
        doors.forEach(TcpProxy::close);
        scratch.close();
    }
}
