package io.kipimo.sdk;

import io.kipimo.schemas.caching.CacheCounts;
import io.kipimo.schemas.caching.CacheRead;
import io.kipimo.schemas.caching.CacheUse;
import io.kipimo.schemas.caching.CachedScope;
import io.kipimo.schemas.caching.RecordWrite;
import io.kipimo.schemas.caching.Subscription;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.caching.CacheUses;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Publishes the reports of an origin on its cached answers, and of clients on their caches.
 *
 * <p>An origin answers a read in this order: look up the time to live; report the read to {@code StaleKeys} and wait
 * until that is done; evaluate the query; answer; call {@link #read}. Thus every change after the evaluation finds the
 * read reported. Reads and uses are statistics, so those that exceed the buffer are dropped and counted. A lost write
 * or subscription would leave stale answers in caches, so Kafka must confirm each of these.
 */
public final class CachingReports implements AutoCloseable {
    private static final int BUFFER_READS = 10_000;
    private static final long CONFIRMED_BLOCK_MILLIS = 5_000;

    private record UseReport(String service, String table, String reporter, CacheUses uses) {}

    private final KafkaSettings kafka;
    private final InstantSource clock;
    private final Outbox outbox;
    private final EmissionCounts tally = new EmissionCounts();
    private final KafkaProducer<byte[], byte[]> confirmed;
    private final List<UseReport> useReports = new CopyOnWriteArrayList<>();
    private final EverySecond seconds;

    private CachingReports(KafkaSettings kafka, InstantSource clock) {
        this.kafka = kafka;
        this.clock = clock;
        Map<String, Object> producing = Kipimo.producing(kafka, "cache-reports");
        outbox = new Outbox(BUFFER_READS, () -> producer(producing), Kipimo.CLOSE_WAIT);
        Map<String, Object> confirming = Kipimo.producing(kafka, "cache-writes");
        confirming.put("max.block.ms", CONFIRMED_BLOCK_MILLIS);
        // The writer waits for it, and stale answers are served meanwhile; records batch while others are on their way.
        if (!kafka.properties().containsKey(ProducerConfig.LINGER_MS_CONFIG)) {
            confirming.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        }
        confirmed = producer(confirming);
        seconds = new EverySecond("kipimo-caching-reports", clock, this::publishSecond);
    }

    /**
     * Connects to Kafka. Returns at once, even if Kafka is unavailable.
     *
     * @throws IllegalArgumentException if a secret cannot be read
     */
    public static CachingReports connect(KafkaSettings kafka) {
        return new CachingReports(kafka, InstantSource.system());
    }

    /** Reports that an answer was handed out; never blocks. */
    public void read(CacheRead read) {
        offer(
                Topic.READS,
                CachedScope.of(read.service(), read.table(), read.key()),
                read.readMillis(),
                Codecs.CACHE_READ,
                read);
    }

    /**
     * Reports a record after a write, for the detection of changed answers.
     *
     * @return completes when Kafka has stored the record; fails if Kafka does not
     */
    public CompletableFuture<Void> wrote(RecordWrite write) {
        return confirm(
                Topic.WRITES,
                CachedScope.of(write.service(), write.table(), write.record()),
                write.writtenMillis(),
                Codecs.RECORD_WRITE,
                write);
    }

    /**
     * Subscribes a query whose cached result is to be invalidated. Call it before the result is handed out.
     *
     * @return completes when Kafka has stored the subscription; fails if Kafka does not
     */
    public CompletableFuture<Void> subscribe(Subscription subscription) {
        return confirm(
                Topic.SUBSCRIPTIONS,
                CachedScope.of(subscription.service(), subscription.table(), subscription.key()),
                subscription.registeredMillis(),
                Codecs.SUBSCRIPTION,
                subscription);
    }

    /**
     * Counters of reads of one table, by clients or a cache. They are published once a second.
     *
     * @param reporter name of the process that counts
     * @throws IllegalArgumentException if an argument is not a valid name
     */
    public CacheUses uses(String service, String table, String reporter) {
        List<String> problems = new ArrayList<>();
        KipimoConfig.checkName("service", service, problems);
        KipimoConfig.checkName("table", table, problems);
        KipimoConfig.checkName("reporter", reporter, problems);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        CacheUses uses = new CacheUses();
        useReports.add(new UseReport(service, table, reporter, uses));
        return uses;
    }

    /** Delivery counts of reads and uses. */
    public EmitterStats stats() {
        return tally.stats();
    }

    private void publishSecond(long nowMillis) {
        long second = Math.floorDiv(nowMillis, 1000) * 1000 - 1000;
        for (UseReport one : useReports) {
            CacheCounts counts = one.uses().take();
            if (!counts.equals(CacheCounts.NONE)) {
                CacheUse use = new CacheUse(one.service(), one.table(), one.reporter(), second, counts);
                offer(
                        Topic.CACHE_USES,
                        CachedScope.of(one.service(), one.table()),
                        use.endMillis(),
                        Codecs.CACHE_USE,
                        use);
            }
        }
    }

    private <T> void offer(Topic topic, String key, long timestampMillis, Codec<T> codec, T event) {
        outbox.offer(queued(topic, key, timestampMillis, codec, event));
    }

    private <T> Outbox.QueuedEvent<T> queued(Topic topic, String key, long timestampMillis, Codec<T> codec, T event) {
        return new Outbox.QueuedEvent<>(kafka.name(topic), key, timestampMillis, codec, event, tally);
    }

    private <T> CompletableFuture<Void> confirm(
            Topic topic, String key, long timestampMillis, Codec<T> codec, T event) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        try {
            var unused = confirmed.send(
                    queued(topic, key, timestampMillis, codec, event).toRecord(), (metadata, failure) -> {
                        if (failure == null) {
                            done.complete(null);
                        } else {
                            done.completeExceptionally(failure);
                        }
                    });
        } catch (InvalidRecordException | RuntimeException e) {
            done.completeExceptionally(e);
        }
        return done;
    }

    private static KafkaProducer<byte[], byte[]> producer(Map<String, Object> properties) {
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Sends counts and queued events; gives up after some seconds. */
    @Override
    public void close() {
        if (seconds.end()) {
            publishSecond(clock.millis());
        }
        outbox.close();
        confirmed.close(Kipimo.CLOSE_WAIT);
    }
}
