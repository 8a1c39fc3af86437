package io.kipimo.cli.policy;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.sdk.kafka.PolicyStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Changes of stored policies. Two people who change one service at the same moment overwrite each
 * other: the log has no compare-and-set, and the later record wins.
 */
final class Policies {
    private Policies() {}

    /**
     * @throws InputException if there is none
     */
    static Policy stored(KafkaSettings settings, String service) {
        Map<String, Policy> all = PolicyStore.readAll(settings);
        Policy policy = all.get(service);
        if (policy == null) {
            throw new InputException(
                    "no policy of service '"
                            + service
                            + "'; there are: "
                            + (all.isEmpty() ? "none" : String.join(", ", all.keySet())));
        }
        return policy;
    }

    /**
     * @throws InputException if the policy does not name it
     */
    static ClassPolicy classOf(Policy policy, String name) {
        return policy.classPolicy(name)
                .orElseThrow(
                        () ->
                                new InputException(
                                        "service '"
                                                + policy.service()
                                                + "' has no class '"
                                                + name
                                                + "'; allowed: "
                                                + String.join(
                                                        ", ",
                                                        policy.classes().stream()
                                                                .map(ClassPolicy::name)
                                                                .toList())));
    }

    static Policy with(Policy policy, List<ClassPolicy> classes, boolean killSwitch) {
        return new Policy(
                policy.service(),
                policy.version(),
                policy.metrics(),
                policy.merge(),
                policy.topK(),
                policy.expirationWindowMillis(),
                policy.windowMillis(),
                policy.slideMillis(),
                List.copyOf(classes),
                policy.admission(),
                policy.sampling(),
                killSwitch);
    }

    /** The policy with another override of one of its classes. */
    static Policy with(Policy policy, String name, Optional<ManualOverride> override) {
        return with(
                policy,
                policy.classes().stream()
                        .map(c -> c.name().equals(name) ? with(c, override) : c)
                        .toList(),
                policy.killSwitch());
    }

    static ClassPolicy with(ClassPolicy c, Optional<ManualOverride> override) {
        return new ClassPolicy(
                c.name(),
                c.priority(),
                c.objective(),
                c.safeFraction(),
                c.floor(),
                c.ceiling(),
                override);
    }

    /** The policy as the one after {@code version}. */
    static Policy next(Policy policy, long version) {
        return new Policy(
                policy.service(),
                version + 1,
                policy.metrics(),
                policy.merge(),
                policy.topK(),
                policy.expirationWindowMillis(),
                policy.windowMillis(),
                policy.slideMillis(),
                policy.classes(),
                policy.admission(),
                policy.sampling(),
                policy.killSwitch());
    }
}
