package io.kipimo.cli.topics;

import com.google.protobuf.Descriptors.Descriptor;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.topics.Role;
import io.kipimo.schemas.topics.Topic;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Writes the topic catalogue as an AsyncAPI 3.0 document. It has a channel for each topic, and an operation for each
 * role that reads or writes the topic. Each message states the {@code .proto} file that declares it.
 */
record AsyncApi(String version, AccessList access) {
    /** Version of AsyncAPI's bindings for Kafka. */
    private static final String BINDING = "0.5.0";

    /** Settings that AsyncAPI's Kafka binding declares as numbers. */
    private static final List<String> NUMBERS =
            List.of(TopicConfig.RETENTION_MS_CONFIG, TopicConfig.MAX_MESSAGE_BYTES_CONFIG);

    private static final List<String> DECLARED_TEXTS = List.of(TopicConfig.CLEANUP_POLICY_CONFIG);

    /** @param topics the wanted topics, as {@link io.kipimo.sdk.internal.kafka.TopicAdmin#wanted} returns them */
    Map<String, Object> document(List<NewTopic> topics) {
        Map<String, Object> channels = new JsonObject();
        Map<String, Object> operations = new JsonObject();
        for (Topic topic : Topic.values()) {
            channels.put(topic.suffix(), channel(topic, topics.get(topic.ordinal())));
            for (Role role : Role.values()) {
                // Administrators read everything.
                if (role.kind() != Role.RoleKind.ADMINISTRATOR) {
                    if (role.writes().contains(topic)) {
                        put(operations, role, "send", topic);
                    }
                    if (role.reads().contains(topic)) {
                        put(operations, role, "receive", topic);
                    }
                }
            }
        }
        return new JsonObject()
                .with("asyncapi", "3.0.0")
                .with(
                        "info",
                        new JsonObject()
                                .with("title", "Kipimo")
                                .with("version", version)
                                .with(
                                        "description",
                                        "Topics of Kipimo, and who reads and writes them. Values are Protobuf"
                                                + " messages without an envelope, keys are texts in UTF-8."))
                .with("defaultContentType", "application/x-protobuf")
                .with("channels", channels)
                .with("operations", operations);
    }

    private static Map<String, Object> channel(Topic topic, NewTopic wanted) {
        Descriptor message = Codecs.named(topic.message()).descriptor();
        return new JsonObject()
                .with("address", wanted.name())
                .with("description", topic.holds())
                .with(
                        "messages",
                        new JsonObject()
                                .with(
                                        topic.message(),
                                        new JsonObject()
                                                .with("name", message.getFullName())
                                                .with(
                                                        "bindings",
                                                        kafka(new JsonObject()
                                                                .with(
                                                                        "key",
                                                                        new JsonObject()
                                                                                .with("type", "string")
                                                                                .with("description", topic.key()))))
                                                .with(
                                                        "x-protobuf",
                                                        new JsonObject()
                                                                .with("message", message.getFullName())
                                                                .with(
                                                                        "file",
                                                                        message.getFile()
                                                                                .getName()))))
                .with(
                        "bindings",
                        kafka(new JsonObject()
                                .with("topic", wanted.name())
                                .with("partitions", wanted.numPartitions())
                                .with("replicas", wanted.replicationFactor())
                                .with("topicConfiguration", configuration(wanted.configs()))));
    }

    /** Converts a topic's settings to the form of the binding. Omits settings that the binding does not declare. */
    private static Map<String, Object> configuration(Map<String, String> settings) {
        Map<String, Object> declared = new TreeMap<>();
        settings.forEach((key, value) -> {
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
        Map<String, Object> operation = new JsonObject()
                .with("action", action)
                .with("channel", new JsonObject().with("$ref", channel))
                .with("summary", role.who())
                .with("tags", List.of(new JsonObject().with("name", role.word())))
                .with("messages", List.of(new JsonObject().with("$ref", channel + "/messages/" + topic.message())));
        if (action.equals("receive") && role.hasGroup()) {
            String group = access.group(role);
            operation.put(
                    "bindings",
                    kafka(new JsonObject()
                            .with(
                                    "groupId",
                                    new JsonObject().with("type", "string").with("enum", List.of(group)))));
        }
        operations.put(role.word() + "." + action + "." + topic.suffix(), operation);
    }

    private static JsonObject kafka(JsonObject binding) {
        return new JsonObject().with("kafka", binding.with("bindingVersion", BINDING));
    }
}
