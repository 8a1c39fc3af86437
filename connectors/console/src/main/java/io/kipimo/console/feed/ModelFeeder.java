package io.kipimo.console.feed;

import io.kipimo.console.model.ConsoleModel;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds a model from all topics that the console shows, on one daemon thread. It uses no consumer group, so any number
 * of consoles can run. It checks for new topics and partitions regularly. While the broker is unavailable it reports
 * the outage. Afterwards it continues at the same offsets.
 */
public final class ModelFeeder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ModelFeeder.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration ANSWER = Duration.ofSeconds(3);
    private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long DISCOVER_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long RETRY_MILLIS = 1_000;
    private static final int POLL_RECORDS = 2_000;

    private final KafkaSettings settings;
    private final Duration lookBack;
    private final ConsoleModel model;
    private final Map<String, Feed> feeds = new HashMap<>();
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    private final Map<Feed, Integer> readThisSecond = new HashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private long quotaSecond;
    private Ends ends = new Ends(0, Map.of());
    private boolean isReported;

    /** End offsets, and when they were asked for. */
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
        this.thread = new Thread(this::run, "kipimo-console-follower");
        thread.setDaemon(true);
    }

    /** The topics that the console reads. */
    public static List<Topic> topics() {
        return Feed.ALL.stream().map(Feed::topic).toList();
    }

    /**
     * Starts to read.
     *
     * @param lookBack how far back topics that are not compacted are read
     */
    public static ModelFeeder start(KafkaSettings settings, Duration lookBack, ConsoleModel model) {
        ModelFeeder feeder = new ModelFeeder(settings, lookBack, model);
        feeder.thread.start();
        return feeder;
    }

    private void run() {
        while (!isClosed(0)) {
            try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
                follow(consumer);
            } catch (InterruptException e) {
                return;
            } catch (RuntimeException e) {
                reportUnavailable(e);
            }
            isClosed(RETRY_MILLIS);
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        Map<String, Object> properties = settings.forReader();
        properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, POLL_RECORDS);
        properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) ANSWER.toMillis());
        properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) ANSWER.toMillis());
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Reads until closed. */
    private void follow(KafkaConsumer<byte[], byte[]> consumer) {
        long probedAt = System.nanoTime() - PROBE_NANOS;
        long discoveredAt = System.nanoTime() - DISCOVER_NANOS;
        while (!isClosed(0)) {
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
                    reportUnavailable(e);
                }
                probedAt = System.nanoTime();
            }
            if (consumer.assignment().isEmpty()) {
                isClosed(POLL.toMillis());
            } else {
                dispatch(consumer.poll(POLL));
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
        isReported = false;
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
        for (ConsumerRecord<byte[], byte[]> entry : records) {
            newestMillis = Math.max(newestMillis, entry.timestamp());
            Feed feed = feeds.get(entry.topic());
            if (isWithinQuota(feed, nowMillis)) {
                dispatch(feed, entry, nowMillis);
            }
        }
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

    private void dispatch(Feed feed, ConsumerRecord<byte[], byte[]> entry, long nowMillis) {
        if (entry.value() == null) {
            if (feed.topic() == Topic.POLICIES && entry.key() != null) {
                model.policyRemoved(new String(entry.key(), StandardCharsets.UTF_8));
            }
            return;
        }
        try {
            feed.reading().read(entry.value(), model, nowMillis);
        } catch (InvalidRecordException | RuntimeException e) {
            // No record may end the console, so catch any exception of decoding.
            model.unreadable();
            LOG.debug(
                    "skipping record at {}-{} offset {}: {}",
                    entry.topic(),
                    entry.partition(),
                    entry.offset(),
                    e.toString());
        }
    }

    private void reportUnavailable(RuntimeException e) {
        model.away(System.currentTimeMillis());
        if (!isReported) {
            LOG.warn(
                    "Kafka at {} is unavailable, will retry: {}",
                    settings.bootstrapServers(),
                    Optional.ofNullable(e.getMessage()).orElseGet(e::toString));
            isReported = true;
        }
    }

    private boolean isClosed(long waitMillis) {
        try {
            return closed.await(waitMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(POLL.toMillis() * 5);
            // The thread probably waits for Kafka.
            thread.interrupt();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
