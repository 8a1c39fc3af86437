package io.kipimo.cli.advice;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.core.quality.window.GateEvidence;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/**
 * Takes a gate's evidence from the control batches of a running system. Control batches are quality windows that do not
 * overlap. They are few, and Kafka keeps them far longer than measurements and counts.
 */
record ControlBatches(KafkaSettings kafka, Policy policy, ClassPolicy classPolicy, String metric)
        implements GateSource {
    private record Chosen(Policy policy, ClassPolicy classPolicy) {}

    /** @throws InputException unless the filter selects exactly one class that has a policy */
    static ControlBatches of(ClassFilter filter, Optional<String> metric, KafkaSettings kafka) {
        Map<ServiceClass, Chosen> classes = new TreeMap<>();
        for (Policy policy : PolicyStore.readAll(kafka).values()) {
            for (ClassPolicy c : policy.classes()) {
                if (filter.matches(policy.service(), c.name())) {
                    classes.put(policy.serviceClass(c), new Chosen(policy, c));
                }
            }
        }
        Chosen chosen =
                ClassFilter.only(classes).orElseThrow(() -> new InputException("there is no policy for " + filter));
        String wanted = metric.orElse(chosen.policy.metrics().get(0));
        InputException.throwIf(
                !chosen.policy.metrics().contains(wanted),
                "--metric is '%s'; allowed, as measured: %s"
                        .formatted(wanted, String.join(", ", chosen.policy.metrics())));
        return new ControlBatches(kafka, chosen.policy, chosen.classPolicy, wanted);
    }

    /** The topic that has a variant's control batches, or those of whole classes if the variant is empty. */
    static Topic topic(String variant) {
        return variant.isEmpty() ? Topic.QUALITY_WINDOWS : Topic.VARIANT_WINDOWS;
    }

    @Override
    public OptionalDouble objective() {
        return OptionalDouble.of(classPolicy.objective());
    }

    @Override
    public GateInput evidence(TimeRange range, String variant) {
        Gathering gathering = new Gathering(range, variant);
        TopicReader.read(kafka, topic(variant), range.fromMillis(), Codecs.QUALITY_WINDOW, gathering::add);
        return new GateInput(gathering.evidence, gathering.losses.shares());
    }

    private final class Gathering {
        private final LossSums losses = new LossSums();
        private final Set<Long> ends = new HashSet<>();
        private GateEvidence evidence;

        Gathering(TimeRange range, String variant) {
            evidence = GateEvidence.of(
                            policy.service(), classPolicy.name(), metric, range.fromMillis(), range.untilMillis())
                    .ofVariant(variant);
        }

        /** Adds a control batch once. Kafka may deliver a batch several times; its end time identifies it. */
        void add(QualityWindow window) {
            GateEvidence more = evidence.with(window);
            if (!more.equals(evidence) && ends.add(window.endMillis())) {
                evidence = more;
                losses.add(window);
            }
        }
    }
}
