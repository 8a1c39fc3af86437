package io.kipimo.cli.topics;

import static io.kipimo.cli.topics.Documents.map;

import com.google.protobuf.Descriptors.Descriptor;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.topics.Role;
import io.kipimo.schemas.topics.Topic;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The catalogue as an AsyncAPI 3.0 document: a channel for each topic, an operation for each role
 * that reads or writes it. Messages are named by the {@code .proto} file that declares them.
 */
record AsyncApi(String version, AccessList access) {
    /** Of the bindings' specification for Kafka. */
    private static final String BINDING = "0.5.0";

    /** Those that AsyncAPI's binding declares as numbers. */
    private static final List<String> NUMBERS =
            List.of(TopicConfig.RETENTION_MS_CONFIG, TopicConfig.MAX_MESSAGE_BYTES_CONFIG);

    private static final List<String> DECLARED_TEXTS = List.of(TopicConfig.CLEANUP_POLICY_CONFIG);

    /**
     * @param topics as {@link io.kipimo.sdk.internal.kafka.TopicAdmin#wanted} has them
     */
    Map<String, Object> document(List<NewTopic> topics) {
        Map<String, Object> channels = map();
        Map<String, Object> operations = map();
        for (Topic topic : Topic.values()) {
            channels.put(topic.suffix(), channel(topic, topics.get(topic.ordinal())));
            for (Role role : Role.values()) {
                // Administrators read everything.
                if (role.kind() != Role.Kind.ADMINISTRATOR) {
                    if (role.writes().contains(topic)) {
                        put(operations, role, "send", topic);
                    }
                    if (role.reads().contains(topic)) {
                        put(operations, role, "receive", topic);
                    }
                }
            }
        }
        return map(
                "asyncapi",
                "3.0.0",
                "info",
                map(
                        "title",
                        "Kipimo",
                        "version",
                        version,
                        "description",
                        "Topics of Kipimo, and who reads and writes them. Values are Protobuf"
                                + " messages without an envelope, keys are texts in UTF-8."),
                "defaultContentType",
                "application/x-protobuf",
                "channels",
                channels,
                "operations",
                operations);
    }

    private static Map<String, Object> channel(Topic topic, NewTopic wanted) {
        Descriptor message = Codecs.named(topic.message()).descriptor();
        return map(
                "address",
                wanted.name(),
                "description",
                topic.holds(),
                "messages",
                map(
                        topic.message(),
                        map(
                                "name",
                                message.getFullName(),
                                "bindings",
                                kafka("key", map("type", "string", "description", topic.key())),
                                "x-protobuf",
                                map(
                                        "message",
                                        message.getFullName(),
                                        "file",
                                        message.getFile().getName()))),
                "bindings",
                kafka(
                        "topic",
                        wanted.name(),
                        "partitions",
                        wanted.numPartitions(),
                        "replicas",
                        wanted.replicationFactor(),
                        "topicConfiguration",
                        configuration(wanted.configs())));
    }

    /** As the binding spells it; settings that it does not declare are left out. */
    private static Map<String, Object> configuration(Map<String, String> settings) {
        Map<String, Object> declared = new TreeMap<>();
        settings.forEach(
                (key, value) -> {
                    if (NUMBERS.contains(key)) {
                        declared.put(key, Long.parseLong(value));
                    } else if (DECLARED_TEXTS.contains(key)) {
                        declared.put(key, List.of(value));
                    }
                });
        return declared;
    }

    private void put(Map<String, Object> operations, Role role, String action, Topic topic) {
        String channel = "#/channels/" + topic.suffix();
        Map<String, Object> operation =
                map(
                        "action",
                        action,
                        "channel",
                        map("$ref", channel),
                        "summary",
                        role.who(),
                        "tags",
                        List.of(map("name", role.word())),
                        "messages",
                        List.of(map("$ref", channel + "/messages/" + topic.message())));
        if (action.equals("receive") && role.hasGroup()) {
            String group = access.group(role);
            operation.put(
                    "bindings", kafka("groupId", map("type", "string", "enum", List.of(group))));
        }
        operations.put(role.word() + "." + action + "." + topic.suffix(), operation);
    }

    private static Map<String, Object> kafka(Object... keysAndValues) {
        Map<String, Object> binding = map(keysAndValues);
        binding.put("bindingVersion", BINDING);
        return map("kafka", binding);
    }
}
