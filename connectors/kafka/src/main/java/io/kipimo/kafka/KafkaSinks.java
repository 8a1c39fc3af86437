package io.kipimo.kafka;

import io.kipimo.operators.invalidation.Notification;
import io.kipimo.operators.policy.PolicyBook.SerializableFunction;
import io.kipimo.operators.quality.LogPartitions;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.invalidation.InvalidationHeaders;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Properties;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.sink.KafkaSinkBuilder;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Sinks that write records to topics. The Kafka timestamp is the event time. */
public final class KafkaSinks {
    /**
     * Time-out of transactions, the longest that brokers allow by default. A failed job must run again within this
     * time.
     */
    public static final Duration TRANSACTION_TIMEOUT = Duration.ofMinutes(15);

    /**
     * Record header with the consumer group of the job that wrote the record. It tells apart the records of two jobs
     * that are compared on one log.
     */
    public static final String JOB_HEADER = "kipimo-job";

    /** Largest record that brokers accept in topics of jobs; see {@code TopicAdmin}. */
    private static final int MAXIMUM_REQUEST_BYTES = 2 << 20;

    private KafkaSinks() {}

    /**
     * Returns an at-least-once sink. Readers recognize repeated records: facts by their identity, commands by epoch and
     * sequence.
     */
    public static <T> Sink<T> of(KafkaSettings kafka, TopicRecords<T> records) {
        return of(kafka, records, DeliveryGuarantee.AT_LEAST_ONCE, "");
    }

    /**
     * Returns a sink with an explicit guarantee. With {@code EXACTLY_ONCE}, readers see a record only after the next
     * checkpoint. Therefore commands, whose topics are compacted, never use it.
     *
     * @param job consumer group of the job, which its records state ({@link #JOB_HEADER}). Needed for
     *     {@code EXACTLY_ONCE}; may be empty otherwise
     * @throws IllegalArgumentException if the guarantee is {@code NONE}, or {@code EXACTLY_ONCE} for a compacted topic
     *     or without a job
     */
    public static <T> Sink<T> of(
            KafkaSettings kafka, TopicRecords<T> records, DeliveryGuarantee guarantee, String job) {
        Topic topic = records.topic();
        check(topic, guarantee, job);
        KafkaSinkBuilder<T> builder = builder(
                kafka,
                job.isBlank() ? kafka.name(topic) : transactionalIdPrefix(kafka, topic, job),
                new Entries<>(
                        kafka.name(topic),
                        records,
                        record -> record,
                        record -> false,
                        job.getBytes(StandardCharsets.UTF_8)),
                guarantee);
        if (guarantee == DeliveryGuarantee.EXACTLY_ONCE) {
            builder.setTransactionalIdPrefix(transactionalIdPrefix(kafka, topic, job))
                    .setProperty(
                            ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, Long.toString(TRANSACTION_TIMEOUT.toMillis()));
        }
        return builder.build();
    }

    /**
     * Returns the prefix of a sink's transactional ids, which is also the sink's client id. Brokers fence the older of
     * two producers with one id, so jobs and installations that share brokers need different prefixes.
     */
    public static String transactionalIdPrefix(KafkaSettings kafka, Topic topic, String job) {
        return job + '-' + kafka.name(topic);
    }

    /**
     * Returns an at-least-once sink of invalidation notifications. It writes each to the partition in which it was
     * numbered, with epoch and registration time as headers; marks have no key. Readers recognize repetitions by their
     * numbers.
     */
    public static Sink<Notification> notifications(KafkaSettings kafka) {
        String topic = kafka.name(Topic.INVALIDATIONS);
        return builder(kafka, topic, new NotificationRecords(topic), DeliveryGuarantee.AT_LEAST_ONCE)
                .build();
    }

    /**
     * Returns an at-least-once sink that writes events again, into the partitions of their queries. Joins recognize
     * repeated events.
     */
    public static Sink<LoggedEvent> strays(KafkaSettings kafka, LogPartitions partitions) {
        return builder(
                        kafka,
                        kafka.name(Topic.ANSWERS) + "-strays",
                        new Strays(kafka.name(Topic.ANSWERS), kafka.name(Topic.PARTIALS), partitions),
                        DeliveryGuarantee.AT_LEAST_ONCE)
                .build();
    }

    /**
     * Returns an at-least-once sink of the newest value of each key in a compacted topic.
     *
     * @param record returns the record to write
     * @param isRemoved returns whether to remove the key from the topic instead
     */
    public static <T, R> Sink<T> latest(
            KafkaSettings kafka,
            TopicRecords<R> records,
            SerializableFunction<T, R> record,
            SerializableFunction<T, Boolean> isRemoved) {
        String topic = kafka.name(records.topic());
        return builder(
                        kafka,
                        topic,
                        new Entries<>(topic, records, record, isRemoved, new byte[0]),
                        DeliveryGuarantee.AT_LEAST_ONCE)
                .build();
    }

