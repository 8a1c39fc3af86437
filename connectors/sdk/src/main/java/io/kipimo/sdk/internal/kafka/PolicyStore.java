package io.kipimo.sdk.internal.kafka;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.codec.PolicyRevision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and changes policies in the compacted topic {@code policies}, which has one record for each service. */
public final class PolicyStore {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyStore.class);

    private static final int ATTEMPTS = 10;

    private PolicyStore() {}

    /**
     * One record of a service's policy.
     *
     * @param policy empty if the policy was removed
     * @param bytes encoded policy; it may have fields that this version does not know
     */
    private record Revision(long offset, Optional<Policy> policy, byte[] bytes) {}

    /**
     * The newest policy of every service, by service. Unreadable records are logged and skipped.
     *
     * @throws BrokerUnavailableException if Kafka does not answer, or refuses
     */
    public static Map<String, Policy> readAll(KafkaSettings settings) {
        Map<String, Policy> policies = new TreeMap<>();
        TopicReader.read(settings, Topic.POLICIES, 0, entry -> apply(entry, policies));
        return policies;
    }

    /**
     * Changes one service's policy. {@code change} gets the current policy, or empty; its result is published as the
     * next version, unless nothing but the version differs.
     *
     * <p>Kafka has no compare-and-set, but its records have an order: of several records with the same version, the
     * first counts. So this method checks after publishing whether its own record counts. If not, it applies the change
     * again to the policy that came first. No change is lost, and of concurrent changes one always succeeds.
     * {@code change} may be called several times. Fields that this version does not know are preserved.
     *
     * @return the stored policy
     * @throws IllegalArgumentException if readers would refuse what {@code change} returned
     * @throws PolicyConflictException if every attempt met a concurrent change
     * @throws BrokerUnavailableException if Kafka does not answer, or refuses
     */
    public static Policy change(KafkaSettings settings, String service, Function<Optional<Policy>, Policy> change) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            List<Revision> log = revisions(settings, service);
            List<Revision> counted = counted(log);
            Optional<Revision> newest = last(counted).filter(r -> r.policy().isPresent());
            Optional<Policy> inForce = newest.flatMap(Revision::policy);
            Policy next = change.apply(inForce);
            boolean changesNothing = inForce.filter(p -> p.withVersion(0).equals(next.withVersion(0)))
                    .isPresent();
            // A later record that does not count would win once the topic is compacted.
            if (changesNothing && offset(counted) == offset(log)) {
                return inForce.get();
            }
            Policy published = next.withVersion(highestVersion(log) + 1);
            long offset = append(
                    settings,
                    published,
                    newest.map(r -> PolicyRevision.changed(r.bytes(), published))
                            .orElseGet(() -> Codecs.POLICY.encode(published)));
            if (counted(revisions(settings, service)).stream().anyMatch(r -> r.offset() == offset)) {
                return published;
            }
        }
        throw new PolicyConflictException(service, ATTEMPTS);
    }

    /** The records that take effect: removals, and policies with a higher version than the record before. */
    private static List<Revision> counted(List<Revision> log) {
        List<Revision> counted = new ArrayList<>();
        long version = 0;
        for (Revision revision : log) {
            long own = revision.policy().map(Policy::version).orElse(version);
            if (revision.policy().isEmpty() || own > version || counted.isEmpty()) {
                counted.add(revision);
                version = own;
            }
        }
        return counted;
    }

    /** Offset of the last revision; -1 if there is none. */
    private static long offset(List<Revision> revisions) {
        return last(revisions).map(Revision::offset).orElse(-1L);
    }

    private static Optional<Revision> last(List<Revision> revisions) {
        return revisions.stream().reduce((before, after) -> after);
    }

    /** All records of a service in order of their offsets. Unreadable records are skipped. */
    private static List<Revision> revisions(KafkaSettings settings, String service) {
        List<Revision> revisions = new ArrayList<>();
        TopicReader.read(settings, Topic.POLICIES, 0, entry -> {
            Map<String, Policy> read = new TreeMap<>();
            apply(entry, read);
            boolean removed = entry.key() != null && entry.value() == null;
            if (removed ? service.equals(text(entry.key())) : read.containsKey(service)) {
                revisions.add(new Revision(entry.offset(), Optional.ofNullable(read.get(service)), entry.value()));
            }
        });
        return revisions;
    }

    private static long highestVersion(List<Revision> log) {
        return log.stream()
                .flatMap(r -> r.policy().stream())
                .mapToLong(Policy::version)
                .max()
                .orElse(0);
    }

    private static void apply(ConsumerRecord<byte[], byte[]> entry, Map<String, Policy> policies) {
        if (entry.key() == null) {
            return;
        }
        String service = text(entry.key());
        if (entry.value() == null) {
            policies.remove(service);
            return;
        }
        try {
            policies.put(service, Codecs.POLICY.decode(entry.value()));
        } catch (InvalidRecordException e) {
            LOG.warn(
                    "skipping policy at {}-{} offset {}: {}",
                    entry.topic(),
                    entry.partition(),
                    entry.offset(),
                    e.getMessage());
        }
    }

    private static String text(byte[] key) {
        return new String(key, StandardCharsets.UTF_8);
    }

    /**
     * Publishes a policy; returns when Kafka has stored it.
     *
     * @throws IllegalArgumentException if readers would refuse it
     * @throws BrokerUnavailableException if Kafka does not answer, or refuses
     */
    public static void publish(KafkaSettings settings, Policy policy) {
        append(settings, policy, Codecs.POLICY.encode(policy));
    }

    /** Publishes a policy and returns its offset. */
    private static long append(KafkaSettings settings, Policy policy, byte[] value) {
        try {
            Codecs.POLICY.decode(value);
        } catch (InvalidRecordException e) {
            throw new IllegalArgumentException("policy of '" + policy.service() + "' is refused: " + e.getMessage(), e);
        }
        Map<String, Object> properties = settings.forProducer();
        int millis = (int) TopicAdmin.PATIENCE.toMillis();
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, millis);
        properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis / 3);
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            return producer.send(new ProducerRecord<>(
                            settings.name(Topic.POLICIES), policy.service().getBytes(StandardCharsets.UTF_8), value))
                    .get()
                    .offset();
        } catch (ExecutionException | KafkaException e) {
            throw BrokerUnavailableException.during("publish a policy", settings, TopicAdmin.PATIENCE, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw BrokerUnavailableException.during("publish a policy", settings, TopicAdmin.PATIENCE, e);
        }
    }
}
