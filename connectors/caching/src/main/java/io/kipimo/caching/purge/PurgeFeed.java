package io.kipimo.caching.purge;

import io.kipimo.caching.ConsumerLoop;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.InvalidationMode;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Purges the keys in topic {@code invalidations}, on one thread. A key that occurs several times in one poll is purged
 * once, hard if any of its notifications is. Offsets are committed after the purge, so after a failure some keys are
 * purged again and none is missed.
 */
public final class PurgeFeed implements AutoCloseable {
    private final Consumer<byte[], byte[]> consumer;
    private final CachePurger purger;
    private final CachePurger.Purging settings;
    private final ConsumerLoop loop;

    PurgeFeed(Consumer<byte[], byte[]> consumer, CachePurger purger, CachePurger.Purging settings) {
        this.consumer = consumer;
        this.purger = purger;
        this.settings = settings;
        // The purges are done; a commit that failed is made up by the next one.
        loop = new ConsumerLoop(
                "kipimo-purges",
                consumer,
                this::step,
                e -> purger.warn("a step of purging failed, the next follows", e),
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
        Consumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.subscribe(List.of(kafka.name(Topic.INVALIDATIONS)));
        PurgeFeed feed = new PurgeFeed(consumer, purger, settings);
        feed.start();
        return feed;
    }

    void start() {
        loop.start();
    }

    /** Waits shortly for notifications and purges them. */
    void step() throws InterruptedException {
        ConsumerRecords<byte[], byte[]> entries = consumer.poll(ConsumerLoop.POLL);
        if (entries.isEmpty()) {
            return;
        }
        Map<String, Boolean> softByPath = new LinkedHashMap<>();
        for (ConsumerRecord<byte[], byte[]> entry : entries) {
            TopicReader.decode(Codecs.INVALIDATION, entry)
                    .filter(one -> !one.isMark())
                    .ifPresent(one -> softByPath.merge(
                            settings.paths()
                                    .path(one.service(), one.table(), one.key(), one.kind() == CachedKind.QUERY),
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

    /** Ends after the purges in progress; the next start continues with the rest. */
    @Override
    public void close() {
        loop.close();
    }
}
