package io.kipimo.bench.side;

import io.kipimo.schemas.topics.Topic;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Finds the time when this JVM's Kafka consumers get the first event, from their metrics. So the clock starts at the
 * same moment for all sides, however long they take for tasks, groups and assignments before.
 */
public final class FirstEvent implements AutoCloseable {
    private static final String METRICS = "kafka.consumer:type=consumer-fetch-manager-metrics,client-id=*,topic=*";

    /** Topics of the events of all benchmarks. */
    private static final List<Topic> LOGS = List.of(Topic.ANSWERS, Topic.PARTIALS, Topic.SERVER_OBSERVATIONS);

    /** Time between looks at the metrics. The metrics are read only until the first event comes. */
    private static final long POLL_MILLIS = 5;

    private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    private final Set<String> topics;
    private final Thread watcher = new Thread(this::watch, "first-event");
    private volatile long nanos;

    private FirstEvent(Set<String> topics) {
        this.topics = topics;
        watcher.setDaemon(true);
        watcher.start();
    }

    /** Watches for events of the request's log. Consumers of earlier requests must be closed. */
    public static FirstEvent of(SideRequest request) {
        return new FirstEvent(LOGS.stream()
                .map(topic -> plain(topic.name(request.topicPrefix())))
                .collect(Collectors.toSet()));
    }

    /**
     * Time since the first event, microseconds.
     *
     * @throws IllegalStateException if there was none
     */
    public long microsSince() {
        if (nanos == 0) {
            throw new IllegalStateException("no consumer of this side got an event");
        }
        return (System.nanoTime() - nanos) / 1000;
    }

    private void watch() {
        try {
            while (!isSeen()) {
                Thread.sleep(POLL_MILLIS);
            }
            nanos = System.nanoTime();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (JMException e) {
            throw new IllegalStateException("consumers' metrics cannot be read", e);
        }
    }

    private boolean isSeen() throws JMException {
        // A topic has metrics from its first fetched record on.
        return beans.queryNames(new ObjectName(METRICS), null).stream()
                .anyMatch(name -> topics.contains(plain(name.getKeyProperty("topic"))));
    }

    /**
     * A topic's name without special characters. Kafka clients quote some names in metrics, and replace dots in others.
     */
    private static String plain(String topic) {
        return topic.replaceAll("[^A-Za-z0-9]", "");
    }

    @Override
    public void close() {
        watcher.interrupt();
    }
}
