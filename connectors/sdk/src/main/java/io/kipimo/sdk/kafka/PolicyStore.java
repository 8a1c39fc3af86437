package io.kipimo.sdk.kafka;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.topics.Topic;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
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
        Map<String, Policy> policies = new TreeMap<>();
        TopicReader.read(settings, Topic.POLICIES, 0, entry -> apply(entry, policies));
        return policies;
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
