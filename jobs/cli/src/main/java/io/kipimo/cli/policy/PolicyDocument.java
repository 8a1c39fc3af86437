package io.kipimo.cli.policy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.cli.terminal.OutputOption;
import io.kipimo.cli.terminal.Plain;
import io.kipimo.core.quality.similarity.Similarities;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.document.YamlDocument;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.FanOutPolicy;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.wire.ClassPolicyProto;
import io.kipimo.schemas.wire.PolicyProto;
import io.kipimo.schemas.wire.ReplicationPolicyProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A policy written in YAML or JSON. Its fields are those of {@code PolicyProto}; most have a default. */
public record PolicyDocument(JsonNode tree, Policy policy) {
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            // A name that looks like a number keeps its zeros.
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
            .build();

    /** Defaults of a document's fields; service, metrics and classes have no default. */
    private static final Policy DEFAULTS = Policy.builder()
            .service("")
            .version(0)
            .replication(Optional.of(ReplicationPolicy.defaults(List.of())))
            .fanOut(Optional.of(FanOutPolicy.defaults(List.of())))
            .build();

    /** Defaults of a class, which admit everything, as without Kipimo. */
    private static final ClassPolicyProto CLASS_DEFAULTS = ClassPolicyProto.newBuilder()
            .setSafeFraction(1)
            .setFloor(0.05)
            .setCeiling(1)
            .build();

    /** Reads the policy in a file; {@code -} is standard input. */
    public static PolicyDocument read(String file) {
        return parse(file, InputFile.text(file));
    }

    /**
     * @param name name of the file, for messages
     * @throws InputException with all problems, each naming a field, its value and what is allowed
     */
    public static PolicyDocument parse(String name, String text) {
        JsonNode tree;
        try {
            tree = text.stripLeading().startsWith("{") ? JSON.readTree(text) : YamlDocument.read(text);
        } catch (JsonProcessingException e) {
            throw new InputException(name + Plain.where(e) + ": " + Plain.what(e));
        }
        InputException.throwIf(tree.isMissingNode(), name + ": is empty; allowed: a policy, see kipimo policy example");
        MessageTree reader = new MessageTree();
        PolicyProto.Builder message = ((PolicyProto) Codecs.POLICY.toMessage(DEFAULTS)).toBuilder();
        if (!tree.isObject() || !tree.hasNonNull("replication")) {
            message.clearReplication();
        }
        if (!tree.isObject() || !MessageTree.has(tree, PolicyProto.getDescriptor(), "fan_out")) {
            message.clearFanOut();
        }
        reader.read(tree, message);
        List<String> problems = new ArrayList<>(reader.problems());
        if (tree.isObject()) {
            applyClassDefaults(tree, message, problems);
            metricProblems(message, problems);
            priorityProblems(message, problems);
        }
        Optional<Policy> policy = Optional.empty();
        try {
            policy = Optional.of(Codecs.POLICY.decode(message.build().toByteArray()));
        } catch (InvalidRecordException e) {
            if (tree.isObject()) {
                e.problems().stream().filter(p -> !reader.isTold(p)).forEach(problems::add);
            }
        }
        if (!problems.isEmpty()) {
            throw new InputException(problems.stream().map(p -> name + ": " + p).toList());
        }
        return new PolicyDocument(tree, policy.orElseThrow());
    }

    private static void applyClassDefaults(JsonNode tree, PolicyProto.Builder message, List<String> problems) {
        JsonNode classes = tree.path("classes");
        for (int i = 0; i < message.getClassesCount(); i++) {
            ClassPolicyProto.Builder merged = message.getClassesBuilder(i);
            for (var field : CLASS_DEFAULTS.getAllFields().entrySet()) {
                if (!hasField(classes.path(i), field.getKey().getName())) {
                    merged.setField(field.getKey(), field.getValue());
                }
            }
            if (!hasField(classes.path(i), "objective")) {
                problems.add("classes.%s.objective is missing; allowed: the mean answer quality to keep, 0..1"
                        .formatted(merged.getName().isEmpty() ? "?" : merged.getName()));
            }
        }
    }

    private static boolean hasField(JsonNode classTree, String name) {
        return MessageTree.has(classTree, ClassPolicyProto.getDescriptor(), name);
    }

    private static void metricProblems(PolicyProto.Builder message, List<String> problems) {
        for (String metric : message.getMetricsList()) {
            try {
                Similarities.parse(metric);
            } catch (IllegalArgumentException e) {
                problems.add("metrics: " + e.getMessage());
            }
        }
    }

    /**
     * Requires a class of priority 0, which is never shed. Only policies that a person writes are checked. A stored
     * policy without such a class stays in use, and its highest class is protected.
     */
    private static void priorityProblems(PolicyProto.Builder message, List<String> problems) {
        if (message.getClassesCount() > 0 && message.getClassesList().stream().allMatch(c -> c.getPriority() > 0)) {
            problems.add("classes: none has priority 0; allowed: at least one, which is never shed");
        }
    }

    /**
     * Returns the policy that replaces {@code stored}. It keeps the overrides and the kill switch of {@code stored},
     * unless the document names them.
     */
    public Policy after(Policy stored) {
        List<ClassPolicy> classes = new ArrayList<>();
        for (int i = 0; i < policy.classes().size(); i++) {
            ClassPolicy c = policy.classes().get(i);
            Optional<ManualOverride> override = hasField(tree.path("classes").path(i), "override")
                    ? c.override()
                    : stored.classPolicy(c.name()).flatMap(ClassPolicy::override);
            classes.add(c.withOverride(override));
        }
        boolean killSwitch = MessageTree.has(tree, PolicyProto.getDescriptor(), "kill_switch")
                ? policy.killSwitch()
                : stored.killSwitch();
        return policy.withClasses(classes)
                .withKillSwitch(killSwitch)
                .withReplication(policy.replication().map(r -> replicationAfter(r, stored)));
    }

    /** Keeps the stored override of factors, unless the document names one or has another number of tiers. */
    private ReplicationPolicy replicationAfter(ReplicationPolicy replication, Policy stored) {
        if (MessageTree.has(tree.path("replication"), ReplicationPolicyProto.getDescriptor(), "override")) {
            return replication;
        }
        return replication.withOverride(stored.replication()
                .flatMap(ReplicationPolicy::override)
                .filter(o -> o.factors().size() == replication.tiers().size()));
    }

    /** Formats a policy as YAML that {@link #parse} can read. */
    static String yaml(Policy policy) {
        return OutputOption.yaml(YAML.writer(), MessageTree.write(Codecs.POLICY.toMessage(policy)));
    }
}
