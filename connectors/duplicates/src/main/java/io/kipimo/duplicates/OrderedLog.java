package io.kipimo.duplicates;

import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.BrokerUnavailableException;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The topic of the writes. It has one partition, and thus one order of all writes; the offset of a write is its ticket.
 * Compaction and transactions are not allowed, because both leave gaps in the offsets.
 *
 * @param id Kafka's id of the topic; a recreated topic of the same name has another id
 */
public record OrderedLog(String topic, String id) {
    static final int PARTITION = 0;

    /**
     * Creates the topic if it does not exist. It keeps its records for ever, because a duplicate that lost its data
     * reads them from the beginning. Set a retention only if such duplicates are filled from another one.
     *
     * @param replication number of copies; 0: the broker's default
     * @throws BrokerUnavailableException if Kafka does not answer, or refuses
     */
    public static void create(KafkaSettings settings, String topic, short replication) {
        NewTopic wanted = new NewTopic(
                        topic, Optional.of(1), replication == 0 ? Optional.empty() : Optional.of(replication))
                .configs(Map.of(
                        TopicConfig.CLEANUP_POLICY_CONFIG,
                        TopicConfig.CLEANUP_POLICY_DELETE,
                        TopicConfig.RETENTION_MS_CONFIG,
                        "-1",
                        TopicConfig.RETENTION_BYTES_CONFIG,
                        "-1",
                        TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
                        Integer.toString(Math.max(1, replication - 1))));
        TopicAdmin.create(settings, "create " + topic, List.of(wanted), TopicAdmin.PATIENCE);
    }

    /**
     * Finds and checks the topic.
     *
     * @throws IllegalArgumentException if the topic has several partitions, or is compacted
     * @throws BrokerUnavailableException if Kafka does not answer, or the topic does not exist
     */
    public static OrderedLog find(KafkaSettings settings, String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return TopicAdmin.ask(settings, TopicAdmin.PATIENCE, "describe " + topic, admin -> {
            TopicDescription found =
                    admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
            if (found.partitions().size() != 1) {
                throw new IllegalArgumentException("%s has %s partitions; allowed: 1, for one order of all writes"
                        .formatted(topic, found.partitions().size()));
            }
            String cleanup = admin.describeConfigs(List.of(resource))
                    .all()
                    .get()
                    .get(resource)
                    .get(TopicConfig.CLEANUP_POLICY_CONFIG)
                    .value();
            if (cleanup.contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
                throw new IllegalArgumentException(
                        "%s has the cleanup policy '%s'; allowed: delete, as compaction removes writes"
                                .formatted(topic, cleanup));
            }
            return new OrderedLog(topic, found.topicId().toString());
        });
    }

    TopicPartition partition() {
        return new TopicPartition(topic, PARTITION);
    }
}
