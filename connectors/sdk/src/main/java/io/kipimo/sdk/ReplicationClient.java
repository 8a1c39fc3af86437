package io.kipimo.sdk;

import io.kipimo.core.guard.ActuatorVerdict;
import io.kipimo.core.replication.FactorActuator;
import io.kipimo.schemas.replication.ReplicationDecision;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Tells the arbiters of a service how many copies of a request to send. It follows the replication
 * topic, takes a decision only after the arbiter's own checks, and gives copies up when decisions
 * cease. Reads take no lock.
 */
public final class ReplicationClient {
    /** Refused before the checks: no record of a decision. */
    public static final String UNREADABLE = "UNREADABLE";

    private final String service;
    private final Map<String, LongAdder> refusals = new ConcurrentHashMap<>();
    private final InstantSource wall;
    private final LongSupplier monotonicMillis;
    private volatile FactorActuator taken = FactorActuator.INITIAL;

    /**
     * @param monotonicMillis milliseconds of a clock that is never set
     */
    ReplicationClient(KipimoConfig config, InstantSource wall, LongSupplier monotonicMillis) {
        this.service = config.service();
        this.wall = wall;
        this.monotonicMillis = monotonicMillis;
    }

    /**
     * How many servers of the tier a request goes to, at least 1: as decided; when decisions cease,
     * what was proven before, and some minutes later 1. Of a tier that no decision names, 1.
     */
    public int factor(String tier) {
        return taken.factor(tier, wall.millis(), monotonicMillis.getAsLong());
    }

    /** The decision behind the factors in force; empty without one, or after its lease. */
    public Optional<ReplicationDecision> inForce() {
        FactorActuator now = taken;
        return now.isInForce(wall.millis(), monotonicMillis.getAsLong())
                ? now.decision()
                : Optional.empty();
    }

    /** Since the last decision taken was issued, milliseconds; empty before the first one. */
    public OptionalLong decisionAgeMillis() {
        long now = wall.millis();
        return taken.decision()
                .map(d -> OptionalLong.of(now - d.issuedAtMillis()))
                .orElse(OptionalLong.empty());
    }

    /** Decisions that were not taken, by the reason. */
    public Map<String, Long> refusals() {
        Map<String, Long> counts = new TreeMap<>();
        refusals.forEach((reason, count) -> counts.put(reason, count.sum()));
        return counts;
    }

    /** Takes or refuses a decision; called by one thread. */
    void offer(ReplicationDecision decision) {
        FactorActuator.Offer offer =
                taken.offer(service, decision, wall.millis(), monotonicMillis.getAsLong());
        taken = offer.next();
        // Other services share the topic.
        if (!offer.verdict().isApplied() && offer.verdict() != ActuatorVerdict.OTHER_SCOPE) {
            refuse(offer.verdict().name());
        }
    }

    void unreadable() {
        refuse(UNREADABLE);
    }

    private void refuse(String reason) {
        refusals.computeIfAbsent(reason, r -> new LongAdder()).increment();
    }
}
