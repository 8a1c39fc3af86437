package io.kipimo.cli.topics;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import io.kipimo.schemas.topics.Role;
import io.kipimo.schemas.topics.Topic;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Lists the rights that the users of an installation need, if brokers allow nothing by default. In Kafka, the right to
 * read, write or create a resource includes the right to describe it.
 *
 * @param prefix prefix of all topic names
 * @param groups prefix of consumer groups, as in {@code source.group-id} of the jobs
 */
record AccessList(String prefix, String groups) {
    /** Shell variable with the brokers' addresses, which every command reads. */
    private static final String BROKERS = "\"$KIPIMO_BOOTSTRAP_SERVERS\"";

    /** A resource and the operations on it that a role needs. */
    record AccessRule(ResourcePattern resource, Set<AclOperation> operations) {
        String word() {
            return word(resource.resourceType());
        }

        private static String word(Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Name of the user as which a role's processes log in. */
    String user(Role role) {
        return kubernetesName(prefix + role.word());
    }

    /** Converts a name to the form of Kubernetes, which allows lower case only. */
    static String kubernetesName(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    }

    /** Name of the consumer group of a role. The role must have one. */
    String group(Role role) {
        return groups + '-' + role.word();
    }

    List<AccessRule> rules(Role role) {
        Map<ResourcePattern, Set<AclOperation>> allowed = new LinkedHashMap<>();
        BiConsumer<ResourcePattern, AclOperation> allow =
                (resource, operation) -> allowed.computeIfAbsent(resource, r -> EnumSet.noneOf(AclOperation.class))
                        .add(operation);
        role.reads().forEach(t -> allow.accept(topic(t), AclOperation.READ));
        role.writes().forEach(t -> allow.accept(topic(t), AclOperation.WRITE));
        if (role.hasGroup()) {
            allow.accept(new ResourcePattern(ResourceType.GROUP, group(role), PatternType.LITERAL), AclOperation.READ);
        }
        ResourcePattern all = new ResourcePattern(ResourceType.TOPIC, prefix, PatternType.PREFIXED);
        switch (role.kind()) {
            case CLIENT -> {}
            case JOB -> {
                // It looks which topics are missing.
                allow.accept(all, AclOperation.DESCRIBE);
                allow.accept(
                        new ResourcePattern(ResourceType.TRANSACTIONAL_ID, group(role) + '-', PatternType.PREFIXED),
                        AclOperation.WRITE);
            }
            case ADMINISTRATOR -> {
                allow.accept(all, AclOperation.CREATE);
                allow.accept(all, AclOperation.DESCRIBE_CONFIGS);
            }
        }
        List<AccessRule> rules = new ArrayList<>();
        allowed.forEach((resource, operations) -> rules.add(new AccessRule(resource, operations)));
        return rules;
    }

    private ResourcePattern topic(Topic topic) {
        return new ResourcePattern(ResourceType.TOPIC, topic.name(prefix), PatternType.LITERAL);
    }

    /**
     * Returns commands of Kafka's {@code kafka-acls.sh} that grant the rights, for users whose principal is their name.
     */
    List<String> commands() {
        List<String> lines = new ArrayList<>();
        for (Role role : Role.values()) {
            lines.add("# " + user(role) + ": " + role.who());
            Map<String, List<AccessRule>> alike =
                    rules(role).stream().collect(groupingBy(AccessList::rights, LinkedHashMap::new, toList()));
            alike.forEach((rights, rules) ->
                    lines.add("kafka-acls.sh --bootstrap-server %s --add --allow-principal User:%s%s%s"
                            .formatted(
                                    BROKERS,
                                    user(role),
                                    rights,
                                    rules.stream()
                                            .map(rule -> " --" + rule.word() + " '"
                                                    + rule.resource().name() + "'")
                                            .collect(joining()))));
        }
        return lines;
    }

    private static String rights(AccessRule rule) {
        return rule.operations().stream()
                        .map(operation -> " --operation " + pascalCase(operation))
                        .collect(joining())
                + (rule.resource().patternType() == PatternType.PREFIXED ? " --resource-pattern-type prefixed" : "");
    }

    /** Formats an operation as Kafka and Strimzi spell it, such as {@code DescribeConfigs}. */
    static String pascalCase(AclOperation operation) {
        StringBuilder text = new StringBuilder();
        for (String word : operation.name().split("_")) {
            text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return text.toString();
    }
}
