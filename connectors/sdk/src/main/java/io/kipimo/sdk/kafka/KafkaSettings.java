package io.kipimo.sdk.kafka;

import io.kipimo.schemas.topics.Topic;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Addresses of Kafka's brokers, prefix of topics, and properties of clients.
 *
 * <p>Properties are Kafka's own, limited to those that cannot load code. Secrets among them ({@code sasl.jaas.config},
 * {@code ssl.*.password}, {@code ssl.keystore.key}) may be kept in a file or an environment variable: append
 * {@code .file} or {@code .env} to the key and give the name as value. Secrets are read when a client is made and are
 * never shown.
 *
 * @param bootstrapServers {@code host:port}, several separated by commas
 * @param topicPrefix prefix of all topic names, {@value Topic#DEFAULT_PREFIX} by default
 * @param properties properties of Kafka clients
 */
public record KafkaSettings(String bootstrapServers, String topicPrefix, Map<String, String> properties)
        implements Serializable {
    private static final Pattern SERVER = Pattern.compile("[^\\s,:/]+:\\d{1,5}|\\[[0-9a-fA-F:.]+]:\\d{1,5}");
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._-]{0,100}");

    /** @throws IllegalArgumentException if settings are not allowed; lists each with its value and what is allowed */
    public KafkaSettings {
        List<String> problems = new ArrayList<>();
        for (String server : bootstrapServers.split(",", -1)) {
            if (!SERVER.matcher(server.strip()).matches()) {
                problems.add("bootstrap server is '" + AllowedProperties.printable(server) + "'; allowed: host:port");
            }
        }
        if (!PREFIX.matcher(topicPrefix).matches()) {
            problems.add("topic prefix is '"
                    + AllowedProperties.printable(topicPrefix)
                    + "'; allowed: at most 100 of A-Z a-z 0-9 . _ -");
        }
        problems.addAll(AllowedProperties.problems(properties));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        properties = Map.copyOf(properties);
    }

    /** Kafka without authentication, with the default topic names. */
    public static KafkaSettings of(String bootstrapServers) {
        return new KafkaSettings(bootstrapServers, Topic.DEFAULT_PREFIX, Map.of());
    }

    /** Full name of a topic. */
    public String name(Topic topic) {
        return topic.name(topicPrefix);
    }

    /**
     * Properties of a producer, including secrets.
     *
     * @throws IllegalArgumentException if a secret cannot be read
     */
    public Map<String, Object> forProducer() {
        return known(ProducerConfig.configNames());
    }

    /**
     * Properties of a consumer, including secrets.
     *
     * @throws IllegalArgumentException if a secret cannot be read
     */
    public Map<String, Object> forConsumer() {
        return known(ConsumerConfig.configNames());
    }

    /**
     * Properties of a consumer without a group, including secrets. It reads committed records, by default from the
     * earliest one, and stores nothing on the broker.
     *
     * @throws IllegalArgumentException if a secret cannot be read
     */
    public Map<String, Object> forReader() {
        Map<String, Object> reader = forConsumer();
        reader.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        reader.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        reader.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        reader.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        return reader;
    }

    /**
     * Properties of an admin client, including secrets.
     *
     * @throws IllegalArgumentException if a secret cannot be read
     */
    public Map<String, Object> forAdmin() {
        return known(AdminClientConfig.configNames());
    }

    private Map<String, Object> known(Set<String> names) {
        Map<String, Object> known = new HashMap<>(AllowedProperties.withSecrets(properties, System::getenv));
        known.keySet().retainAll(names);
        known.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        return known;
    }

    /** Whether the value of a property is a secret itself, rather than the place of one. */
    public static boolean isSecret(String property) {
        return AllowedProperties.isSecret(property);
    }

    /** Shows the settings without secrets. */
    @Override
    public String toString() {
        Map<String, String> shown = new TreeMap<>(properties);
        shown.replaceAll((key, value) -> AllowedProperties.isSecret(key) ? "(hidden)" : value);
        return "KafkaSettings[" + bootstrapServers + ", " + topicPrefix + "*, " + shown + "]";
    }
}
