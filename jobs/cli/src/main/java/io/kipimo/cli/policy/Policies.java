package io.kipimo.cli.policy;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.sdk.kafka.PolicyStore;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** Stored policies as people name them. */
final class Policies {
    /**
     * @param changed false: it was as wanted before
     */
    record Change(Policy policy, boolean changed) {}

    private Policies() {}

    /**
     * Changes what is stored.
     *
     * @throws InputException if there is no policy of the service
     */
    static Change change(KafkaSettings settings, String service, UnaryOperator<Policy> change) {
        AtomicReference<Policy> before = new AtomicReference<>();
        Policy now =
                PolicyStore.change(
                        settings,
                        service,
                        stored -> {
                            before.set(stored.orElseThrow(() -> noPolicy(settings, service)));
                            return change.apply(before.get());
                        });
        return new Change(now, now.version() != before.get().version());
    }

    private static InputException noPolicy(KafkaSettings settings, String service) {
        String others = String.join(", ", PolicyStore.readAll(settings).keySet());
        return new InputException(
                "no policy of service '"
                        + service
                        + "'; there are: "
                        + (others.isEmpty() ? "none" : others));
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

    /** With another override of one of its classes. */
    static Policy with(Policy policy, String name, Optional<ManualOverride> override) {
        classOf(policy, name);
        return policy.withOverride(name, override);
    }
}
