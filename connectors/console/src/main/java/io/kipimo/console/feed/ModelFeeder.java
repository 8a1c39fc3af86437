package io.kipimo.console.feed;

import io.kipimo.console.model.ConsoleModel;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicLoop;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Feeds a model from all topics that the console shows, on one daemon thread. It uses no consumer group, so any number
 * of consoles can run. It checks for new topics and partitions regularly. While the broker is unavailable, the feeder
 * reports the outage; afterwards it continues at the offsets where it stopped.
 */
public final class ModelFeeder implements AutoCloseable {
    private static final Duration ANSWER = Duration.ofSeconds(3);
    private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long DISCOVER_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int POLL_RECORDS = 2_000;

    private final KafkaSettings settings;
    private final Duration lookBack;
    private final ConsoleModel model;
    private final Map<String, Feed> feeds = new HashMap<>();
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    private final Map<Feed, Integer> readThisSecond = new HashMap<>();
    private final TopicLoop loop;
    private long quotaSecond;
    private Ends ends = new Ends(0, Map.of());

    /** End offsets of partitions, with the time at which they were requested. */
    private record Ends(long atMillis, Map<TopicPartition, Long> offsets) {
        boolean areRead(KafkaConsumer<byte[], byte[]> consumer) {
            Set<TopicPartition> assigned = consumer.assignment();
            return offsets.entrySet().stream()
                    .filter(end -> assigned.contains(end.getKey()))
                    .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
        }
    }

    private ModelFeeder(KafkaSettings settings, Duration lookBack, ConsoleModel model) {
        this.settings = settings;
        this.lookBack = lookBack;
        this.model = model;
        for (Feed feed : Feed.ALL) {
            feeds.put(settings.name(feed.topic()), feed);
        }
        this.loop = new TopicLoop(
                "kipimo-console-follower", this::consumer, this::follow, this::away, TopicLoop.POLL.toMillis() * 5);
    }

    /** The topics that the console reads. */
    public static List<Topic> topics() {
        return Feed.ALL.stream().map(Feed::topic).toList();
    }

    /**
     * Starts a feeder.
     *
     * @param lookBack length of the past that is read of topics that are not compacted
     */
    public static ModelFeeder start(KafkaSettings settings, Duration lookBack, ConsoleModel model) {
        ModelFeeder feeder = new ModelFeeder(settings, lookBack, model);
        feeder.loop.start();
        return feeder;
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        Map<String, Object> properties = settings.forReader();
        properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, POLL_RECORDS);
        properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) ANSWER.toMillis());
        properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) ANSWER.toMillis());
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Reads until closed. */
    private void follow(KafkaConsumer<byte[], byte[]> consumer, TopicLoop running) {
        long probedAt = System.nanoTime() - PROBE_NANOS;
        long discoveredAt = System.nanoTime() - DISCOVER_NANOS;
        while (!running.isClosed(0)) {
            long now = System.nanoTime();
            if (now - probedAt >= PROBE_NANOS) {
                try {
                    if (now - discoveredAt >= DISCOVER_NANOS
                            || consumer.assignment().isEmpty()) {
                        discover(consumer);
                        discoveredAt = now;
                    }
                    probe(consumer);
                } catch (TimeoutException e) {
                    away(e);
                }
                probedAt = System.nanoTime();
            }
            if (consumer.assignment().isEmpty()) {
                running.isClosed(TopicLoop.POLL.toMillis());
            } else {
                dispatch(consumer.poll(TopicLoop.POLL));
            }
        }
    }

    private void discover(KafkaConsumer<byte[], byte[]> consumer) {
        Set<TopicPartition> present = new HashSet<>();
        Map<String, List<PartitionInfo>> topics = consumer.listTopics(ANSWER);
        feeds.keySet().forEach(topic -> topics.getOrDefault(topic, List.of())
                .forEach(p -> present.add(new TopicPartition(topic, p.partition()))));
        if (present.equals(consumer.assignment())) {
            return;
        }
        List<TopicPartition> fresh = new ArrayList<>(present);
        fresh.removeAll(consumer.assignment());
        Map<TopicPartition, Long> starts = starts(consumer, fresh);
        consumer.assign(present);
        positions.keySet().retainAll(present);
        starts.forEach(consumer::seek);
    }

    private Map<TopicPartition, Long> starts(KafkaConsumer<byte[], byte[]> consumer, List<TopicPartition> fresh) {
        long nowMillis = System.currentTimeMillis();
        Map<TopicPartition, Long> starts = new HashMap<>(consumer.beginningOffsets(fresh, ANSWER));
        Map<TopicPartition, Long> times = new HashMap<>();
        for (TopicPartition partition : fresh) {
            feeds.get(partition.topic())
                    .lookBack(lookBack)
                    .ifPresent(back -> times.put(partition, nowMillis - back.toMillis()));
        }
        starts.putAll(TopicReader.offsetsSince(consumer, times));
        starts.replaceAll((partition, start) -> positions.getOrDefault(partition, start));
        return starts;
    }

    /**
     * Checks that the broker answers. Polls do not show whether Kafka is available, since they do not fail while it is
     * unavailable.
     */
    private void probe(KafkaConsumer<byte[], byte[]> consumer) {
        long nowMillis = System.currentTimeMillis();
        Ends newest = new Ends(nowMillis, consumer.endOffsets(consumer.assignment(), ANSWER));
        model.connected(nowMillis);
        if (newest.areRead(consumer)) {
            model.readUntil(nowMillis);
        } else if (ends.areRead(consumer)) {
            // Under load the newest end is never reached, but an earlier one is.
            model.readUntil(ends.atMillis());
            ends = newest;
        }
        for (TopicPartition partition : newest.offsets().keySet()) {
            positions.put(partition, consumer.position(partition));
        }
    }

    private void dispatch(ConsumerRecords<byte[], byte[]> records) {
        if (records.isEmpty()) {
            return;
        }
        long nowMillis = System.currentTimeMillis();
        long newestMillis = 0;
        List<ConsumerRecord<byte[], byte[]>> shown = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> entry : records) {
            newestMillis = Math.max(newestMillis, entry.timestamp());
            if (isWithinQuota(feeds.get(entry.topic()), nowMillis)) {
                shown.add(entry);
            }
        }
        TopicLoop.each(shown, entry -> take(entry, nowMillis), (entry, e) -> model.unreadable());
        model.read(newestMillis, nowMillis);
    }

    private boolean isWithinQuota(Feed feed, long nowMillis) {
        if (feed.mostPerSecond() == Integer.MAX_VALUE) {
            return true;
        }
        if (nowMillis / 1000 != quotaSecond) {
            quotaSecond = nowMillis / 1000;
            readThisSecond.clear();
        }
        return readThisSecond.merge(feed, 1, Integer::sum) <= feed.mostPerSecond();
    }

    private void take(ConsumerRecord<byte[], byte[]> entry, long nowMillis) throws InvalidRecordException {
        Feed feed = feeds.get(entry.topic());
        if (entry.value() != null) {
            feed.reading().read(entry.value(), model, nowMillis);
        } else if (feed.topic() == Topic.POLICIES && entry.key() != null) {
            model.policyRemoved(new String(entry.key(), StandardCharsets.UTF_8));
        }
    }

    private void away(Exception e) {
        model.away(System.currentTimeMillis());
    }

    @Override
    public void close() {
        loop.close();
    }
}
