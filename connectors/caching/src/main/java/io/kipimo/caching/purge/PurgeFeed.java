package io.kipimo.caching.purge;

import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicLoop;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Purges the keys in topic {@code invalidations}, on one thread. A key that occurs several times in one poll is purged
 * once, and hard if any of its notifications is hard. Offsets are committed after the purge, so after a failure some
 * keys are purged again and none is missed.
 */
public final class PurgeFeed implements AutoCloseable {
    private final CachePurger purger;
    private final CachePurger.Purging settings;
    private final TopicLoop loop;

    /**
     * @param consumers creates consumers, each of which begins at the first notification whose purge is not committed
     */
    PurgeFeed(Supplier<Consumer<byte[], byte[]>> consumers, CachePurger purger, CachePurger.Purging settings) {
        this.purger = purger;
        this.settings = settings;
        loop = new TopicLoop(
                "kipimo-purges",
                consumers,
                (consumer, running) -> {
                    while (!running.isClosed(0)) {
                        step(consumer);
                    }
                },
                e -> {},
                settings.timeout().toMillis() * settings.attempts());
    }

    /**
     * Starts to purge; continues until closed.
     *
     * @param group consumer group whose members share the work; a new group starts with the oldest notification, since
     *     caches may hold content for long
     */
    public static PurgeFeed start(KafkaSettings kafka, String group, CachePurger purger, CachePurger.Purging settings) {
        Map<String, Object> properties = kafka.forConsumer();
        properties.put("group.id", group);
        properties.put("enable.auto.commit", false);
        properties.put("auto.offset.reset", "earliest");
        properties.put("isolation.level", "read_committed");
        PurgeFeed feed = new PurgeFeed(
                () -> {
                    var consumer = new KafkaConsumer<byte[], byte[]>(
                            properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
                    consumer.subscribe(List.of(kafka.name(Topic.INVALIDATIONS)));
                    return consumer;
                },
                purger,
                settings);
        feed.start();
        return feed;
    }

    void start() {
        loop.start();
    }

    /** Waits a short time for notifications, and purges their keys. */
    void step(Consumer<byte[], byte[]> consumer) throws InterruptedException {
        ConsumerRecords<byte[], byte[]> entries = consumer.poll(TopicLoop.POLL);
        if (entries.isEmpty()) {
            return;
        }
        Map<String, Boolean> softByPath = new LinkedHashMap<>();
        TopicLoop.each(entries, entry -> TopicReader.decode(Codecs.INVALIDATION, entry)
                .filter(one -> !one.isMark())
                .ifPresent(one -> softByPath.merge(
                        settings.paths().path(one.service(), one.table(), one.key(), one.kind() == CachedKind.QUERY),
                        one.mode() == InvalidationMode.SOFT,
                        Boolean::logicalAnd)));
        List<CompletableFuture<Void>> purges = new ArrayList<>();
        for (Map.Entry<String, Boolean> one : softByPath.entrySet()) {
            purges.add(purger.purge(one.getKey(), one.getValue()));
        }
        CompletableFuture.allOf(purges.toArray(CompletableFuture<?>[]::new)).join();
        consumer.commitSync();
    }

    /** Ends after the purges in progress; the next start continues with the rest. */
    @Override
    public void close() {
        loop.close();
    }
}
