package io.kipimo.loadgen.topics;

import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one topic from now on and writes to another; not thread-safe.
 *
 * @param <I> type of the records read
 * @param <O> type of the records written
 */
final class TopicLine<I, O> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicLine.class);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Codec<I> read;
    private final Codec<O> written;
    private final String to;

    TopicLine(KafkaSettings kafka, Topic from, Codec<I> read, Topic to, Codec<O> written) {
        this.read = read;
        this.written = written;
        this.to = kafka.name(to);
        consumer = new KafkaConsumer<>(kafka.forReader(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        String name = kafka.name(from);
        List<TopicPartition> partitions = consumer.partitionsFor(name).stream()
                .map(p -> new TopicPartition(name, p.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.endOffsets(partitions).forEach(consumer::seek);
        var properties = kafka.forProducer();
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Records that arrived within {@code patience}; unusable ones are logged. */
    List<I> poll(Duration patience) {
        List<I> records = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(patience)) {
            TopicReader.decode(read, entry).ifPresent(records::add);
        }
        return records;
    }

    /** Sends a record without waiting; logs failures. */
    void write(String key, O record) {
        var unused = producer.send(
                new ProducerRecord<>(to, key.getBytes(StandardCharsets.UTF_8), written.encode(record)),
                (sent, failure) -> {
                    if (failure != null) {
                        LOG.warn("{} could not be written: {}", to, failure.getMessage());
                    }
                });
    }

    void flush() {
        producer.flush();
    }

    @Override
    public void close() {
        producer.close();
        consumer.close();
    }
}
