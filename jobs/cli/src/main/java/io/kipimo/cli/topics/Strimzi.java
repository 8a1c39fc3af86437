package io.kipimo.cli.topics;

import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.topics.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Describes the topics and users of an installation as resources of Strimzi, the operator of Kafka on Kubernetes. The
 * resources have version {@code v1}, which Strimzi has since 0.49.
 *
 * @param cluster name of the {@code Kafka} resource
 */
record Strimzi(String cluster, AccessList access) {
    List<Map<String, Object>> resources(List<NewTopic> topics) {
        List<Map<String, Object>> resources = new ArrayList<>();
        topics.forEach(
                topic -> resources.add(resource("KafkaTopic", AccessList.kubernetesName(topic.name()), spec(topic))));
        for (Role role : Role.values()) {
            resources.add(resource("KafkaUser", access.user(role), spec(role)));
        }
        return resources;
    }

    private Map<String, Object> resource(String kind, String name, Map<String, Object> spec) {
        return new JsonObject()
                .with("apiVersion", "kafka.strimzi.io/v1")
                .with("kind", kind)
                .with(
                        "metadata",
                        new JsonObject().with("name", name).with("labels", Map.of("strimzi.io/cluster", cluster)))
                .with("spec", spec);
    }

    private static Map<String, Object> spec(NewTopic topic) {
        return new JsonObject()
                .with("topicName", topic.name())
                .with("partitions", topic.numPartitions())
                .with("replicas", topic.replicationFactor())
                .with("config", topic.configs());
    }

    private Map<String, Object> spec(Role role) {
        List<Object> acls = new ArrayList<>();
        for (AccessList.AccessRule rule : access.rules(role)) {
            boolean isPrefix = rule.resource().patternType() == PatternType.PREFIXED;
            acls.add(new JsonObject()
                    .with(
                            "resource",
                            new JsonObject()
                                    .with(
                                            "type",
                                            rule.resource().resourceType() == ResourceType.TRANSACTIONAL_ID
                                                    ? "transactionalId"
                                                    : rule.word())
                                    .with("name", rule.resource().name())
                                    .with("patternType", isPrefix ? "prefix" : "literal"))
                    .with(
                            "operations",
                            rule.operations().stream()
                                    .map(AccessList::pascalCase)
                                    .toList()));
        }
        return new JsonObject()
                .with("authentication", Map.of("type", "scram-sha-512"))
                .with("authorization", new JsonObject().with("type", "simple").with("acls", acls));
    }
}