    private static <T> KafkaSinkBuilder<T> builder(
            KafkaSettings kafka,
            String clientId,
            KafkaRecordSerializationSchema<T> entries,
            DeliveryGuarantee guarantee) {
        Properties properties = producer(kafka, clientId);
        return KafkaSink.<T>builder()
                .setKafkaProducerConfig(properties)
                .setRecordSerializer(new WritableEntries<>(
                        entries,
                        Integer.parseInt(properties
                                .get(ProducerConfig.MAX_REQUEST_SIZE_CONFIG)
                                .toString())))
                .setDeliveryGuarantee(guarantee);
    }

    /** @param clientId client id, the same for all subtasks; brokers and logs show it with requests */
    static Properties producer(KafkaSettings kafka, String clientId) {
        Properties properties = new Properties();
        properties.putAll(kafka.forProducer());
        properties.putIfAbsent(ProducerConfig.CLIENT_ID_CONFIG, clientId);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        // Kafka's default of 5 ms would delay every record; under load, batches fill anyway.
        properties.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, "1");
        properties.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, Integer.toString(256 << 10));
        properties.putIfAbsent(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(MAXIMUM_REQUEST_BYTES));
        return properties;
    }

    private record NotificationRecords(String topic) implements KafkaRecordSerializationSchema<Notification> {
        @Override
        public ProducerRecord<byte[], byte[]> serialize(
                Notification notification, KafkaSinkContext context, Long streamTimeMillis) {
            Invalidation invalidation = notification.invalidation();
            ProducerRecord<byte[], byte[]> entry = new ProducerRecord<>(
                    topic,
                    invalidation.partition(),
                    invalidation.writtenMillis(),
                    invalidation.isMark() ? null : notification.scope().getBytes(StandardCharsets.UTF_8),
                    Codecs.INVALIDATION.encode(invalidation));
            InvalidationHeaders.add(entry.headers(), notification.epoch(), notification.registeredMillis());
            return entry;
        }
    }

    record Strays(String answers, String partials, LogPartitions partitions)
            implements KafkaRecordSerializationSchema<LoggedEvent> {
        @Override
        public ProducerRecord<byte[], byte[]> serialize(
                LoggedEvent event, KafkaSinkContext context, Long streamTimeMillis) {
            ProducerRecord<byte[], byte[]> entry = new ProducerRecord<>(
                    event.isAnswer() ? answers : partials,
                    partitions.partitionOf(event.key()),
                    event.eventTimeMillis(),
                    event.key().queryId().getBytes(StandardCharsets.UTF_8),
                    event.wire());
            entry.headers().add(JoinInputDeserializationSchema.REWRITTEN, FormerPlace.of(event));
            return entry;
        }
    }

    private static void check(Topic topic, DeliveryGuarantee guarantee, String job) {
        boolean compacted = topic.cleanup() == Topic.Cleanup.COMPACT;
        boolean transactional = guarantee == DeliveryGuarantee.EXACTLY_ONCE;
        if (guarantee == DeliveryGuarantee.NONE || (transactional && compacted)) {
            throw new IllegalArgumentException("guarantee of %s is %s; allowed: AT_LEAST_ONCE%s"
                    .formatted(topic.suffix(), guarantee, compacted ? "" : ", EXACTLY_ONCE"));
        }
        if (transactional && job.isBlank()) {
            throw new IllegalArgumentException(
                    "job that writes %s is empty; allowed: a consumer group".formatted(topic.suffix()));
        }
    }

    /** @param job the value of the header, in UTF-8; empty: no header */
    private record Entries<T, R>(
            String topic,
            TopicRecords<R> records,
            SerializableFunction<T, R> record,
            SerializableFunction<T, Boolean> isRemoved,
            byte[] job)
            implements KafkaRecordSerializationSchema<T> {
        @Override
        public ProducerRecord<byte[], byte[]> serialize(T element, KafkaSinkContext context, Long streamTimeMillis) {
            R written = record.apply(element);
            ProducerRecord<byte[], byte[]> entry = new ProducerRecord<>(
                    topic,
                    null,
                    records.time().millis(written),
                    records.key().apply(written),
                    isRemoved.apply(element) ? null : records.codec().encode(written));
            if (job.length > 0) {
                entry.headers().add(JOB_HEADER, job);
            }
            return entry;
        }
    }
}
