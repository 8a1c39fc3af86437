package io.kipimo.caching.purge;

import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Purges what the topic {@code invalidations} names, on one thread. A key that comes several times
 * among what was read at once is purged once, hard if any of them is. What was read is committed
 * when it is purged, so after a failure some is purged again, and none is left out.
 */
public final class PurgeFeed implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(500);

    private final Consumer<byte[], byte[]> consumer;
    private final CachePurger purger;
    private final PurgeSettings settings;
    private final Thread thread = new Thread(this::run, "kipimo-purges");
    private volatile boolean closed;

    PurgeFeed(Consumer<byte[], byte[]> consumer, CachePurger purger, PurgeSettings settings) {
        this.consumer = consumer;
        this.purger = purger;
        this.settings = settings;
    }

    /**
     * Purges until it is closed.
     *
     * @param group of purgers that share the work; a new one begins with the oldest invalidation,
     *     since something may be cached for long
     */
    public static PurgeFeed start(
            KafkaSettings kafka, String group, CachePurger purger, PurgeSettings settings) {
        Map<String, Object> properties = kafka.forConsumer();
        properties.put("group.id", group);
        properties.put("enable.auto.commit", false);
        properties.put("auto.offset.reset", "earliest");
        properties.put("isolation.level", "read_committed");
        Consumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.subscribe(List.of(kafka.name(Topic.INVALIDATIONS)));
        PurgeFeed feed = new PurgeFeed(consumer, purger, settings);
        feed.thread.setDaemon(true);
        feed.thread.start();
        return feed;
    }

    private void run() {
        try (consumer) {
            while (!closed) {
                step();
            }
        } catch (WakeupException e) {
            // It was closed.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Purges what is there, waiting a little for some. */
    void step() throws InterruptedException {
        ConsumerRecords<byte[], byte[]> entries = consumer.poll(POLL);
        if (entries.isEmpty()) {
            return;
        }
        Map<String, Boolean> softByPath = new LinkedHashMap<>();
        for (ConsumerRecord<byte[], byte[]> entry : entries) {
            TopicReader.decode(Codecs.INVALIDATION, entry)
                    .filter(one -> !one.isMark())
                    .ifPresent(
                            one ->
                                    softByPath.merge(
                                            settings.path(
                                                    one.service(),
                                                    one.table(),
                                                    one.key(),
                                                    one.kind() == CachedKind.QUERY),
                                            one.mode() == InvalidationMode.SOFT,
                                            Boolean::logicalAnd));
        }
        List<CompletableFuture<Void>> purges = new ArrayList<>();
        for (Map.Entry<String, Boolean> one : softByPath.entrySet()) {
            purges.add(purger.purge(one.getKey(), one.getValue()));
        }
        CompletableFuture.allOf(purges.toArray(CompletableFuture<?>[]::new)).join();
        consumer.commitSync();
    }

    /** Ends after what is being purged; the rest comes with the next start. */
    @Override
    public void close() {
        closed = true;
        consumer.wakeup();
        try {
            thread.join(settings.timeout().toMillis() * settings.attempts());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
