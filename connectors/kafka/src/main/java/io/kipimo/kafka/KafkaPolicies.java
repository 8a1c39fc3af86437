package io.kipimo.kafka;

import io.kipimo.operators.control.NewestPolicies;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.Map;

/** Reads the compacted topic of policies to its end. */
public record KafkaPolicies(KafkaSettings kafka) implements NewestPolicies {
    @Override
    public Map<String, Policy> read() {
        return PolicyStore.readAll(kafka);
    }
}
