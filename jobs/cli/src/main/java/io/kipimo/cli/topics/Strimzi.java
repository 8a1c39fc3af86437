package io.kipimo.cli.topics;

import static io.kipimo.cli.topics.Documents.map;

import io.kipimo.schemas.topics.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * The topics and users of an installation as resources of Strimzi, the operator of Kafka on
 * Kubernetes: version {@code v1}, which Strimzi 0.49 brought.
 *
 * @param cluster name of the {@code Kafka} resource
 */
record Strimzi(String cluster, AccessList access) {
    List<Map<String, Object>> resources(List<NewTopic> topics) {
        List<Map<String, Object>> resources = new ArrayList<>();
        topics.forEach(
                topic ->
                        resources.add(
                                resource(
                                        "KafkaTopic",
                                        AccessList.kubernetesName(topic.name()),
                                        spec(topic))));
        for (Role role : Role.values()) {
            resources.add(resource("KafkaUser", access.user(role), spec(role)));
        }
        return resources;
    }

    private Map<String, Object> resource(String kind, String name, Map<String, Object> spec) {
        return map(
                "apiVersion",
                "kafka.strimzi.io/v1",
                "kind",
                kind,
                "metadata",
                map("name", name, "labels", Map.of("strimzi.io/cluster", cluster)),
                "spec",
                spec);
    }

    private static Map<String, Object> spec(NewTopic topic) {
        return map(
                "topicName",
                topic.name(),
                "partitions",
                topic.numPartitions(),
                "replicas",
                topic.replicationFactor(),
                "config",
                topic.configs());
    }

    private Map<String, Object> spec(Role role) {
        List<Object> acls = new ArrayList<>();
        for (AccessList.Rule rule : access.rules(role)) {
            boolean isPrefix = rule.resource().patternType() == PatternType.PREFIXED;
            acls.add(
                    map(
                            "resource",
                            map(
                                    "type",
                                    rule.resource().resourceType() == ResourceType.TRANSACTIONAL_ID
                                            ? "transactionalId"
                                            : rule.word(),
                                    "name",
                                    rule.resource().name(),
                                    "patternType",
                                    isPrefix ? "prefix" : "literal"),
                            "operations",
                            rule.operations().stream().map(AccessList::pascalCase).toList()));
        }
        return map(
                "authentication",
                Map.of("type", "scram-sha-512"),
                "authorization",
                map("type", "simple", "acls", acls));
    }
}
