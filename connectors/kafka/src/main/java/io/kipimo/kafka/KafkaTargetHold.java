package io.kipimo.kafka;

import io.kipimo.operators.rating.TargetHold;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.FactorOverride;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.sdk.kafka.PolicyStore;
import io.kipimo.sdk.kafka.TopicReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Holds a service by overrides in its policy: every class that may be shed is admitted whole, and
 * factors stay as they were last decided. They end by themselves, should nobody take them back; a
 * person's own are left alone. A service without a policy has nothing to hold.
 */
public final class KafkaTargetHold implements TargetHold {
    private static final long serialVersionUID = 1L;

    private static final String REASON = "held while it is rated";

    private final KafkaSettings kafka;

    public KafkaTargetHold(KafkaSettings kafka) {
        this.kafka = kafka;
    }

    @Override
    public void hold(String service, String ratingId, long untilMillis) {
        if (!PolicyStore.readAll(kafka).containsKey(service)) {
            return;
        }
        Map<String, Integer> factors = factors(service);
        PolicyStore.change(
                kafka,
                service,
                stored -> held(stored.orElseThrow(), factors, by(ratingId), untilMillis));
    }

    private static String by(String ratingId) {
        return "rating " + ratingId;
    }

    /** The last that were decided, by tier. */
    private Map<String, Integer> factors(String service) {
        Map<String, Integer> factors = new HashMap<>();
        TopicReader.read(
                kafka,
                Topic.REPLICATION,
                0,
                Codecs.REPLICATION_DECISION,
                (ReplicationDecision decision) -> {
                    if (decision.service().equals(service)) {
                        for (TierFactor tier : decision.tiers()) {
                            factors.put(tier.tier(), tier.factor());
                        }
                    }
                });
        return factors;
    }

    static Policy held(Policy policy, Map<String, Integer> factors, String by, long untilMillis) {
        long now = untilMillis - LEASE_MILLIS;
        Policy held = policy;
        for (ClassPolicy c : policy.classes()) {
            boolean othersWord =
                    c.override().filter(o -> o.isInForce(now) && !o.by().equals(by)).isPresent();
            if (c.priority() > 0 && !othersWord) {
                held =
                        held.withOverride(
                                c.name(),
                                Optional.of(new ManualOverride(1, untilMillis, by, REASON)));
            }
        }
        Optional<ReplicationPolicy> replication = policy.replication();
        boolean othersWord =
                replication
                        .flatMap(ReplicationPolicy::override)
                        .filter(o -> o.isInForce(now) && !o.by().equals(by))
                        .isPresent();
        if (replication.isEmpty() || othersWord) {
            return held;
        }
        List<Integer> kept =
                replication.get().tiers().stream()
                        .map(ReplicatedTier::name)
                        .map(tier -> factors.getOrDefault(tier, 1))
                        .toList();
        FactorOverride word = new FactorOverride(kept, untilMillis, by, REASON);
        return held.withReplication(Optional.of(replication.get().withOverride(Optional.of(word))));
    }

    @Override
    public void release(String service, String ratingId) {
        if (PolicyStore.readAll(kafka).containsKey(service)) {
            PolicyStore.change(
                    kafka, service, stored -> released(stored.orElseThrow(), by(ratingId)));
        }
    }

    static Policy released(Policy policy, String by) {
        Policy released = policy;
        for (ClassPolicy c : policy.classes()) {
            if (c.override().filter(o -> o.by().equals(by)).isPresent()) {
                released = released.withOverride(c.name(), Optional.empty());
            }
        }
        Optional<ReplicationPolicy> replication = policy.replication();
        boolean own =
                replication
                        .flatMap(ReplicationPolicy::override)
                        .filter(o -> o.by().equals(by))
                        .isPresent();
        return own
                ? released.withReplication(
                        Optional.of(replication.get().withOverride(Optional.empty())))
                : released;
    }
}
