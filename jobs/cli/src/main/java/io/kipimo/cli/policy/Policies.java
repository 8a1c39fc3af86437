package io.kipimo.cli.policy;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.FactorOverride;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** Changes to stored policies. */
final class Policies {
    /**
     * The stored policy after a change.
     *
     * @param changed false if the stored policy already was as wanted
     */
    record PolicyChange(Policy policy, boolean changed) {}

    private Policies() {}

    /**
     * Changes the stored policy.
     *
     * @throws InputException if the service has no policy
     */
    static PolicyChange change(KafkaSettings settings, String service, UnaryOperator<Policy> change) {
        AtomicReference<Policy> before = new AtomicReference<>();
        Policy now = PolicyStore.change(settings, service, stored -> {
            before.set(stored.orElseThrow(() -> noPolicy(settings, service)));
            return change.apply(before.get());
        });
        return new PolicyChange(now, now.version() != before.get().version());
    }

    private static InputException noPolicy(KafkaSettings settings, String service) {
        String others = String.join(", ", PolicyStore.readAll(settings).keySet());
        return new InputException(
                "no policy of service '" + service + "'; there are: " + (others.isEmpty() ? "none" : others));
    }

    /** @throws InputException if the policy has no class of this name */
    static ClassPolicy classOf(Policy policy, String name) {
        return policy.classPolicy(name)
                .orElseThrow(() -> new InputException("service '%s' has no class '%s'; allowed: %s"
                        .formatted(
                                policy.service(),
                                name,
                                String.join(
                                        ", ",
                                        policy.classes().stream()
                                                .map(ClassPolicy::name)
                                                .toList()))));
    }

    /** Replaces the override of one of the policy's classes. */
    static Policy with(Policy policy, String name, Optional<ManualOverride> override) {
        classOf(policy, name);
        return policy.withOverride(name, override);
    }

    /**
     * Replaces the override of the policy's replication factors.
     *
     * @throws InputException if the policy has no replication section, or the override does not have one factor of at
     *     least 1 for each tier
     */
    static Policy withFactors(Policy policy, Optional<FactorOverride> override) {
        ReplicationPolicy replication = policy.replication()
                .orElseThrow(() -> new InputException(
                        "the policy of service '" + policy.service() + "' has no replication section"));
        List<String> tiers =
                replication.tiers().stream().map(ReplicatedTier::name).toList();
        override.filter(o -> o.factors().size() != tiers.size() || Collections.min(o.factors()) < 1)
                .ifPresent(o -> {
                    throw new InputException("FACTOR is %s; allowed: one for each tier, at least 1: %s"
                            .formatted(o.factors(), String.join(", ", tiers)));
                });
        return policy.withReplication(Optional.of(replication.withOverride(override)));
    }
}
