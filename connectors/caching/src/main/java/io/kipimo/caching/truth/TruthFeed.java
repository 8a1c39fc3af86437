package io.kipimo.caching.truth;

import io.kipimo.schemas.caching.CacheTruth;
import io.kipimo.schemas.caching.CachedKind;
import io.kipimo.schemas.caching.CachedScope;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicLoop;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Tells a {@link TruthProber} about all writes from its start on, and publishes what the prober finds, on one thread.
 * Written records come from topic {@code writes}, so the prober also looks at changes that the invalidation job loses.
 * Changed queries come from that job's notifications.
 */
public final class TruthFeed implements AutoCloseable {
    private static final long PUBLISH_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long PATIENCE_MILLIS = 5_000;

    private final KafkaSettings kafka;
    private final Producer<byte[], byte[]> producer;
    private final TruthProber prober;
    private final TopicLoop loop;

    /** Time of the last publication, {@link System#nanoTime}. Only the loop's thread uses it. */
    private long publishedNanos = System.nanoTime() - PUBLISH_NANOS;

    private TruthFeed(KafkaSettings kafka, Producer<byte[], byte[]> producer, TruthProber prober) {
        this.kafka = kafka;
        this.producer = producer;
        this.prober = prober;
        // Opened here: what is written after the start is read.
        var first = new AtomicReference<>(consumer());
        loop = new TopicLoop(
                "kipimo-cache-truth-feed",
                () -> Optional.ofNullable(first.getAndSet(null)).orElseGet(this::consumer),
                this::follow,
                e -> {},
                PATIENCE_MILLIS);
    }

    /** Starts to read and publish; continues until closed. */
    public static TruthFeed start(KafkaSettings kafka, TruthProber prober) {
        Map<String, Object> properties = kafka.forProducer();
        properties.put("max.block.ms", PATIENCE_MILLIS);
        TruthFeed feed = new TruthFeed(
                kafka, new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer()), prober);
        feed.loop.start();
        return feed;
    }

    private Consumer<byte[], byte[]> consumer() {
        Consumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(kafka.forReader(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partitions = Stream.of(Topic.WRITES, Topic.INVALIDATIONS)
                .flatMap(topic -> consumer.partitionsFor(kafka.name(topic)).stream())
                .map(p -> new TopicPartition(p.topic(), p.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
        return consumer;
    }

    private void follow(Consumer<byte[], byte[]> consumer, TopicLoop running) {
        while (!running.isClosed(0)) {
            TopicLoop.each(consumer.poll(TopicLoop.POLL), this::take);
            if (System.nanoTime() - publishedNanos >= PUBLISH_NANOS) {
                publishedNanos = System.nanoTime();
                publish();
            }
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> entry) {
        if (entry.topic().equals(kafka.name(Topic.WRITES))) {
            TopicReader.decode(Codecs.RECORD_WRITE, entry)
                    .ifPresent(w -> prober.written(w.service(), w.table(), w.record(), false));
        } else {
            TopicReader.decode(Codecs.INVALIDATION, entry)
                    .filter(i -> !i.isMark() && i.kind() == CachedKind.QUERY)
                    .ifPresent(i -> prober.written(i.service(), i.table(), i.key(), true));
        }
    }

    private void publish() {
        for (CacheTruth truth : prober.truths()) {
            byte[] key = CachedScope.of(truth.service(), truth.table()).getBytes(StandardCharsets.UTF_8);
            var unused = producer.send(new ProducerRecord<>(
                    kafka.name(Topic.CACHE_TRUTH), null, truth.endMillis(), key, Codecs.CACHE_TRUTH.encode(truth)));
        }
    }

    @Override
    public void close() {
        loop.close();
        producer.close(Duration.ofMillis(PATIENCE_MILLIS));
    }
}
