package io.kipimo.kafka;

import io.kipimo.operators.rating.TargetHold;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.FactorOverride;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Holds a service by overrides in its policy: of every class that may be shed as much is admitted
 * as when the hold began, and factors stay as they were last decided. They end by themselves,
 * should nobody take them back; a person's own are left alone. A service without a policy has
 * nothing to hold, nor has admission that decides for nobody to apply.
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
        Map<String, Double> fractions = fractions(service, untilMillis - LEASE_MILLIS);
        Map<String, Integer> factors = factors(service);
        PolicyStore.change(
                kafka,
                service,
                stored ->
                        held(stored.orElseThrow(), fractions, factors, by(ratingId), untilMillis));
    }

    private static String by(String ratingId) {
        return "rating " + ratingId;
    }

    /** Admitted now, by class; without those of which nothing that was decided is valid. */
    private Map<String, Double> fractions(String service, long nowMillis) {
        String scopes = service + '/';
        Map<String, Decision> newest = new HashMap<>();
        TopicReader.read(
                kafka,
                Topic.ADMISSION,
                0,
                Codecs.DECISION,
                (Decision decision) -> {
                    if (decision.scope().startsWith(scopes)) {
                        newest.merge(
                                decision.scope().substring(scopes.length()),
                                decision,
                                (a, b) -> b.isNewerThan(a.epoch(), a.sequence()) ? b : a);
                    }
                });
        Map<String, Double> fractions = new HashMap<>();
        newest.forEach(
                (queryClass, decision) -> {
                    if (decision.mode().isEffective() && decision.validUntilMillis() > nowMillis) {
                        fractions.put(queryClass, decision.value());
                    }
                });
        return fractions;
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

    /**
     * The policy with overrides until {@code untilMillis}, or with its own prolonged.
     *
     * @param fractions admitted, by class; of others the safe fraction is
     * @param factors by tier; of others one
     */
    static Policy held(
            Policy policy,
            Map<String, Double> fractions,
            Map<String, Integer> factors,
            String by,
            long untilMillis) {
        long now = untilMillis - LEASE_MILLIS;
        Policy held = policy;
        for (ClassPolicy c : policy.classes()) {
            Optional<ManualOverride> word = c.override().filter(o -> o.isInForce(now));
            boolean othersWord = word.filter(o -> !o.by().equals(by)).isPresent();
            if (c.priority() > 0 && !othersWord && !policy.admission().shadow()) {
                double fraction =
                        word.map(ManualOverride::fraction)
                                .orElse(fractions.getOrDefault(c.name(), c.safeFraction()));
                held =
                        held.withOverride(
                                c.name(),
                                Optional.of(new ManualOverride(fraction, untilMillis, by, REASON)));
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
