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

/** Policies at rest: the compacted topic {@code policies}, one record a service. */
public final class PolicyStore {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyStore.class);

    private static final int ATTEMPTS = 10;

    private PolicyStore() {}

    /**
     * One record of a service.
     *
     * @param policy empty: it was removed
     * @param bytes of the policy, which may have more in it than this version knows
     */
    private record Revision(long offset, Optional<Policy> policy, byte[] bytes) {}

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

    /**
     * Changes one service's policy: {@code change} gets the one in force, empty if there is none,
     * and what it returns is published as the next version, unless it is the same but for its
     * version.
     *
     * <p>The log has no compare-and-set, but it has an order: of records with one version the first
     * counts. So after publishing this looks whether its record does; if not, the change is made
     * again on top of the one that was faster. Nobody's change is lost, in whatever number they
     * come, and at each moment one of them succeeds. {@code change} may be called several times.
     * Fields that a newer version set and this one does not know stay as they are.
     *
     * @return the policy that is stored now
     * @throws IllegalArgumentException if readers would refuse what {@code change} returned
     * @throws PolicyConflictException if others were faster every time
     * @throws BrokerUnavailableException if Kafka does not answer, or refuses
     */
    public static Policy change(
            KafkaSettings settings, String service, Function<Optional<Policy>, Policy> change) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            List<Revision> log = revisions(settings, service);
            List<Revision> counted = counted(log);
            Optional<Revision> newest = last(counted).filter(r -> r.policy().isPresent());
            Optional<Policy> inForce = newest.flatMap(Revision::policy);
            Policy next = change.apply(inForce);
            boolean changesNothing =
                    inForce.filter(p -> p.withVersion(0).equals(next.withVersion(0))).isPresent();
            // A record behind it that does not count would be taken for it once the log is
            // compacted.
            if (changesNothing && offset(counted) == offset(log)) {
                return inForce.get();
            }
            Policy published = next.withVersion(highestVersion(log) + 1);
            long offset =
                    append(
                            settings,
                            published,
                            newest.map(r -> PolicyRevision.changed(r.bytes(), published))
                                    .orElseGet(() -> Codecs.POLICY.encode(published)));
            if (counted(revisions(settings, service)).stream()
                    .anyMatch(r -> r.offset() == offset)) {
                return published;
            }
        }
        throw new PolicyConflictException(service, ATTEMPTS);
    }

    /** Without those that came when their version was taken already. */
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

    /** Of the last; -1 if there is none. */
    private static long offset(List<Revision> revisions) {
        return last(revisions).map(Revision::offset).orElse(-1L);
    }

    private static Optional<Revision> last(List<Revision> revisions) {
        return revisions.stream().reduce((before, after) -> after);
    }

    /** In the order of the log. Records that cannot be read are passed over. */
    private static List<Revision> revisions(KafkaSettings settings, String service) {
        List<Revision> revisions = new ArrayList<>();
        TopicReader.read(
                settings,
                Topic.POLICIES,
                0,
                entry -> {
                    Map<String, Policy> read = new TreeMap<>();
                    apply(entry, read);
                    boolean removed = entry.key() != null && entry.value() == null;
                    if (removed ? service.equals(text(entry.key())) : read.containsKey(service)) {
                        revisions.add(
                                new Revision(
                                        entry.offset(),
                                        Optional.ofNullable(read.get(service)),
                                        entry.value()));
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
                    "policy at {}-{} offset {} is passed over: {}",
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
     * Makes {@code policy} its service's policy; returns when the log has it.
     *
     * @throws IllegalArgumentException if readers would refuse it
     * @throws BrokerUnavailableException if Kafka does not answer, or refuses
     */
    public static void publish(KafkaSettings settings, Policy policy) {
        append(settings, policy, Codecs.POLICY.encode(policy));
    }

    /** Returns the offset. */
    private static long append(KafkaSettings settings, Policy policy, byte[] value) {
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
            return producer.send(
                            new ProducerRecord<>(
                                    settings.name(Topic.POLICIES),
                                    policy.service().getBytes(StandardCharsets.UTF_8),
                                    value))
                    .get()
                    .offset();
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
