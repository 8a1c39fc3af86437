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
 * Holds a service's admission and replication by overrides in its policy. Each class that may be shed keeps the
 * admitted fraction that it had at the start of the hold, and replication factors stay as last decided. The overrides
 * expire if they are not released. Overrides of other people are kept. Without a policy there is nothing to hold, and
 * in shadow mode there are no admitted fractions to hold.
 */
public record KafkaTargetHold(KafkaSettings kafka) implements TargetHold {
    private static final String REASON = "held while it is rated";

    @Override
    public void hold(String service, String ratingId, long untilMillis) {
        if (!PolicyStore.readAll(kafka).containsKey(service)) {
            return;
        }
        Map<String, Double> fractions = fractions(service, untilMillis - LEASE_MILLIS);
        Map<String, Integer> factors = factors(service);
        PolicyStore.change(
                kafka, service, stored -> held(stored.orElseThrow(), fractions, factors, by(ratingId), untilMillis));
    }

    private static String by(String ratingId) {
        return "rating " + ratingId;
    }

    /** Returns the admitted fractions that apply now, by class. Classes without a valid decision are missing. */
    private Map<String, Double> fractions(String service, long nowMillis) {
        String scopes = service + '/';
        Map<String, Decision> newest = new HashMap<>();
        TopicReader.read(kafka, Topic.ADMISSION, 0, Codecs.DECISION, (Decision decision) -> {
            if (decision.scope().startsWith(scopes)) {
                newest.merge(
                        decision.scope().substring(scopes.length()),
                        decision,
                        (a, b) -> b.isNewerThan(a.epoch(), a.sequence()) ? b : a);
            }
        });
        Map<String, Double> fractions = new HashMap<>();
        newest.forEach((queryClass, decision) -> {
            if (decision.mode().isEffective() && decision.validUntilMillis() > nowMillis) {
                fractions.put(queryClass, decision.value());
            }
        });
        return fractions;
    }

    /** Last decided replication factors, by tier. */
    private Map<String, Integer> factors(String service) {
        Map<String, Integer> factors = new HashMap<>();
        TopicReader.read(kafka, Topic.REPLICATION, 0, Codecs.REPLICATION_DECISION, (ReplicationDecision decision) -> {
            if (decision.service().equals(service)) {
                for (TierFactor tier : decision.tiers()) {
                    factors.put(tier.tier(), tier.factor());
                }
            }
        });
        return factors;
    }

    /**
     * Returns the policy with overrides until {@code untilMillis}. Existing overrides of this hold are prolonged.
     *
     * @param fractions admitted fractions by class; other classes get their safe fraction
     * @param factors replication factors by tier; other tiers get 1
     */
    static Policy held(
            Policy policy, Map<String, Double> fractions, Map<String, Integer> factors, String by, long untilMillis) {
        long now = untilMillis - LEASE_MILLIS;
        Policy held = policy;
        for (ClassPolicy c : policy.classes()) {
            Optional<ManualOverride> override = c.override().filter(o -> o.isInForce(now));
            boolean isForeign = override.filter(o -> !o.by().equals(by)).isPresent();
            if (c.priority() > 0 && !isForeign && !policy.admission().shadow()) {
                double fraction = override.map(ManualOverride::fraction)
                        .orElse(fractions.getOrDefault(c.name(), c.safeFraction()));
                held = held.withOverride(c.name(), Optional.of(new ManualOverride(fraction, untilMillis, by, REASON)));
            }
        }
        Optional<ReplicationPolicy> replication = policy.replication();
        boolean isForeign = replication
                .flatMap(ReplicationPolicy::override)
                .filter(o -> o.isInForce(now) && !o.by().equals(by))
                .isPresent();
        if (replication.isEmpty() || isForeign) {
            return held;
        }
        List<Integer> kept = replication.get().tiers().stream()
                .map(ReplicatedTier::name)
                .map(tier -> factors.getOrDefault(tier, 1))
                .toList();
        FactorOverride override = new FactorOverride(kept, untilMillis, by, REASON);
        return held.withReplication(Optional.of(replication.get().withOverride(Optional.of(override))));
    }

    @Override
    public void release(String service, String ratingId) {
        if (PolicyStore.readAll(kafka).containsKey(service)) {
            PolicyStore.change(kafka, service, stored -> released(stored.orElseThrow(), by(ratingId)));
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
        boolean own = replication
                .flatMap(ReplicationPolicy::override)
                .filter(o -> o.by().equals(by))
                .isPresent();
        return own ? released.withReplication(Optional.of(replication.get().withOverride(Optional.empty()))) : released;
    }
}
