package io.kipimo.sdk.kafka;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.topics.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Policies at rest: the compacted topic {@code policies}, one record a service. */
public final class PolicyStore {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyStore.class);

    private PolicyStore() {}

    /**
     * The newest policy of every service, by service. Records that cannot be read are logged and
     * passed over.
     *
     * @throws BrokerUnavailableException if Kafka does not answer, or refuses
     */
    public static Map<String, Policy> readAll(KafkaSettings settings) {
        String topic = settings.name(Topic.POLICIES);
        Map<String, Object> properties = settings.forConsumer();
        properties.put(
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) TopicAdmin.PATIENCE.toMillis());
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions =
                    consumer.partitionsFor(topic).stream()
                            .map(p -> new TopicPartition(topic, p.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            Map<String, Policy> policies = new TreeMap<>();
            long deadline = System.nanoTime() + TopicAdmin.PATIENCE.toNanos();
            // Compaction and commit markers leave holes, so the position counts, not the records.
            while (ends.entrySet().stream()
                    .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                if (System.nanoTime() > deadline) {
                    throw new TimeoutException("not read to the end");
                }
                consumer.poll(Duration.ofMillis(200)).forEach(r -> apply(r, policies));
            }
            return policies;
        } catch (KafkaException e) {
            throw BrokerUnavailableException.during(
                    "read policies", settings, TopicAdmin.PATIENCE, e);
        }
    }

    private static void apply(ConsumerRecord<byte[], byte[]> entry, Map<String, Policy> policies) {
        if (entry.key() == null) {
            return;
        }
        String service = new String(entry.key(), StandardCharsets.UTF_8);
        if (entry.value() == null) {
            policies.remove(service);
            return;
        }
        try {
            policies.put(service, Codecs.POLICY.decode(entry.value()));
        } catch (InvalidRecordException e) {
            LOG.warn(
                    "policy at {}-{} offset {} is passed over: {}",
                    entry.topic(),
                    entry.partition(),
                    entry.offset(),
                    e.getMessage());
        }
    }

    /**
     * Makes {@code policy} its service's policy; returns when the log has it.
     *
     * @throws IllegalArgumentException if readers would refuse it
     * @throws BrokerUnavailableException if Kafka does not answer, or refuses
     */
    public static void publish(KafkaSettings settings, Policy policy) {
        byte[] value = Codecs.POLICY.encode(policy);
        try {
            Codecs.POLICY.decode(value);
        } catch (InvalidRecordException e) {
            throw new IllegalArgumentException(
                    "policy of '" + policy.service() + "' is refused: " + e.getMessage(), e);
        }
        Map<String, Object> properties = settings.forProducer();
        int millis = (int) TopicAdmin.PATIENCE.toMillis();
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, millis);
        properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis / 3);
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(
                            new ProducerRecord<>(
                                    settings.name(Topic.POLICIES),
                                    policy.service().getBytes(StandardCharsets.UTF_8),
                                    value))
                    .get();
        } catch (ExecutionException | KafkaException e) {
            throw BrokerUnavailableException.during(
                    "publish a policy", settings, TopicAdmin.PATIENCE, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BrokerUnavailableException.during(
                    "publish a policy", settings, TopicAdmin.PATIENCE, e);
        }
    }
}
